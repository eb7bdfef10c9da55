/** A line of a private key, with what a listing, a diff or a string puts before it. */
const LINE =
  /[ \t]{0,20}(?:\d{1,7}[\t:| -][ \t]?|[+> -][ \t]?)?["'`]?([A-Za-z0-9+/=]{0,200}|[A-Z][A-Za-z-]{1,30}: [^\r\n\\]{0,200})["'`]?[ \t,+]{0,4}(?:\r?\n|(?:\\r)?\\n|$)/y;

const BEGIN =
  /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[ \t"'`,+]{0,4}(?:\r?\n|(?:\\r)?\\n))?/y;
const END =
  /(?:[ \t]{0,20}(?:\d{1,7}[\t:| -][ \t]?|[+> -][ \t]?)?["'`]?)-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;

/**
 * How private keys without a passphrase begin in base64: PKCS #8 (RFC 5958) and PKCS #1 (RFC 8017, A.1.2) for RSA, PKCS #8
 * and SEC 1 (RFC 5915) for curves, and OpenSSH (PROTOCOL.key).
 */
const START =
  /(?<![A-Za-z0-9+/])(?:MII[A-Za-z0-9+/]{3}IBA(?:DANBgkqhkiG9w0BAQEF|A[JK][BC])|MI[GH][A-Za-z0-9+/]AgEAMB[AM]GByqGSM49AgEG|MHcCAQEEI|MIGkAgEBBD|MIHcAgEBBEI|MC4CAQAwBQYDK2V[uw]BCIEI|MEcCAQAwBQYDK2Vx|b3BlbnNzaC1rZXktdjE)[A-Za-z0-9+/=]*/g;
/** How a line in `LINE` ends that is followed by another. */
const LINE_END = /["'`]?[ \t,+]{0,4}(?:\r?\n|(?:\\r)?\\n)/y;

/** Characters of a key's text; an RSA key of 16,384 bits has 12,000. */
export const MAX_PRIVATE_KEY = 24_000;
/** Characters of a line of a key that others follow; RFC 7468 has 64. */
export const MIN_LINE = 40;
/** Letters that a key has at least: fewer are an example. */
const MIN_LETTERS = 80;

/** A key in a text, in UTF-16 code units. */
interface Place {
  start: number;
  end: number;
}

/** Finds private keys in PEM and OpenPGP's armor, also cut off at either end, numbered, in a diff, or in a string with `\n`. */
export function findPrivateKeys(text: string): Place[] {
  const found: Place[] = [];
  for (let at = text.indexOf("-----BEGIN "); at >= 0; at = text.indexOf("-----BEGIN ", at + 1)) {
    BEGIN.lastIndex = at;
    const begin = BEGIN.exec(text);
    if (begin === null) {
      continue;
    }
    const end = endOf(text, at + begin[0].length);
    if (end !== undefined) {
      found.push({ start: at, end });
      at = end - 1;
    }
  }
  return [...found, ...withoutBegin(text, found)];
}

/** Finds keys without their line with BEGIN: by how their text begins, and by their line with END. */
function withoutBegin(text: string, whole: readonly Place[]): Place[] {
  const found: Place[] = [];
  let [next, free] = [0, 0];
  for (const { 0: part, index } of text.matchAll(START)) {
    while ((whole[next]?.end ?? Infinity) <= index) {
      next++;
    }
    if (index < free || (whole[next]?.start ?? Infinity) <= index) {
      continue;
    }
    const end = endWithoutBegin(text, index, part.length);
    if (end - index >= MIN_LINE) {
      free = end;
      found.push({ start: index, end });
    }
  }
  const begun = [...whole, ...found].sort((a, b) => a.start - b.start);
  let last = 0;
  for (let at = text.indexOf("-----END "); at >= 0; at = text.indexOf("-----END ", at + 1)) {
    END.lastIndex = at;
    const end = END.exec(text);
    while ((begun[last]?.end ?? Infinity) <= at) {
      last++;
    }
    const start = end === null || (begun[last]?.start ?? Infinity) < at ? undefined : startOf(text, at);
    if (end !== null && start !== undefined) {
      found.push({ start, end: at + end[0].length });
    }
  }
  return found;
}

/**
 * Returns where the text of a key ends whose first line is known: its lines are as long as that, but for the last one. With
 * its line with END, if it has one.
 */
function endWithoutBegin(text: string, start: number, length: number): number {
  let end = start + length;
  LINE_END.lastIndex = end;
  for (let isOpen = LINE_END.test(text); isOpen && end - start < MAX_PRIVATE_KEY;) {
    const at = LINE_END.lastIndex;
    END.lastIndex = at;
    const last = END.exec(text);
    if (last !== null) {
      return at + last[0].length;
    }
    LINE.lastIndex = at;
    const [line = "", value = ""] = LINE.exec(text) ?? [];
    // A plus sign in front may be a diff's or the key's own.
    const own = value.length + (value.length < length && line[line.indexOf(value) - 1] === "+" ? 1 : 0);
    // Groups of four characters stand for three bytes: words that follow a key are rarely as long.
    const isPart = own === length || (own < length && (own % 4 === 0 || length % 4 !== 0));
    if (value === "" || !isPart) {
      break;
    }
    end = at + line.indexOf(value) + value.length;
    LINE_END.lastIndex = end;
    isOpen = LINE_END.test(text) && own === length;
  }
  return end;
}

/** Returns where the lines of a key begin that end before its line with END; undefined if they are too few. */
function startOf(text: string, end: number): number | undefined {
  const { start, letters } = keyLinesBefore(text, end);
  return letters > MIN_LETTERS ? start : undefined;
}

/**
 * Returns where lines begin that may be a key's and end before the line of an offset, and how many letters they have. Reads
 * them from the end, so that a text of many such lines takes no time by its square.
 */
export function keyLinesBefore(text: string, end: number): { start: number; letters: number } {
  let start = end;
  let letters = 0;
  for (let next = text.lastIndexOf("\n", end) + 1; next > 0 && end - next < MAX_PRIVATE_KEY;) {
    const from = text.lastIndexOf("\n", next - 2) + 1;
    LINE.lastIndex = from;
    const [line = "", value = ""] = LINE.exec(text) ?? [];
    // All lines are long but the last one: shorter ones before a key are words.
    const isShort = value.length < (letters === 0 ? 1 : MIN_LINE);
    if (from + line.length !== next || isShort || value.includes(":")) {
      break;
    }
    letters += value.length;
    // A plus sign in front may be the key's own.
    start = line.startsWith("+") ? from : from + line.indexOf(value);
    next = from;
  }
  return { start, letters };
}

/** Returns where the text of a key ends; undefined if it has none. */
function endOf(text: string, from: number): number | undefined {
  let at = from;
  let end = from;
  let letters = 0;
  while (at < text.length && at - from < MAX_PRIVATE_KEY) {
    END.lastIndex = at;
    const last = END.exec(text);
    if (last !== null) {
      end = at + last[0].length;
      break;
    }
    LINE.lastIndex = at;
    const line = LINE.exec(text);
    if (line === null || line[0] === "") {
      break;
    }
    letters += line[1]?.length ?? 0;
    at += line[0].length;
    // Blank lines after a key that is cut off are not part of it.
    end = line[1] === "" ? end : at - (/(?:\r?\n|(?:\\r)?\\n)$/.exec(line[0])?.[0].length ?? 0);
  }
  return letters > MIN_LETTERS ? end : undefined;
}

/** Returns a private key without what a listing puts before its lines, so that all its copies are one value. */
export function plainKey(value: string): string {
  return value
    .split(/\r?\n|(?:\\r)?\\n/)
    .map((line) =>
      line
        .replace(/^[ \t]*(?:\d{1,7}[\t:| -][ \t]?|[+>-](?!-)[ \t]?)?["'`]?/, "")
        .replace(/["'`][ \t,+]*$|(?<![ \t,])[ \t,][ \t,+]*$/, ""),
    )
    .join("\n");
}
