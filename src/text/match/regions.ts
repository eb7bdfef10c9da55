import { findLineEnd, lineEndAt } from "./lines.js";

/** A range of whole lines, as offsets. */
export interface Region {
  from: number;
  to: number;
}

/** Maximum number of places of an anchor: a more frequent one is useless. */
const MAX_PLACES = 64;
/** Maximum characters of an anchor: a longer one is not rarer, but slower to search. */
const MAX_ANCHOR = 64;
/** Runs of characters that no tier ignores: no whitespace, no line endings, nothing with look-alikes. */
const INVARIANT = /[A-Za-z0-9_$@#%&*+=/\\|()[\]{}<>:;,.!?~^]+/g;

/**
 * Returns the ranges of `text` outside which `oldText` cannot match at any tier: the lines around its longest run of
 * characters that every tier compares exactly. Returns the whole text if there is no such run, or if it occurs
 * everywhere.
 *
 * @param lineCount lines of the old text
 */
export function findRegions(text: string, oldText: string, lineCount: number): Region[] {
  const anchor = longestRun(oldText).slice(0, MAX_ANCHOR);
  const regions: Region[] = [];
  let places = 0;
  // Lines are scanned again for each place on them: better search a one-line text whole.
  let walked = 0;
  for (let at = anchor === "" ? 0 : text.indexOf(anchor); at >= 0; at = text.indexOf(anchor, at + anchor.length)) {
    if (anchor === "" || ++places > MAX_PLACES || walked > text.length) {
      return [{ from: 0, to: text.length }];
    }
    const last = regions.at(-1);
    const from = stepBack(text, at, lineCount, last?.to ?? 0);
    const to = stepForward(text, at, lineCount);
    walked += to - from;
    if (last && from <= last.to) {
      last.to = Math.max(to, last.to);
    } else {
      regions.push({ from, to });
    }
  }
  return regions;
}

function longestRun(text: string): string {
  let longest = "";
  for (const [run] of text.matchAll(INVARIANT)) {
    longest = run.length > longest.length ? run : longest;
  }
  return longest;
}

/** Returns the start of the line `count` lines before an offset, but not before `least`. */
function stepBack(text: string, offset: number, count: number, least: number): number {
  let at = offset;
  for (let left = count; at > least; at--) {
    const unit = text.charCodeAt(at - 1);
    const isEnd = unit === 0x0a || (unit === 0x0d && text.charCodeAt(at) !== 0x0a);
    if (isEnd && left-- === 0) {
      break;
    }
  }
  return at;
}

/** Returns the end of the line `count` lines after an offset, including its line ending. */
function stepForward(text: string, offset: number, count: number): number {
  let at = offset;
  for (let left = count; left >= 0 && at < text.length; left--) {
    const end = findLineEnd(text, at);
    at = end + lineEndAt(text, end).length;
  }
  return at;
}
