import { findLineEnd, lineEndAt, partsOf } from "../match/lines.js";
import { foldLookAlikes, looseBody } from "../match/lookAlikes.js";
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
  const bodies = lines.map(looseBody);
  const budget: WorkBudget = { cells: MAX_CELLS };
  const starts = new Set(voteForStarts(text, lines, MAX_CANDIDATES).map(({ line }) => Math.max(0, line)));
  const offsets = offsetsOf(
    text,
    [...starts].sort((one, other) => one - other),
  );
  // Folded as a whole, which is faster than by line; every offset stays what it was.
  const folded = foldLookAlikes(text);
  const candidates: Candidate[] = [];
  for (const start of starts) {
    const offset = offsets.get(start);
    if (offset === undefined) {
      continue;
    }
    const found = takeLines(folded, offset, lines.length).map((content) => partsOf(content).body);
    const same = bodies.map((body, index) => body === found[index]);
    const divergesAt = same.includes(false) ? same.indexOf(false) : lines.length;
    const equal = lines.filter((line, index) => same[index] === true && partsOf(line).body !== "").length;
    const distance = lineDistance(bodies[divergesAt] ?? "", found[divergesAt] ?? "", budget);
    candidates.push({
      startLine: start + 1,
      offset,
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
  const nearest = beside.reduce((one, other) => (other.divergesAt > (one?.divergesAt ?? 0) ? other : one), best);
  return (
    nearest && {
      startLine: nearest.startLine,
      found: takeLines(text, nearest.offset, lines.length),
      divergesAt: nearest.divergesAt,
    }
  );
}

interface Candidate extends Omit<Nearest, "found"> {
  /** Where its first line starts. */
  offset: number;
  /** Lines that agree, less the share of the first other one that differs. */
  score: number;
  isNear: boolean;
}

/** Whether two lines differ in nothing a tier would not leave out of account. */
export function sameWords(wanted: string, found: string | undefined): boolean {
  if (found === undefined || wanted === found) {
    return found !== undefined;
  }
  return looseBody(wanted) === looseBody(found);
}

/** The share of two lines that differs, 1 when it is more than near lines may. */
function lineDistance(wanted: string, found: string, budget: WorkBudget): number {
  const [one, other] = [wanted.slice(0, MAX_COMPARED), found.slice(0, MAX_COMPARED)];
  const length = Math.max(one.length, other.length);
  const distance = distanceWithin(one, other, Math.floor(length * MOST_DIFFERENT), budget);
  return distance === undefined ? 1 : distance / Math.max(1, length + 1);
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
