import { foldTable } from "./lookAlikes.js";
import { lineEndAt } from "./lines.js";
import type { Region } from "./regions.js";
import { findRuns } from "./search.js";

/**
 * Finds where in a region of `text` runs of lines start that equal `lines`, ignoring indentation, trailing whitespace,
 * line endings and look-alikes. Lines are compared by hash, so each run must be verified.
 *
 * @param max maximum number of runs
 */
export function findWindows(text: string, { from, to }: Region, lines: readonly string[], max: number): number[] {
  const starts: number[] = [];
  const hashes: number[] = [];
  for (let start = from; start <= to;) {
    const { hash, end } = hashLine(text, start);
    starts.push(start);
    hashes.push(hash);
    start = end === text.length ? end + 1 : end + lineEndAt(text, end).length;
  }
  const wanted = Int32Array.from(lines, (line) => hashLine(line, 0).hash);
  return findRuns(Int32Array.from(hashes), wanted, max).map((place) => starts[place] ?? 0);
}

/** Returns the FNV-1a hash of the content of the line at `start`, with look-alikes folded, and the line's end. */
function hashLine(text: string, start: number): { hash: number; end: number } {
  const fold = foldTable();
  let hash = 0x811c9dc5 | 0;
  let hashToLastMark = hash;
  let inside = false;
  let at = start;
  for (; at < text.length; at++) {
    const unit = fold[text.charCodeAt(at)];
    if (unit === undefined || unit === 0x0a || unit === 0x0d) {
      break;
    }
    const blank = unit === 0x20 || unit === 0x09;
    inside = inside || !blank;
    if (inside) {
      hash = Math.imul(hash ^ unit, 0x01000193);
      hashToLastMark = blank ? hashToLastMark : hash;
    }
  }
  return { hash: hashToLastMark, end: at };
}
