import { findIndentShift, type IndentPair, type IndentShift } from "./indent.js";
import { findLineEnd, lineEndAt, lineEndBefore, partsOf, type Line, type LineParts } from "./lines.js";
import { foldLookAlikes, looseBody } from "./lookAlikes.js";

/** A place of the text that is the old text but for what a tier leaves out of account. */
export interface Fit {
  tier: "trailing_blanks" | "indentation" | "look_alikes";
  offset: number;
  length: number;
  shift: IndentShift;
  /** The old text ends in a line end, the place is the last line and has none. */
  lacksFinalEnd: boolean;
}

/** An old text prepared to be looked for by whole lines. */
export interface LinePattern {
  /** The lines that are to be whole lines of the text; at least one is not blank. */
  lines: string[];
  /** The old text starts with the end of a line, whatever that line says. */
  startsWithEnd: boolean;
  /** The old text includes the end of its last line. */
  endsWithEnd: boolean;
}

/** The whole lines an old text consists of; undefined when they say nothing, and would be found anywhere. */
export function toLinePattern(old: readonly Line[]): LinePattern | undefined {
  const contents = old.map(({ content }) => content);
  const startsWithEnd = contents.length > 1 && contents[0] === "";
  const endsWithEnd = contents.length > 1 && contents.at(-1) === "";
  const lines = contents.slice(startsWithEnd ? 1 : 0, endsWithEnd ? -1 : undefined);
  return lines.some((line) => looseBody(line) !== "") ? { lines, startsWithEnd, endsWithEnd } : undefined;
}

/**
 * How the lines from a line's start on differ from the pattern; undefined when in more than a tier leaves out of
 * account.
 */
export function fitWindow(
  text: string,
  window: number,
  { lines, startsWithEnd, endsWithEnd }: LinePattern,
): Fit | undefined {
  const indents: IndentPair[] = [];
  let lookAlikes = false;
  let firstLineSpeaks = false;
  let start = window;
  let end = start;
  for (const [index, line] of lines.entries()) {
    start = index === 0 ? start : end + lineEndAt(text, end).length;
    end = findLineEnd(text, start);
    const pair = compareLines(line, text.slice(start, end));
    if (!pair) {
      return undefined;
    }
    lookAlikes ||= pair.lookAlikes;
    if (pair.wanted.body !== "") {
      firstLineSpeaks ||= index === 0;
      indents.push({ wanted: pair.wanted.indent, found: pair.found.indent });
    }
  }
  // What starts with the end of a line before starts with the whole indentation.
  const lead = firstLineSpeaks && !startsWithEnd ? leadIn(indents) : 0;
  const shift = lead > 0 ? { kind: "none" as const } : findIndentShift(indents);
  const before = lineEndBefore(text, window);
  if (!shift || (startsWithEnd && before === "")) {
    return undefined;
  }
  const offset = startsWithEnd ? window - before.length : window + lead;
  const finalEnd = endsWithEnd ? lineEndAt(text, end) : "";
  if (endsWithEnd && finalEnd === "" && start === end) {
    // What is behind the last line end is no line that only lacks its end.
    return undefined;
  }
  return {
    tier: lookAlikes ? "look_alikes" : shift.kind === "none" ? "trailing_blanks" : "indentation",
    offset,
    length: end + finalEnd.length - offset,
    shift,
    lacksFinalEnd: endsWithEnd && finalEnd === "",
  };
}

/** The parts of two lines that say the same; undefined when they do not. */
function compareLines(
  wanted: string,
  found: string,
): { wanted: LineParts; found: LineParts; lookAlikes: boolean } | undefined {
  const exact = { wanted: partsOf(wanted), found: partsOf(found), lookAlikes: false };
  if (exact.wanted.body === exact.found.body) {
    return exact;
  }
  const folded = { wanted: partsOf(foldLookAlikes(wanted)), found: partsOf(foldLookAlikes(found)), lookAlikes: true };
  return folded.wanted.body === folded.found.body ? folded : undefined;
}

/**
 * Blanks of the first line that stand before the place: the old text starts behind the indentation, every other line
 * agrees.
 */
function leadIn(indents: readonly IndentPair[]): number {
  const [first, ...others] = indents;
  if (!first || !first.found.endsWith(first.wanted) || others.some(({ wanted, found }) => wanted !== found)) {
    return 0;
  }
  return first.found.length - first.wanted.length;
}
