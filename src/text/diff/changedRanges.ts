import { lineHunks } from "./lineHunks.js";
import { isInsidePair, splitLines } from "../splitLines.js";

/** A replacement of the code units `[start, end)` of a text. */
export interface ChangedRange {
  start: number;
  end: number;
  text: string;
}

/**
 * Returns the smallest replacements that turn `before` into `after`: one for each run of changed lines, trimmed to the
 * characters that differ. They are in order, separated by at least one unchanged character, with offsets into `before`.
 *
 * No offset is inside a `\r\n` or a surrogate pair of either text, because an editor would move it. Texts that differ
 * too much for a bounded comparison get fewer and longer ranges, at worst a single one.
 */
export function changedRanges(before: string, after: string): ChangedRange[] {
  if (before === after) {
    return [];
  }
  const [oldLines, newLines] = [splitLines(before), splitLines(after)];
  const [oldOffsets, newOffsets] = [offsetsOf(oldLines), offsetsOf(newLines)];
  return lineHunks(oldLines, newLines).map((hunk) =>
    differing(
      before,
      oldOffsets[hunk.start] ?? before.length,
      oldOffsets[hunk.end] ?? before.length,
      after,
      newOffsets[hunk.newStart] ?? after.length,
      newOffsets[hunk.newEnd] ?? after.length,
    ),
  );
}

/** Returns the offset of each line. */
function offsetsOf(lines: readonly string[]): number[] {
  let offset = 0;
  return lines.map((line) => {
    const at = offset;
    offset += line.length;
    return at;
  });
}

/** Trims the common start and end from `before[start, end)` and `after[newStart, newEnd)`. */
function differing(
  before: string,
  start: number,
  end: number,
  after: string,
  newStart: number,
  newEnd: number,
): ChangedRange {
  while (start < end && newStart < newEnd && before.charCodeAt(start) === after.charCodeAt(newStart)) {
    start++;
    newStart++;
  }
  if (isInsidePair(before, start) || isInsidePair(after, newStart)) {
    start--;
    newStart--;
  }
  while (start < end && newStart < newEnd && before.charCodeAt(end - 1) === after.charCodeAt(newEnd - 1)) {
    end--;
    newEnd--;
  }
  if (isInsidePair(before, end) || isInsidePair(after, newEnd)) {
    end++;
    newEnd++;
  }
  return { start, end, text: after.slice(newStart, newEnd) };
}
