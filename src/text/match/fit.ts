import { findIndentShift, type IndentPair, type IndentShift } from "./indent.js";
import { findLineEnd, lineEndAt, lineEndBefore, partsOf, type Line, type LineParts } from "./lines.js";
import { foldLookAlikes, looseBody } from "./lookAlikes.js";

/** A place in the text that equals the old text, apart from what a tier ignores. */
export interface Fit {
  tier: "trailing_blanks" | "indentation" | "look_alikes";
  offset: number;
  length: number;
  shift: IndentShift;
  /** Whether the old text ends in a line ending, while the place is the last line and has none. */
  lacksFinalEnd: boolean;
}

/** An old text prepared for searching by whole lines. */
export interface LinePattern {
  /** The lines to match as whole lines of the text; at least one is not blank. */
  lines: string[];
  /** Whether the old text starts with a line ending: the previous line may have any content. */
  startsWithEnd: boolean;
  /** Whether the old text includes its last line's ending. */
  endsWithEnd: boolean;
}

/** Returns the whole lines of an old text; undefined if they are all blank, and would match anywhere. */
export function toLinePattern(old: readonly Line[]): LinePattern | undefined {
  const contents = old.map(({ content }) => content);
  const startsWithEnd = contents.length > 1 && contents[0] === "";
  const endsWithEnd = contents.length > 1 && contents.at(-1) === "";
  const lines = contents.slice(startsWithEnd ? 1 : 0, endsWithEnd ? -1 : undefined);
  return lines.some((line) => looseBody(line) !== "") ? { lines, startsWithEnd, endsWithEnd } : undefined;
}

/**
 * Returns how the lines from a line's start on differ from the pattern; undefined if they differ in more than a tier
 * ignores.
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
  // A pattern that starts with the previous line's ending includes the whole indentation.
  const lead = firstLineSpeaks && !startsWithEnd ? leadIn(indents) : 0;
  const shift = lead > 0 ? { kind: "none" as const } : findIndentShift(indents);
  const before = lineEndBefore(text, window);
  if (!shift || (startsWithEnd && before === "")) {
    return undefined;
  }
  const offset = startsWithEnd ? window - before.length : window + lead;
  const finalEnd = endsWithEnd ? lineEndAt(text, end) : "";
  if (endsWithEnd && finalEnd === "" && start === end) {
    // The empty rest after the last line ending does not count as a line that only lacks its ending.
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

/** Returns the parts of two lines with the same content; undefined if it differs. */
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
 * Returns how much of the first line's indentation precedes the place, if the old text starts after it and every other
 * line agrees.
 */
function leadIn(indents: readonly IndentPair[]): number {
  const [first, ...others] = indents;
  if (!first || !first.found.endsWith(first.wanted) || others.some(({ wanted, found }) => wanted !== found)) {
    return 0;
  }
  return first.found.length - first.wanted.length;
}
