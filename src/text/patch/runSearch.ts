import type { WorkBudget } from "./workBudget.js";

/** Odd numbers without a pattern in their bits. */
const BASES = [0x2c1b3c6d, 0x297a2d39] as const;

/**
 * A line that occurs at most this often is the place to look at; beyond it all runs of one length are searched
 * together.
 */
const MAX_PROBES = 8;

/** What keeping one place costs, in steps of the search. */
const PLACE_STEPS = 4;

/** A run of items that is looked for: those of `wanted` from `start` on. */
export interface Run {
  start: number;
  length: number;
  /** Two hashes of the items. */
  first: number;
  second: number;
  places: readonly number[] | undefined;
  /** The next one with the same first hash. */
  next: Run | undefined;
}

/**
 * Finds runs of equal items in a sequence: all places of each, by rolling hashes. The runs are made known first, since
 * all of one length are found in one pass.
 */
export class RunSearch {
  readonly #ids: Int32Array;
  readonly #wanted: Int32Array;
  readonly #prefixes: readonly [Int32Array, Int32Array];
  readonly #runs = new Map<number, Run>();
  readonly #lengths = new Map<number, Run[]>();
  readonly budget: WorkBudget;
  /** Where each id occurs: `#places` from `#from[id]` up to `#from[id + 1]`. */
  readonly #from: Int32Array;
  readonly #places: Int32Array;

  /**
   * @param ids the sequence; from 0 up to, without it, `idCount`
   * @param wanted the items of all runs that will be asked for
   */
  constructor(ids: Int32Array, idCount: number, wanted: Int32Array, budget: WorkBudget) {
    this.#ids = ids;
    this.#wanted = wanted;
    this.budget = budget;
    this.#prefixes = [prefixHashes(ids, BASES[0]), prefixHashes(ids, BASES[1])];
    const from = new Int32Array(idCount + 2);
    for (const id of ids) {
      from[id + 2] = (from[id + 2] ?? 0) + 1;
    }
    for (let id = 0; id < idCount; id++) {
      from[id + 2] = (from[id + 2] ?? 0) + (from[id + 1] ?? 0);
    }
    this.#places = new Int32Array(ids.length);
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] ?? 0;
      const next = from[id + 1] ?? 0;
      this.#places[next] = at;
      from[id + 1] = next + 1;
    }
    this.#from = from;
  }

  /** Makes a run known. All runs that will be asked for are best made known before the first one is. */
  add(start: number, length: number): Run {
    const [first, second] = [this.#hashOf(start, length, BASES[0]), this.#hashOf(start, length, BASES[1])];
    const known = this.#runs.get(first);
    for (let run = known; run; run = run.next) {
      if (
        run.second === second &&
        run.length === length &&
        areEqual(this.#wanted, run.start, this.#wanted, start, length)
      ) {
        return run;
      }
    }
    const run: Run = { start, length, first, second, places: undefined, next: known };
    this.#runs.set(first, run);
    const group = this.#lengths.get(length);
    if (group) {
      group.push(run);
    } else {
      this.#lengths.set(length, [run]);
    }
    return run;
  }

  #hashOf(start: number, length: number, base: number): number {
    let hash = 0;
    for (let at = start; at < start + length; at++) {
      hash = (Math.imul(hash, base) + scramble(this.#wanted[at] ?? 0)) | 0;
    }
    return hash;
  }

  /**
   * All places of a run, ascending. They are told by two hashes: `matchesAt` proves the one that is used.
   *
   * @throws BudgetExceeded
   */
  placesOf(run: Run): readonly number[] {
    run.places ??= this.#probe(run);
    if (run.places === undefined) {
      this.#searchAll(run.length);
    }
    return run.places ?? [];
  }

  matchesAt(run: Run, place: number): boolean {
    return place + run.length <= this.#ids.length && areEqual(this.#ids, place, this.#wanted, run.start, run.length);
  }

  /** Looks where the run's rarest item is; undefined when that is in too many places. */
  #probe(run: Run): number[] | undefined {
    let rarest = 0;
    let count = Number.POSITIVE_INFINITY;
    for (let offset = 0; offset < run.length && count > 1; offset++) {
      const occurrences = this.#occurrencesOf(this.#wanted[run.start + offset] ?? 0);
      if (occurrences < count) {
        [rarest, count] = [offset, occurrences];
      }
    }
    if (count > MAX_PROBES) {
      return undefined;
    }
    const from = this.#from[this.#wanted[run.start + rarest] ?? 0] ?? 0;
    const places: number[] = [];
    for (let at = from; at < from + count; at++) {
      const place = (this.#places[at] ?? 0) - rarest;
      if (place >= 0 && place + run.length <= this.#ids.length && this.#hasHashes(run, place)) {
        places.push(place);
      }
    }
    return places;
  }

  #occurrencesOf(id: number): number {
    return (this.#from[id + 1] ?? 0) - (this.#from[id] ?? 0);
  }

  #hasHashes({ length, first, second }: Run, place: number): boolean {
    return (
      windowHash(this.#prefixes[0], place, length, power(BASES[0], length)) === first &&
      windowHash(this.#prefixes[1], place, length, power(BASES[1], length)) === second
    );
  }

  /** One pass over the sequence for all runs of a length. */
  #searchAll(length: number): void {
    const wanted = new Map<number, { run: Run; places: number[] }[]>();
    // Most windows hash to none of the runs: a table of bits tells faster than a map.
    const seen = new Uint8Array(1 << 16);
    for (const run of this.#lengths.get(length) ?? []) {
      run.places ??= this.#probe(run);
      if (run.places === undefined) {
        const places: number[] = [];
        run.places = places;
        wanted.set(run.first, [...(wanted.get(run.first) ?? []), { run, places }]);
        seen[run.first & 0xffff] = 1;
      }
    }
    const last = this.#ids.length - length;
    this.budget.spend(Math.max(0, last));
    const [first, second] = this.#prefixes;
    const [firstPower, secondPower] = [power(BASES[0], length), power(BASES[1], length)];
    for (let place = 0; place <= last; place++) {
      const hash = windowHash(first, place, length, firstPower);
      if (seen[hash & 0xffff] === 0) {
        continue;
      }
      for (const { run, places } of wanted.get(hash) ?? []) {
        if (windowHash(second, place, length, secondPower) === run.second) {
          places.push(place);
          this.budget.spend(PLACE_STEPS);
        }
      }
    }
  }
}

function areEqual(a: Int32Array, aFrom: number, b: Int32Array, bFrom: number, length: number): boolean {
  for (let at = 0; at < length; at++) {
    if (a[aFrom + at] !== b[bFrom + at]) {
      return false;
    }
  }
  return true;
}

/** Spreads small numbers over all 32 bits (the finalizer of MurmurHash3). */
function scramble(id: number): number {
  let mixed = id + 1;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function prefixHashes(ids: Int32Array, base: number): Int32Array {
  const hashes = new Int32Array(ids.length + 1);
  let hash = 0;
  for (let at = 0; at < ids.length; at++) {
    hash = (Math.imul(hash, base) + scramble(ids[at] ?? 0)) | 0;
    hashes[at + 1] = hash;
  }
  return hashes;
}

function windowHash(prefixes: Int32Array, place: number, length: number, baseToLength: number): number {
  return ((prefixes[place + length] ?? 0) - Math.imul(prefixes[place] ?? 0, baseToLength)) | 0;
}

function power(base: number, exponent: number): number {
  let result = 1;
  let square = base;
  for (let left = exponent; left > 0; left >>>= 1) {
    result = (left & 1) === 1 ? Math.imul(result, square) : result;
    square = Math.imul(square, square);
  }
  return result;
}
