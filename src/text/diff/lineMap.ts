import { type LineHunk, lineHunks } from "./lineHunks.js";
import { endingOf, splitLines } from "../splitLines.js";

/** Maps lines of a text across a change. Lines are 1-based. */
export interface LineMap {
  /** Returns the new number of an old line; undefined if it was changed or deleted, or did not exist. */
  toAfter(line: number): number | undefined;
  /** Returns the index of the change that removed or altered an old line; undefined for an unchanged line. */
  changeOfOld(line: number): number | undefined;
  /** Returns the index of the change that produced a new line; undefined for an unchanged line. */
  changeOfNew(line: number): number | undefined;
}

/**
 * Maps the lines of `before` to those of `after`. The empty last line that an editor shows after a final newline counts
 * as a line, because a problem may be reported on it.
 */
export function lineMap(before: string, after: string): LineMap {
  const [oldLines, newLines] = [splitLines(before), splitLines(after)];
  const hunks = lineHunks(oldLines, newLines);
  const [oldCount, newCount] = [editorLines(oldLines), editorLines(newLines)];
  const changeAt = (
    line: number,
    startOf: (hunk: LineHunk) => number,
    endOf: (hunk: LineHunk) => number,
  ): number | undefined => {
    const index = lastAtOrBefore(hunks, line - 1, startOf);
    const hunk = hunks[index];
    return hunk && line - 1 < endOf(hunk) ? index : undefined;
  };
  const changeOfOld = (line: number): number | undefined =>
    changeAt(
      line,
      (hunk) => hunk.start,
      (hunk) => hunk.end,
    );
  return {
    changeOfOld,
    changeOfNew: (line) =>
      changeAt(
        line,
        (hunk) => hunk.newStart,
        (hunk) => hunk.newEnd,
      ),
    toAfter: (line) => {
      if (!Number.isInteger(line) || line < 1 || line > oldCount || changeOfOld(line) !== undefined) {
        return undefined;
      }
      const hunk = hunks[lastAtOrBefore(hunks, line - 1, (each) => each.start)];
      const now = hunk ? line + hunk.newEnd - hunk.end : line;
      return now <= newCount ? now : undefined;
    },
  };
}

function editorLines(lines: readonly string[]): number {
  const last = lines.at(-1);
  return lines.length + (last === undefined || endingOf(last) !== "" ? 1 : 0);
}

/** Returns the index of the last hunk that begins at or before a 0-based line; -1 if none does. */
function lastAtOrBefore(hunks: readonly LineHunk[], line: number, startOf: (hunk: LineHunk) => number): number {
  let [low, high] = [0, hunks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const hunk = hunks[middle];
    if (hunk && startOf(hunk) <= line) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}
