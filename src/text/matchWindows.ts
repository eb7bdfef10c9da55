import { foldTable } from "./matchLookAlikes.js";
import { findLineEnd, isBlank, lineEndAt } from "./matchLines.js";
import { bordersOf } from "./matchSearch.js";

/** A run of lines in a text that may be the lines looked for. */
export interface Window {
  /** Where its first line starts. */
  offset: number;
  /** 1-based number of that line. */
  line: number;
}

/**
 * The runs of lines of `text` that are `lines` when indentation, trailing blanks, line ends and look-alikes are left out of
 * account. Lines are compared by hash, so each window has to be looked at again. One pass, memory as `lines` needs.
 *
 * @param max windows given at most
 */
export function findWindows(text: string, lines: readonly string[], max: number): Window[] {
  const windows: Window[] = [];
  const wanted = Int32Array.from(lines, (line) => hashLine(line, 0, line.length));
  const borders = bordersOf(wanted.length, (index) => wanted[index]);
  const starts = new Int32Array(wanted.length);
  let matched = 0;
  let number = 1;
  for (let start = 0; start <= text.length && windows.length < max; number++) {
    const end = findLineEnd(text, start);
    const hash = hashLine(text, start, end);
    starts[number % starts.length] = start;
    while (matched > 0 && hash !== wanted[matched]) {
      matched = borders[matched - 1] ?? 0;
    }
    if (hash === wanted[matched]) {
      matched++;
    }
    if (matched === wanted.length) {
      const line = number - matched + 1;
      windows.push({ offset: starts[line % starts.length] ?? 0, line });
      matched = borders[matched - 1] ?? 0;
    }
    start = end === text.length ? end + 1 : end + lineEndAt(text, end).length;
  }
  return windows;
}

/** FNV-1a over what a line says, look-alikes folded. */
function hashLine(text: string, start: number, end: number): number {
  const fold = foldTable();
  let hash = 0x811c9dc5 | 0;
  let hashToLastMark = hash;
  let inside = false;
  for (let at = start; at < end; at++) {
    const unit = fold[text.charCodeAt(at)] ?? 0;
    const blank = isBlank(unit);
    inside ||= !blank;
    if (inside) {
      hash = Math.imul(hash ^ unit, 0x01000193);
      if (!blank) {
        hashToLastMark = hash;
      }
    }
  }
  return hashToLastMark;
}
