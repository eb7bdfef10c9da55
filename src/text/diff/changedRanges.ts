import { lineHunks } from "./lineHunks.js";
import { isInsidePair, splitLines } from "../splitLines.js";

/** A replacement of the code units `[start, end)` of a text. */
export interface ChangedRange {
  start: number;
  end: number;
  text: string;
}

/**
 * The least replacements that turn `before` into `after`: one for each run of changed lines, shortened to the
 * characters that differ. In order, apart from each other by at least one unchanged character; offsets of `before`.
 *
 * No offset lies inside `\r\n` or a surrogate pair, of either text: an editor would move it. Texts that differ too
 * much for a bounded comparison give fewer and longer ranges, in the end a single one.
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

/** Where each line begins. */
function offsetsOf(lines: readonly string[]): number[] {
  let offset = 0;
  return lines.map((line) => {
    const at = offset;
    offset += line.length;
    return at;
  });
}

/** `before[start, end)` and `after[newStart, newEnd)` without what they begin and end with in common. */
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
