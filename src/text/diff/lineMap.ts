import { type LineHunk, lineHunks } from "./lineHunks.js";
import { endingOf, splitLines } from "../splitLines.js";

/** Where the lines of a text went in a change of it. Lines are 1-based. */
export interface LineMap {
  /** The line that an old line is now; undefined when it was changed or deleted, or there was none. */
  toAfter(line: number): number | undefined;
  /** The number of the change that took an old line away or altered it; undefined for a line that stands. */
  changeOfOld(line: number): number | undefined;
  /** The number of the change that brought a new line; undefined for one that stood before. */
  changeOfNew(line: number): number | undefined;
}

/**
 * Maps the lines of `before` to those of `after`. The empty last line that an editor shows behind a final newline is
 * a line here, since a problem may stand on it.
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

/** The index of the last hunk that begins at or before a 0-based line; -1 when none does. */
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
