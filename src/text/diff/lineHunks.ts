import { diffArrays } from "diff";

/** Changed lines, 0-based and end-exclusive on both sides; one side may be empty. */
export interface LineHunk {
  start: number;
  end: number;
  newStart: number;
  newEnd: number;
}

/** Maximum edits in one search for a minimal diff: its time grows with their square. */
const MAX_EDIT_LENGTH = 1_000;

/**
 * Work budget for a whole comparison, in compared lines: about 50 ms (measured). A count, not a clock, so that the same
 * texts always get the same hunks.
 */
const MAX_WORK = 40_000_000;

/** Cost of a search step, in compared lines (measured; it allocates). */
const STEP_COST = 10;

/**
 * Compares two lists of lines. Returns hunks in order, with at least one unchanged line between any two.
 *
 * The diff is minimal if a bounded search can find one. Otherwise the texts are split at lines that occur exactly once
 * in both, and any part that still differs too much becomes one hunk: never wrong, only coarse.
 */
export function lineHunks(before: readonly string[], after: readonly string[]): LineHunk[] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
  const pairing = new Pairing(before.map(numberOf), after.map(numberOf));
  pairing.pair(0, before.length, 0, after.length);
  return slidDown(hunksBetween(pairing.partners, after.length), before, after);
}

/**
 * Moves lines that were only added, or only removed, down as far as the same lines follow: a block that is there several
 * times has changed in the same place, whatever else has.
 */
function slidDown(hunks: LineHunk[], before: readonly string[], after: readonly string[]): LineHunk[] {
  let limit = before.length;
  for (const hunk of hunks.reverse()) {
    const isAdded = hunk.start === hunk.end;
    if (isAdded || hunk.newStart === hunk.newEnd) {
      const lines = isAdded ? after : before;
      const [first, last] = isAdded ? [hunk.newStart, hunk.newEnd] : [hunk.start, hunk.end];
      let by = 0;
      while (hunk.end + by < limit && lines[first + by] === lines[last + by]) {
        by++;
      }
      hunk.start += by;
      hunk.end += by;
      hunk.newStart += by;
      hunk.newEnd += by;
    }
    // At least one unchanged line stays in between.
    limit = hunk.start - 1;
  }
  return hunks.reverse();
}

function hunksBetween(partners: Int32Array, newLength: number): LineHunk[] {
  const hunks: LineHunk[] = [];
  let start = 0;
  let newStart = 0;
  const close = (end: number, newEnd: number): void => {
    if (end > start || newEnd > newStart) {
      hunks.push({ start, end, newStart, newEnd });
    }
    start = end + 1;
    newStart = newEnd + 1;
  };
  partners.forEach((partner, line) => {
    if (partner >= 0) {
      close(line, partner);
    }
  });
  close(partners.length, newLength);
  return hunks;
}

/** Pairs the old text's lines with the new text's, in the same order on both sides. */
class Pairing {
  /** For each old line, the index of its new line, or -1. */
  readonly partners: Int32Array;
  readonly #old: readonly number[];
  readonly #now: readonly number[];
  #work = MAX_WORK;

  constructor(old: readonly number[], now: readonly number[]) {
    this.#old = old;
    this.#now = now;
    this.partners = new Int32Array(old.length).fill(-1);
  }

  /** Pairs the old lines `[from, to)` with the new lines `[newFrom, newTo)`. */
  pair(from: number, to: number, newFrom: number, newTo: number): void {
    while (from < to && newFrom < newTo && this.#old[from] === this.#now[newFrom]) {
      this.partners[from++] = newFrom++;
    }
    while (from < to && newFrom < newTo && this.#old[to - 1] === this.#now[newTo - 1]) {
      this.partners[--to] = --newTo;
    }
    // Skip lines that only one side has: they cannot be paired, and without them a rewritten text costs nothing.
    const [oldLines, newLines] = [this.#old.slice(from, to), this.#now.slice(newFrom, newTo)];
    const old = sharedWith(oldLines, newLines);
    const now = sharedWith(newLines, oldLines);
    const limit = this.#affordable(old.length + now.length);
    if (old.length > 0 && limit > 0 && !this.#pairLeast(old, now, limit, oldLines, newLines, from, newFrom)) {
      this.#pairAtAnchors(oldLines, newLines, from, newFrom);
    }
  }

  /**
   * Returns how many edits a search among `size` lines may take: up to a quarter of the remaining work, so that some is
   * left for later searches.
   */
  #affordable(size: number): number {
    let limit = MAX_EDIT_LENGTH;
    while (limit > 0 && workOf(limit, size) > this.#work / 4) {
      limit >>= 1;
    }
    return limit;
  }

  /** Pairs lines with the fewest edits; returns false if that takes more than `limit`. */
  #pairLeast(
    old: number[],
    now: number[],
    limit: number,
    oldLines: number[],
    newLines: number[],
    from: number,
    newFrom: number,
  ): boolean {
    const parts = diffArrays(
      old.map((index) => oldLines[index]),
      now.map((index) => newLines[index]),
      { maxEditLength: limit },
    );
    const edits = parts?.reduce((sum, part) => sum + (part.added || part.removed ? part.count : 0), 0) ?? limit;
    this.#work -= workOf(edits, old.length + now.length);
    let [at, newAt] = [0, 0];
    for (const { added, removed, count } of parts ?? []) {
      for (let step = 0; !added && !removed && step < count; step++) {
        this.partners[from + (old[at + step] ?? 0)] = newFrom + (now[newAt + step] ?? 0);
      }
      at += added ? 0 : count;
      newAt += removed ? 0 : count;
    }
    return parts !== undefined;
  }

  /** Pairs the lines that occur once on both sides, as many as are in the same order, then continues between them. */
  #pairAtAnchors(oldLines: number[], newLines: number[], from: number, newFrom: number): void {
    this.#work -= STEP_COST * (oldLines.length + newLines.length);
    const anchors = longestRising(linesHadOnce(oldLines, newLines));
    let [last, newLast] = [0, 0];
    for (const [line, newLine] of anchors) {
      this.partners[from + line] = newFrom + newLine;
      this.pair(from + last, from + line, newFrom + newLast, newFrom + newLine);
      [last, newLast] = [line + 1, newLine + 1];
    }
    if (anchors.length > 0) {
      this.pair(from + last, from + oldLines.length, newFrom + newLast, newFrom + newLines.length);
    }
  }
}

function workOf(edits: number, size: number): number {
  return edits * (STEP_COST * edits + size);
}

/** Returns the indexes of the lines that are also in `others`. */
function sharedWith(lines: number[], others: number[]): number[] {
  const known = new Set(others);
  return lines.flatMap((line, index) => (known.has(line) ? [index] : []));
}

/** Returns the indexes, on both sides, of lines that each side has exactly once; in the order of `old`. */
function linesHadOnce(old: number[], now: number[]): [number, number][] {
  const places = (lines: number[]): Map<number, number> => {
    const found = new Map<number, number>();
    lines.forEach((line, index) => found.set(line, found.has(line) ? -1 : index));
    return found;
  };
  const newPlaces = places(now);
  return [...places(old)].flatMap(([line, index]): [number, number][] => {
    const place = newPlaces.get(line) ?? -1;
    return index >= 0 && place >= 0 ? [[index, place]] : [];
  });
}

/** Returns the longest subsequence of pairs whose second numbers also rise. */
function longestRising(pairs: [number, number][]): [number, number][] {
  /** For each length, the chain of that length with the smallest last number. */
  const chains: Chain[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, chains.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((chains[middle]?.pair[1] ?? 0) < pair[1]) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    chains[low] = { pair, previous: chains[low - 1] };
  }
  const rising: [number, number][] = [];
  for (let chain = chains.at(-1); chain; chain = chain.previous) {
    rising.push(chain.pair);
  }
  return rising.reverse();
}

interface Chain {
  pair: [number, number];
  previous: Chain | undefined;
}
