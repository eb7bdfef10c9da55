import { diagnose } from "./diagnose.js";
import type { Hunk } from "./filePatch.js";
import type { HeaderScope } from "./headerIndex.js";
import { HeaderIndex } from "./headerIndex.js";
import type { HunkError } from "./hunkError.js";
import type { Location, Place } from "./locate.js";
import { locate, locateInsertion } from "./locate.js";
import type { Reading, Tier } from "./readings.js";
import { literalReading, otherReadings, TIERS } from "./readings.js";
import type { SourceLines } from "./sourceLines.js";
import { TierIndex } from "./tierIndex.js";
import { BudgetExceeded, WorkBudget } from "./workBudget.js";

/** Steps of searching, a few nanoseconds each: enough for 10,000 hunks on 100,000 lines, and less than a tenth of a second. */
const MAX_STEPS = 15_000_000;

/** Whoever repairs a patch is told of this many hunks at once. */
const MAX_ERRORS = 5;

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

/** Looks for one hunk after the other; what it learns of the file on the way is kept for the next. */
class Locator {
  readonly #source: SourceLines;
  readonly #hunks: readonly Hunk[];
  readonly #budget = new WorkBudget(MAX_STEPS);
  readonly #literal: readonly Reading[];
  readonly #headers: HeaderIndex;
  readonly #literalIndexes = new Map<Tier, TierIndex>();
  readonly #otherIndexes = new Map<Tier, TierIndex>();
  #others: readonly Reading[][] | undefined;

  constructor(source: SourceLines, hunks: readonly Hunk[]) {
    this.#source = source;
    this.#hunks = hunks;
    this.#literal = hunks.map(literalReading);
    this.#headers = new HeaderIndex(source, hunks.flatMap((hunk) => hunk.headers), this.#budget);
  }

  /** @throws BudgetExceeded */
  locate(index: number): Place | HunkError {
    const hunk = this.#hunks[index];
    if (!hunk) {
      throw new RangeError(`There is no hunk ${index}.`);
    }
    const where = { hunk: index + 1, patchLine: hunk.line };
    const scope = hunk.headers.length > 0 ? this.#headers.scopeOf(hunk.headers) : undefined;
    if (scope?.ok === false) {
      return { ...where, type: "header_missing", header: scope.header, elsewhere: scope.elsewhere.slice(0, MAX_LISTED).map(oneBased) };
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
    const literal = this.#literal[index] ?? literalReading(hunk);
    return { ...where, type: "no_match", excluded: excluded.map(oneBased), ...diagnose(this.#source, hunk, literal, excluded[0]) };
  }

  /** Empty lines around a hunk may be only spacing: they do not decide between places. */
  #withoutSpacing(index: number, hunk: Hunk, found: Extract<Location, { kind: "found" }>, scope: Extract<HeaderScope, { ok: true }> | undefined): Location {
    const { reading, tier } = found.place;
    const isTight = reading.skippedBefore === hunk.looseBefore && reading.skippedAfter === hunk.looseAfter;
    if (isTight || reading.oldTexts.length === 0) {
      return found;
    }
    this.#others ??= this.#hunks.map(otherReadings);
    const others = this.#others[index] ?? [];
    const tight = others.find(
      ({ isBare, skippedBefore, skippedAfter }) =>
        isBare === reading.isBare && skippedBefore === hunk.looseBefore && skippedAfter === hunk.looseAfter,
    );
    const usedTier = TIERS.find(({ name }) => name === tier);
    if (!tight || !usedTier || tight.oldTexts.length === 0) {
      return found;
    }
    const tiers = this.#otherIndex(usedTier);
    const location = locate(this.#source, tiers.search, tiers.idsOf(tight), hunk, tight, tier, scope);
    return location.kind === "several" ? location : found;
  }

  /** The hunk as it is written in every tier, then the other ways to take it. */
  *#attempts(index: number, hunk: Hunk, scope: Extract<HeaderScope, { ok: true }> | undefined): Generator<Location | undefined> {
    const literal = this.#literal[index];
    yield* literal ? this.#inTiers(hunk, literal, scope, (tier) => this.#literalIndex(tier)) : [];
    this.#others ??= this.#hunks.map(otherReadings);
    for (const reading of this.#others[index] ?? []) {
      yield* this.#inTiers(hunk, reading, scope, (tier) => this.#otherIndex(tier));
    }
  }

  *#inTiers(
    hunk: Hunk,
    reading: Reading,
    scope: Extract<HeaderScope, { ok: true }> | undefined,
    indexOf: (tier: Tier) => TierIndex,
  ): Generator<Location | undefined> {
    if (reading.oldTexts.length === 0) {
      yield locateInsertion(this.#source, hunk, reading, scope);
      return;
    }
    for (const tier of TIERS) {
      const index = indexOf(tier);
      yield locate(this.#source, index.search, index.idsOf(reading), hunk, reading, tier.name, scope);
    }
  }

  #literalIndex(tier: Tier): TierIndex {
    const index = this.#literalIndexes.get(tier) ?? new TierIndex(this.#source, tier, this.#literal, this.#budget);
    this.#literalIndexes.set(tier, index);
    return index;
  }

  #otherIndex(tier: Tier): TierIndex {
    const index = this.#otherIndexes.get(tier) ?? new TierIndex(this.#source, tier, (this.#others ?? []).flat(), this.#budget);
    this.#otherIndexes.set(tier, index);
    return index;
  }
}

function oneBased(line: number): number {
  return line + 1;
}
