import { foldTable } from "./lookAlikes.js";
import { lineEndAt } from "./lines.js";
import type { Region } from "./regions.js";
import { bordersOf } from "./search.js";

/**
 * Where in a region of `text` runs of lines start that are `lines` when indentation, trailing blanks, line ends and
 * look-alikes are left out of account. Lines are compared by hash, so each run has to be looked at again. One pass,
 * memory as
 * `lines` needs.
 *
 * @param max runs given at most
 */
export function findWindows(text: string, { from, to }: Region, lines: readonly string[], max: number): number[] {
  const windows: number[] = [];
  const wanted = Int32Array.from(lines, (line) => hashLine(line, 0).hash);
  const borders = bordersOf(wanted.length, (index) => wanted[index]);
  // The starts of the last lines, written round and round.
  const starts = new Int32Array(wanted.length);
  let matched = 0;
  let number = 0;
  for (let start = from; start <= to && windows.length < max; number++) {
    const { hash, end } = hashLine(text, start);
    starts[number % starts.length] = start;
    while (matched > 0 && hash !== wanted[matched]) {
      matched = borders[matched - 1] ?? 0;
    }
    if (hash === wanted[matched]) {
      matched++;
    }
    if (matched === wanted.length) {
      windows.push(starts[(number + 1) % starts.length] ?? 0);
      matched = borders[matched - 1] ?? 0;
    }
    start = end === text.length ? end + 1 : end + lineEndAt(text, end).length;
  }
  return windows;
}

/** FNV-1a over what the line from `start` on says, look-alikes folded, and where the line ends. */
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
