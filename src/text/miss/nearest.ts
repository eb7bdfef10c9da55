import { findLineEnd, lineEndAt, partsOf } from "../match/lines.js";
import { foldLookAlikes, foldTable } from "../match/lookAlikes.js";
import { distanceWithin, type WorkBudget } from "../distance.js";
import { voteForStarts } from "./votes.js";

/** Lines of the old text compared with the text; what lies behind them is not looked at. */
const MAX_LINES = 2000;
const MAX_CANDIDATES = 16;
/** Code units of a line compared by distance, and cells spent in all on it. */
const MAX_COMPARED = 400;
const MAX_CELLS = 1_500_000;
/** Share of a line that may differ for it to be called near. */
const MOST_DIFFERENT = 0.5;

const SPACE = 0x20;
const TAB = 0x09;

/** Lines inserted or left out before the part that agrees best. */
const MOST_LINES_OFF = 20;

/** Lines of a text that are nearly the lines looked for. */
export interface Nearest {
  /** 1-based line at which they begin. */
  startLine: number;
  /** The lines of the text, as many as were looked for if it goes that far. */
  found: string[];
  /** Index of the first line that differs; the number of lines when only blanks do, or what cannot be seen. */
  divergesAt: number;
}

/** The lines of `text` that come nearest to `wanted`; undefined when none come near. */
export function findNearest(text: string, wanted: readonly string[]): Nearest | undefined {
  const lines = wanted.slice(0, MAX_LINES);
  const budget: WorkBudget = { cells: MAX_CELLS };
  const starts = voteForStarts(text, lines, MAX_CANDIDATES).map(({ line }) => Math.max(0, line));
  const windows = windowsOf(text, [...new Set(starts)], lines.length);
  const candidates: Candidate[] = [];
  for (const { startLine, found } of windows) {
    const same = lines.map((line, index) => sameWords(line, found[index]));
    const divergesAt = same.includes(false) ? same.indexOf(false) : lines.length;
    const equal = lines.filter((line, index) => same[index] === true && partsOf(line).body !== "").length;
    const distance = lineDistance(lines[divergesAt] ?? "", found[divergesAt] ?? "", budget);
    candidates.push({
      startLine,
      found,
      divergesAt,
      score: equal - distance,
      isNear: equal * 3 >= lines.length || distance < 1,
    });
  }
  const best = candidates
    .filter(({ isNear }) => isNear)
    .reduce<Candidate | undefined>((one, other) => (one && one.score >= other.score ? one : other), undefined);
  // Behind a line too many or too few all lines agree again, but from another start: the true one agrees from its first
  // line on.
  const beside = candidates.filter(({ startLine }) => best && Math.abs(startLine - best.startLine) <= MOST_LINES_OFF);
  return beside.reduce((one, other) => (other.divergesAt > (one?.divergesAt ?? 0) ? other : one), best);
}

interface Candidate extends Nearest {
  /** Lines that agree, less the share of the first other one that differs. */
  score: number;
  isNear: boolean;
}

/** Whether two lines differ in nothing a tier would not leave out of account. */
export function sameWords(wanted: string, found: string | undefined): boolean {
  if (found === undefined || wanted === found) {
    return found !== undefined;
  }
  // Looked at character by character up to the first that differs: most lines that are compared differ soon.
  const fold = foldTable();
  const [one, other] = [bodyOf(wanted), bodyOf(found)];
  if (one.end - one.start !== other.end - other.start) {
    return false;
  }
  for (let at = one.start, there = other.start; at < one.end; at++, there++) {
    const [unit, otherUnit] = [wanted.charCodeAt(at), found.charCodeAt(there)];
    if (unit !== otherUnit && fold[unit] !== fold[otherUnit]) {
      return false;
    }
  }
  return true;
}

/** Where a line's text begins and ends between its blanks, look-alikes of blanks among them. */
function bodyOf(line: string): { start: number; end: number } {
  const fold = foldTable();
  const isBlank = (at: number): boolean => {
    const unit = fold[line.charCodeAt(at)];
    return unit === SPACE || unit === TAB;
  };
  let start = 0;
  let end = line.length;
  while (start < end && isBlank(start)) {
    start++;
  }
  while (end > start && isBlank(end - 1)) {
    end--;
  }
  return { start, end };
}

/** The share of two lines that differs, 1 when it is more than near lines may. */
function lineDistance(wanted: string, found: string, budget: WorkBudget): number {
  const [one, other] = [wanted, found].map((line) => partsOf(foldLookAlikes(line)).body.slice(0, MAX_COMPARED)) as [
    string,
    string,
  ];
  const length = Math.max(one.length, other.length);
  const distance = distanceWithin(one, other, Math.floor(length * MOST_DIFFERENT), budget);
  return distance === undefined ? 1 : distance / Math.max(1, length + 1);
}

/** The lines from each start on. */
function windowsOf(text: string, starts: readonly number[], count: number): { startLine: number; found: string[] }[] {
  const offsets = offsetsOf(
    text,
    [...starts].sort((one, other) => one - other),
  );
  return starts.flatMap((start) => {
    const offset = offsets.get(start);
    return offset === undefined ? [] : [{ startLine: start + 1, found: takeLines(text, offset, count) }];
  });
}

/** Where lines start, of which the 0-based numbers only grow. */
function offsetsOf(text: string, lines: readonly number[]): Map<number, number> {
  const offsets = new Map<number, number>();
  let offset = 0;
  let line = 0;
  for (const wanted of lines) {
    for (; line < wanted && offset < text.length; line++) {
      const end = findLineEnd(text, offset);
      offset = end + lineEndAt(text, end).length;
    }
    if (line === wanted) {
      offsets.set(wanted, offset);
    }
  }
  return offsets;
}

function takeLines(text: string, offset: number, count: number): string[] {
  const lines: string[] = [];
  for (let at = offset; lines.length < count && at <= text.length;) {
    const end = findLineEnd(text, at);
    lines.push(text.slice(at, end));
    at = end === text.length ? end + 1 : end + lineEndAt(text, end).length;
  }
  return lines;
}
