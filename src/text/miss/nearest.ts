import { findLineEnd, lineEndAt, partsOf } from "../match/lines.js";
import { foldLookAlikes, looseBody } from "../match/lookAlikes.js";
import { distanceWithin, similarPart, type WorkBudget } from "../distance.js";
import { voteForStarts } from "./votes.js";

/** Maximum number of lines of the old text compared with the text; later ones are ignored. */
const MAX_LINES = 2000;
const MAX_CANDIDATES = 16;
/** Maximum code units of a line compared by distance, and total cells spent on that, and on parts of lines. */
const MAX_COMPARED = 400;
const MAX_CELLS = 1_500_000;
/** Maximum share of a similar line that may differ. */
const MOST_DIFFERENT = 0.5;
/** The same for a part of a longer line, which agrees more easily by chance, and the minimum length of that part. */
const MOST_DIFFERENT_PART = 0.25;
const MIN_PART = 8;
/** Maximum code units of a line searched for a part. */
const MAX_SEARCHED = 2_000;

/** Maximum number of lines inserted or missing before the part that agrees best. */
const MOST_LINES_OFF = 20;

/** Lines of a text that are similar to the wanted lines. */
export interface Nearest {
  /** Their first line, 1-based. */
  startLine: number;
  /** The lines of the text, as many as wanted if it has that many. */
  found: string[];
  /** Index of the first line that differs; the number of lines if only whitespace or invisible characters differ. */
  divergesAt: number;
  /** If the wanted line that differs first is similar to a part of its line only: that part. */
  part?: string;
}

/** Finds the lines of `text` most similar to `wanted`; undefined if none are similar. */
export function findNearest(text: string, wanted: readonly string[]): Nearest | undefined {
  const lines = wanted.slice(0, MAX_LINES);
  const bodies = lines.map(looseBody);
  const [budget, partBudget]: [WorkBudget, WorkBudget] = [{ cells: MAX_CELLS }, { cells: MAX_CELLS }];
  const starts = new Set(voteForStarts(text, lines, MAX_CANDIDATES).map(({ line }) => Math.max(0, line)));
  const offsets = offsetsOf(
    text,
    [...starts].sort((one, other) => one - other),
  );
  // Folded as a whole, which is faster than line by line; every offset stays the same.
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
    const part = distance < 1 ? undefined : partDistance(bodies[divergesAt] ?? "", found[divergesAt] ?? "", partBudget);
    candidates.push({
      startLine: start + 1,
      offset,
      divergesAt,
      score: equal - (part?.distance ?? distance),
      isNear: equal * 3 >= lines.length || distance < 1 || part !== undefined,
      ...(part && { part }),
    });
  }
  const best = candidates
    .filter(({ isNear }) => isNear)
    .reduce<Candidate | undefined>((one, other) => (one && one.score >= other.score ? one : other), undefined);
  // Candidates after an extra or missing line agree again on all lines, but relative to a different start. The true
  // start agrees from its first line on.
  const beside = candidates.filter(({ startLine }) => best && Math.abs(startLine - best.startLine) <= MOST_LINES_OFF);
  const nearest = beside.reduce((one, other) => (other.divergesAt > (one?.divergesAt ?? 0) ? other : one), best);
  if (nearest === undefined) {
    return undefined;
  }
  const { startLine, divergesAt, part } = nearest;
  const found = takeLines(text, nearest.offset, lines.length);
  const partly = part && partsOf(found[divergesAt] ?? "").body.slice(part.start, part.end);
  return { startLine, found, divergesAt, ...(partly !== undefined && { part: partly }) };
}

interface Candidate extends Omit<Nearest, "found" | "part"> {
  /** Offset of its first line. */
  offset: number;
  /** Number of lines that agree, minus the differing share of the first line that does not. */
  score: number;
  isNear: boolean;
  /** Offsets in the body of the line that differs. */
  part?: { start: number; end: number };
}

/** Whether two lines differ only in details that a tier ignores. */
export function sameWords(wanted: string, found: string | undefined): boolean {
  if (found === undefined || wanted === found) {
    return found !== undefined;
  }
  return looseBody(wanted) === looseBody(found);
}

/** Returns the differing share of two lines; 1 if it is more than similar lines may have. */
function lineDistance(wanted: string, found: string, budget: WorkBudget): number {
  const [one, other] = [wanted.slice(0, MAX_COMPARED), found.slice(0, MAX_COMPARED)];
  const length = Math.max(one.length, other.length);
  const distance = distanceWithin(one, other, Math.floor(length * MOST_DIFFERENT), budget);
  return distance === undefined ? 1 : distance / Math.max(1, length + 1);
}

/**
 * Finds the part of a longer line that is similar to a wanted line.
 *
 * @returns undefined if there is none; `distance` is the differing share
 */
function partDistance(
  wanted: string,
  found: string,
  budget: WorkBudget,
): { distance: number; start: number; end: number } | undefined {
  if (wanted.length < MIN_PART || wanted.length > MAX_COMPARED || found.length <= wanted.length) {
    return undefined;
  }
  const most = Math.floor(wanted.length * MOST_DIFFERENT_PART);
  const part = similarPart(wanted, found.slice(0, MAX_SEARCHED), most, budget);
  return part && { ...part, distance: part.distance / (wanted.length + 1) };
}

/** Returns the offsets of lines, given as ascending 0-based numbers. */
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
