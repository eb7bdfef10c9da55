import { diagnose } from "./diagnose.js";
import type { Hunk } from "./filePatch.js";
import { HeaderIndex } from "./headerIndex.js";
import type { HunkError } from "./hunkError.js";
import type { Location, Place, Scope } from "./locate.js";
import { locate, locateInsertion } from "./locate.js";
import type { Reading, Tier } from "./readings.js";
import { bareReadings, markedReadings, TIERS } from "./readings.js";
import type { Run, RunSearch } from "./runSearch.js";
import type { SourceLines } from "./sourceLines.js";
import { TierIndex } from "./tierIndex.js";
import { BudgetExceeded, WorkBudget } from "./workBudget.js";

/** Steps of searching, a few nanoseconds each: enough for 10,000 hunks on 100,000 lines, and less than a tenth of a second. */
const MAX_STEPS = 15_000_000;

/** Whoever repairs a patch is told of this many hunks at once. */
const MAX_ERRORS = 5;

/** Lines named that begin with a header which no line is. */
const MAX_BEGINNINGS = 5;

/** Places named in an error. */
const MAX_LISTED = 100;

/** The place of every hunk in the original, or why some have none: at most five errors, in the order of the hunks. */
export function locateAll(source: SourceLines, hunks: readonly Hunk[]): { places: Place[]; errors: HunkError[] } {
  const locator = new Locator(source, hunks);
  const places: Place[] = [];
  const errors: HunkError[] = [];
  for (let index = 0; index < hunks.length && errors.length < MAX_ERRORS; index++) {
    try {
      const found = locator.locate(index);
      if ("at" in found) {
        places.push(found);
      } else {
        errors.push(found);
      }
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) {
        throw error;
      }
      errors.push({ hunk: index + 1, patchLine: hunks[index]?.line ?? 0, type: "too_complex" });
      break;
    }
  }
  return { places, errors };
}

/** Most patches that fail do so soon: of the looser ways to take hunks only this many are worked out at first, then all. */
const FIRST_BATCH = 16;

/** Hunks from one index up to another, made ready to be looked for. */
interface Batch {
  from: number;
  to: number;
  index: TierIndex;
}

/** Looks for one hunk after the other; what it learns of the file on the way is kept for the next. */
class Locator {
  readonly #source: SourceLines;
  readonly #hunks: readonly Hunk[];
  readonly #budget = new WorkBudget(MAX_STEPS);
  readonly #marked: readonly Reading[][];
  readonly #headers: HeaderIndex;
  readonly #bare: (readonly Reading[] | undefined)[] = [];
  readonly #batches = new Map<string, Batch[]>();

  constructor(source: SourceLines, hunks: readonly Hunk[]) {
    this.#source = source;
    this.#hunks = hunks;
    this.#marked = hunks.map(markedReadings);
    this.#headers = new HeaderIndex(source, hunks.flatMap((hunk) => hunk.headers), this.#budget);
  }

  /** @throws BudgetExceeded */
  locate(index: number): Place | HunkError {
    const hunk = this.#hunks[index];
    const [literal] = this.#marked[index] ?? [];
    if (!hunk || !literal) {
      throw new RangeError(`There is no hunk ${index}.`);
    }
    const where = { hunk: index + 1, patchLine: hunk.line };
    const scope = hunk.headers.length > 0 ? this.#headers.scopeOf(hunk.headers) : undefined;
    if (scope?.ok === false) {
      return { ...where, type: "header_missing", header: scope.header, beginnings: this.#linesThatBegin(scope.header), elsewhere: scope.elsewhere.slice(0, MAX_LISTED).map(oneBased) };
    }
    const excluded: number[] = [];
    for (const found of this.#attempts(index, hunk, scope)) {
      if (found === undefined) {
        return { ...where, type: "no_anchor" };
      }
      const checked = found.kind === "found" ? this.#withoutSpacing(index, hunk, found, scope) : found;
      if (checked.kind === "found") {
        return checked.place;
      }
      if (checked.kind === "several") {
        return { ...where, type: "not_unique", lines: checked.places.slice(0, MAX_LISTED).map(oneBased), count: checked.places.length };
      }
      if (excluded.length === 0) {
        excluded.push(...checked.excluded.slice(0, MAX_LISTED));
      }
    }
    const ruledOutBy = excluded.length === 0 ? {} : { ruledOutBy: hunk.atEnd === "no" ? ("header" as const) : ("end_of_file" as const) };
    return { ...where, type: "no_match", excluded: excluded.map(oneBased), ...ruledOutBy, ...diagnose(this.#source, hunk, literal, excluded[0]) };
  }

  /** The hunk as it is marked in every tier, then without empty lines around it, then as if its context had lost its space. */
  *#attempts(index: number, hunk: Hunk, scope: Scope): Generator<Location | undefined> {
    for (const reading of this.#readingsOf(index, false)) {
      yield* this.#inTiers(index, hunk, reading, scope);
    }
    for (const reading of this.#readingsOf(index, true)) {
      yield* this.#inTiers(index, hunk, reading, scope);
    }
  }

  #linesThatBegin(header: string): number[] {
    const lines: number[] = [];
    for (let line = 0; line < this.#source.length && lines.length < MAX_BEGINNINGS; line++) {
      if (this.#source.texts[line]?.trimStart().startsWith(header) === true) {
        lines.push(line + 1);
      }
    }
    return lines;
  }

  #readingsOf(index: number, isBare: boolean): readonly Reading[] {
    const hunk = this.#hunks[index];
    return isBare ? (this.#bare[index] ??= hunk ? bareReadings(hunk) : []) : (this.#marked[index] ?? []);
  }

  *#inTiers(index: number, hunk: Hunk, reading: Reading, scope: Scope): Generator<Location | undefined> {
    if (reading.oldTexts.length === 0) {
      yield locateInsertion(this.#source, hunk, reading, scope);
      return;
    }
    for (const tier of TIERS) {
      yield this.#inTier(tier, index, hunk, reading, scope);
    }
  }

  #inTier(tier: Tier, index: number, hunk: Hunk, reading: Reading, scope: Scope): Location {
    const { search, run } = this.#indexed(tier, index, reading);
    return locate(this.#source, search, run, hunk, reading, tier, scope);
  }

  #indexed(tier: Tier, hunk: number, reading: Reading): { search: RunSearch; run: Run } {
    const key = `${tier} ${String(reading.isBare)}`;
    const batches = this.#batches.get(key) ?? [];
    this.#batches.set(key, batches);
    let batch = batches.find(({ from, to }) => hunk >= from && hunk < to);
    if (!batch) {
      const isFirst = batches.length === 0 && (tier !== "exact" || reading.isBare);
      batch = this.#makeBatch(tier, reading.isBare, hunk, isFirst ? hunk + FIRST_BATCH : this.#hunks.length);
      batches.push(batch);
    }
    const run = batch.index.runOf(reading);
    if (!run) {
      throw new RangeError("The reading is of another patch.");
    }
    return { search: batch.index.search, run };
  }

  #makeBatch(tier: Tier, isBare: boolean, from: number, to: number): Batch {
    const readings: Reading[] = [];
    for (let index = from; index < Math.min(to, this.#hunks.length); index++) {
      readings.push(...this.#readingsOf(index, isBare));
    }
    return { from, to, index: new TierIndex(this.#source, tier, readings, this.#budget) };
  }

  /** Empty lines around a hunk may be only spacing: they do not decide between places. */
  #withoutSpacing(index: number, hunk: Hunk, found: Extract<Location, { kind: "found" }>, scope: Scope): Location {
    const { reading, tier } = found.place;
    const tight = this.#readingsOf(index, reading.isBare).at(-1);
    if (!tight || tight === reading || reading.oldTexts.length === 0) {
      return found;
    }
    const location = this.#inTier(tier, index, hunk, tight, scope);
    return location.kind === "several" ? location : found;
  }
}

function oneBased(line: number): number {
  return line + 1;
}
