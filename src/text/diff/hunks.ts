import { splitLines } from "../splitLines.js";
import { lineHunks, type LineHunk } from "./lineHunks.js";

/** Two texts, and the hunks in which they differ. */
export interface Compared {
  before: readonly string[];
  after: readonly string[];
  hunks: readonly LineHunk[];
}

/** Lines, 0-based and end-exclusive. */
export interface LineRange {
  start: number;
  end: number;
}

/** Compares two texts line by line, endings included. */
export function compare(before: string, after: string): Compared {
  const [old, now] = [splitLines(before), splitLines(after)];
  return { before: old, after: now, hunks: lineHunks(old, now) };
}

/** Returns the text after the change, with the lines of some of its hunks as they were before. */
export function withoutHunks({ before, after, hunks }: Compared, isTakenBack: (hunk: LineHunk) => boolean): string {
  // Joined piece by piece: a file may have more lines than a call can have arguments.
  let text = "";
  let done = 0;
  for (const hunk of hunks.filter(isTakenBack)) {
    text += after.slice(done, hunk.newStart).join("") + before.slice(hunk.start, hunk.end).join("");
    done = hunk.newEnd;
  }
  return text + after.slice(done).join("");
}

/**
 * Returns where lines of a text are in a later version of it; undefined where they, or lines next to them, have changed.
 *
 * @param changes the hunks between the two, in order
 */
export function linesNow({ start, end }: LineRange, changes: readonly LineHunk[]): LineRange | undefined {
  let shift = 0;
  for (const change of changes) {
    if (change.start > end) {
      break;
    }
    // As in a merge: without an unchanged line in between, nobody can tell the two apart.
    if (change.end >= start) {
      return undefined;
    }
    shift += change.newEnd - change.newStart - (change.end - change.start);
  }
  return { start: start + shift, end: end + shift };
}
