import { clipStart } from "../clip.js";
import { sharedEnds } from "../sharedEnds.js";

/** Maximum code units shown of a line. */
const MAX_SHOWN = 160;
/** Code units shown before the first difference of a long line. */
const LEAD = 40;

/** Whitespace that looks alike, and how it is shown; other invisible characters are shown as their code point. */
const MARKS = new Map([
  [" ", "·"],
  ["\t", "→"],
  ["\r", "␍"],
  ["\n", "␊"],
]);

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Surrogate}]/gu;

/**
 * Formats two lines for comparison: makes whitespace and invisible characters visible where the lines differ and at
 * their ends, and cuts both to the part around the first difference.
 */
export function visiblePair(expected: string, found: string): { expected: string; found: string } {
  const { head, tail } = sharedEnds(expected, found);
  const from = head > LEAD + MAX_SHOWN / 2 ? head - LEAD : 0;
  const show = (line: string): string => {
    const middle = { from: Math.max(0, head - from), to: line.length - tail - from };
    return visibleIn(clipLine(line, from), middle.from, middle.to, from > 0);
  };
  return { expected: show(expected), found: show(found) };
}

/** The first differing code points of two lines, as `U+00E9`; `nothing` if a line has none there. */
export interface CodePoints {
  expected: string;
  found: string;
}

/** Maximum code points listed of a difference; a longer difference is visible anyway. */
const MAX_CODE_POINTS = 4;

/**
 * Returns a difference of two lines that may be invisible: the same letters in another Unicode form, or a few
 * characters of which one is not ASCII. Undefined for any other difference.
 */
export function differingCodePoints(expected: string, found: string): CodePoints | undefined {
  const [one, other] = [[...expected], [...found]];
  const { head, tail } = sharedEnds(one, other);
  const parts = [one.slice(head, one.length - tail), other.slice(head, other.length - tail)];
  const isSmall = parts.every((part) => part.length <= MAX_CODE_POINTS) && /[^\p{ASCII}]/u.test(parts.flat().join(""));
  if (expected === found || !(isSmall || expected.normalize("NFC") === found.normalize("NFC"))) {
    return undefined;
  }
  const [wanted, there] = parts.map((part) => part.slice(0, MAX_CODE_POINTS).map(named).join(" ") || "nothing");
  return { expected: wanted ?? "", found: there ?? "" };
}

function named(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Formats a line for a message: cut, with trailing whitespace and invisible characters made visible. */
export function visibleLine(line: string): string {
  return visibleIn(clipLine(line, 0), 0, 0, false);
}

function clipLine(line: string, from: number): string {
  const start = from > 0 && /[\udc00-\udfff]/.test(line[from] ?? "") ? from - 1 : from;
  const shown = clipStart(line.slice(start, start + MAX_SHOWN + 1), MAX_SHOWN);
  return start + shown.length < line.length ? `${shown}…` : shown;
}

function visibleIn(line: string, from: number, to: number, isCut: boolean): string {
  const bodyEnd = line.length - (/[ \t\r]+$/.exec(line)?.[0].length ?? 0);
  const shown = line.replace(UNSEEN, (character, offset: number) => {
    const isPlain = character === " " || character === "\t";
    const isMarked = offset >= bodyEnd || (offset >= from && offset < to);
    return isPlain && !isMarked ? character : (MARKS.get(character) ?? codePoint(character));
  });
  return isCut ? `…${shown}` : shown;
}

function codePoint(character: string): string {
  return `‹${named(character)}›`;
}
