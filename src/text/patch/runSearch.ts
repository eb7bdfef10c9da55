import type { WorkBudget } from "./workBudget.js";

/** Odd numbers without a pattern in their bits. */
const BASES = [0x2c1b3c6d, 0x297a2d39] as const;

/** A line that occurs at most this often is the place to look at; beyond it all runs of one length are searched together. */
const MAX_PROBES = 8;

/** What keeping one place costs, in steps of the search. */
const PLACE_STEPS = 4;

/** A run of items that is looked for. */
export interface Run {
  ids: Int32Array;
  hashes: [number, number];
  places: readonly number[] | undefined;
}

/**
 * Finds runs of equal items in a sequence: all places of each, by rolling hashes. The runs are made known first, since all of one
 * length are found in one pass.
 */
export class RunSearch {
  readonly #ids: Int32Array;
  readonly #prefixes: readonly [Int32Array, Int32Array];
  readonly #runs = new Map<string, Run>();
  readonly #lengths = new Map<number, Run[]>();
  readonly budget: WorkBudget;
  /** Where each id occurs: `#places` from `#from[id]` up to `#from[id + 1]`. */
  readonly #from: Int32Array;
  readonly #places: Int32Array;

  /** @param ids the sequence; from 0 up to, without it, `idCount` */
  constructor(ids: Int32Array, idCount: number, budget: WorkBudget) {
    this.#ids = ids;
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
    ids.forEach((id, at) => {
      const next = from[id + 1] ?? 0;
      this.#places[next] = at;
      from[id + 1] = next + 1;
    });
    this.#from = from;
  }

  /** Makes a run known. All runs that will be asked for are best made known before the first one is. */
  add(ids: Int32Array): Run {
    const hashes: [number, number] = [hashOf(ids, BASES[0]), hashOf(ids, BASES[1])];
    const key = `${ids.length}:${hashes[0]}:${hashes[1]}`;
    const known = this.#runs.get(key);
    if (known && isEqual(known.ids, ids)) {
      return known;
    }
    const run: Run = { ids, hashes, places: undefined };
    this.#runs.set(key, run);
    const group = this.#lengths.get(ids.length);
    if (group) {
      group.push(run);
    } else {
      this.#lengths.set(ids.length, [run]);
    }
    return run;
  }

  /**
   * All places of a run, ascending. They are told by two hashes: `matchesAt` proves the one that is used.
   *
   * @throws BudgetExceeded
   */
  placesOf(run: Run): readonly number[] {
    run.places ??= this.#probe(run);
    if (run.places === undefined) {
      this.#searchAll(run.ids.length);
    }
    return run.places ?? [];
  }

  matchesAt(run: Run, place: number): boolean {
    return isEqual(this.#ids.subarray(place, place + run.ids.length), run.ids);
  }

  /** Looks where the run's rarest item is; undefined when that is in too many places. */
  #probe(run: Run): number[] | undefined {
    let rarest = 0;
    let count = Number.POSITIVE_INFINITY;
    for (const [offset, id] of run.ids.entries()) {
      const occurrences = this.#occurrencesOf(id);
      if (occurrences < count) {
        [rarest, count] = [offset, occurrences];
      }
    }
    if (count > MAX_PROBES) {
      return undefined;
    }
    const start = this.#from[run.ids[rarest] ?? 0] ?? 0;
    return [...this.#places.subarray(start, start + count)]
      .map((place) => place - rarest)
      .filter((place) => place >= 0 && place + run.ids.length <= this.#ids.length && this.#hasHashes(run, place));
  }

  #occurrencesOf(id: number): number {
    return id < 0 ? 0 : (this.#from[id + 1] ?? 0) - (this.#from[id] ?? 0);
  }

  #hasHashes(run: Run, place: number): boolean {
    const { length } = run.ids;
    return run.hashes.every((hash, at) => {
      const prefixes = this.#prefixes[at === 0 ? 0 : 1];
      return windowHash(prefixes, place, length, power(BASES[at === 0 ? 0 : 1], length)) === hash;
    });
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
        wanted.set(run.hashes[0], [...(wanted.get(run.hashes[0]) ?? []), { run, places }]);
        seen[run.hashes[0] & 0xffff] = 1;
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
        if (windowHash(second, place, length, secondPower) === run.hashes[1]) {
          places.push(place);
          this.budget.spend(PLACE_STEPS);
        }
      }
    }
  }
}

function isEqual(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) {
    return false;
  }
  for (let at = 0; at < a.length; at++) {
    if (a[at] !== b[at]) {
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

function hashOf(ids: Int32Array, base: number): number {
  let hash = 0;
  for (const id of ids) {
    hash = (Math.imul(hash, base) + scramble(id)) | 0;
  }
  return hash;
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
