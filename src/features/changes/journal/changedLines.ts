import { lineHunks } from "../../../text/diff/lineHunks.js";
import { splitLines } from "../../../text/splitLines.js";

/** Counts the lines that a change added and removed. */
export function changedLines(before: string, after: string): { added: number; removed: number } {
  const { head, tail } = sharedEnds(before, after);
  const lines = { added: 0, removed: 0 };
  for (const { start, end, newStart, newEnd } of lineHunks(
    splitLines(before.slice(head, before.length - tail)),
    splitLines(after.slice(head, after.length - tail)),
  )) {
    lines.removed += end - start;
    lines.added += newEnd - newStart;
  }
  return lines;
}

/**
 * Returns the length, in characters, of the whole lines that two texts share at their start and end. That is most of a
 * file, and it need not be split into lines.
 */
function sharedEnds(before: string, after: string): { head: number; tail: number } {
  const shared = Math.min(before.length, after.length);
  let same = 0;
  while (same < shared && before.charCodeAt(same) === after.charCodeAt(same)) {
    same++;
  }
  const head = before.lastIndexOf("\n", same - 1) + 1;
  let tail = 0;
  let from = 0;
  while (
    tail < shared - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail++;
    // Everything after a newline is whole lines.
    if (before.charCodeAt(before.length - 1 - tail) === 10 && after.charCodeAt(after.length - 1 - tail) === 10) {
      from = tail;
    }
  }
  return { head: same === 0 ? 0 : head, tail: from };
}
