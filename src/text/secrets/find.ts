import { FORM_MARKER, SECRET_FORMS } from "./formats.js";
import { hasMadePart, isMade, isRandom } from "./made.js";
import { findPrivateKeys } from "./privateKeys.js";
import { longRuns, type Run } from "./runs.js";

/** A secret in a text. */
export interface FoundSecret {
  /** Offsets in UTF-16 code units. */
  start: number;
  end: number;
  /** What it is, in capitals: the name of its form, or of the variable that has it. */
  name: string;
}

const FORMS = new RegExp(
  `(?<![A-Za-z0-9_])(?:${SECRET_FORMS.map(({ form }) => `(${form})`).join("|")})(?![A-Za-z0-9])`,
  "g",
);

/** A password in a URL (RFC 3986, userinfo). */
const IN_URL = /:\/\/[^\s:/@"'`<>]{0,80}:([^\s:/@"'`<>{}$]{6,200})@[\w.-]/g;

/** A credential in a header (RFC 9110, 11.6.2). */
const IN_HEADER =
  /\b(?:authorization|x-api-key|api-key|private-token)["']?[ \t]{0,2}[:=][ \t]{0,2}["']?(?:(?:bearer|basic|token)[ \t])?([A-Za-z0-9+/=_.~-]{16,})/gi;

/** A value given to a name that says it is secret. */
const NAMED =
  /(?:secret|token|passwo?r?d|passphrase|pwd|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|credential|auth[_-]?key)[A-Za-z0-9_.-]{0,30}["'\]]{0,2}[ \t]{0,3}(?:=>|:=|==?=?|:)[ \t]{0,3}(?:[a-z]{1,2}(?=["'`]))?["'`]?([A-Za-z0-9+/=_.~!@#%^&*-]{16,})/gi;

/** Characters before a value that may name it. */
export const NAME_BEFORE = 100;
/** Longer names are cut. */
const MAX_NAME = 40;
/** Maximum characters of a value that is searched for names: searching all of them would take time by the square. */
const MAX_NESTED = 1_000;

/**
 * Finds what looks like a secret in a text, in the order of the text; none overlaps another. Takes time in proportion to
 * the text, whatever it holds.
 */
export function findSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[] = findPrivateKeys(text).map((range) => ({ ...range, name: "PRIVATE_KEY" }));
  for (const run of longRuns(text)) {
    addForms(text, run, found);
    if (hasMadePart(text.slice(run.start, run.end))) {
      addNamed(text, run, found);
    }
  }
  for (const match of text.matchAll(IN_URL)) {
    const value = match[1] ?? "";
    if (isRandom(value) && /\d/.test(value) && /[A-Za-z]/.test(value)) {
      const end = match.index + match[0].length - 2;
      found.push({ start: end - value.length, end, name: "PASSWORD" });
    }
  }
  return withoutOverlaps(found);
}

function addForms(text: string, { start, end }: Run, found: FoundSecret[]): void {
  const part = text.slice(start, end);
  if (!FORM_MARKER.test(part)) {
    return;
  }
  for (const match of part.matchAll(FORMS)) {
    if (isRandom(match[0])) {
      const form = match.findIndex((part, index) => index > 0 && part !== undefined);
      const from = start + match.index;
      found.push({ start: from, end: from + match[0].length, name: SECRET_FORMS[form - 1]?.name ?? "SECRET" });
    }
  }
}

function addNamed(text: string, run: Run, found: FoundSecret[]): void {
  const from = Math.max(0, run.start - NAME_BEFORE);
  const part = text.slice(from, run.end);
  for (const match of part.matchAll(IN_HEADER)) {
    const value = match[1] ?? "";
    if (isMade(value)) {
      const end = from + match.index + match[0].length;
      found.push({ start: end - value.length, end, name: "CREDENTIAL" });
    }
  }
  NAMED.lastIndex = 0;
  for (let match = NAMED.exec(part); match !== null; match = NAMED.exec(part)) {
    const value = match[1] ?? "";
    const end = from + match.index + match[0].length;
    const start = end - value.length;
    if (isMade(value)) {
      found.push({ start, end, name: nameBefore(text, from + match.index, start) });
    } else if (value.length <= MAX_NESTED) {
      // What is taken for a value may itself be a name with one: `token: default-API_TOKEN=…`.
      NAMED.lastIndex = start - from;
    }
  }
}

/** Returns the whole name whose value begins at an offset, in capitals. */
function nameBefore(text: string, keyword: number, value: number): string {
  const before = /[A-Za-z0-9_.-]{0,40}$/.exec(text.slice(Math.max(0, keyword - MAX_NAME), keyword))?.[0] ?? "";
  const after = /^[A-Za-z0-9_.-]*/.exec(text.slice(keyword, value))?.[0] ?? "";
  return secretName(`${before}${after}`);
}

/** Returns a name as handles show it: `awsSecret.key` is `AWSSECRET_KEY`. */
export function secretName(name: string): string {
  const shown = name
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "")
    .slice(-MAX_NAME)
    .replace(/^_/, "")
    .toUpperCase();
  return shown === "" ? "SECRET" : shown;
}

/** Sorts the places; of those that overlap, keeps the first, as long as the longest of them. */
export function withoutOverlaps<Place extends { start: number; end: number }>(found: readonly Place[]): Place[] {
  const kept: Place[] = [];
  for (const each of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || each.start >= last.end) {
      kept.push({ ...each });
    } else {
      last.end = Math.max(last.end, each.end);
    }
  }
  return kept;
}
