import { diagnose } from "./diagnose.js";
import type { Hunk } from "./filePatch.js";
import { HeaderIndex } from "./headerIndex.js";
import type { HunkError } from "./hunkError.js";
import type { Location, Place, Scope } from "./locate.js";
import { locate, locateInsertion } from "./locate.js";
import type { Reading, ReadingKind, Tier } from "./readings.js";
import { bareReadings, endReadings, markedReadings, TIERS } from "./readings.js";
import type { Run, RunSearch } from "./runSearch.js";
import type { SourceLines } from "./sourceLines.js";
import { TierIndex } from "./tierIndex.js";
import { BudgetExceeded, WorkBudget } from "./workBudget.js";

/**
 * Steps of searching, a few nanoseconds each: enough for 10,000 hunks on 100,000 lines, and less than a tenth of a
 * second.
 */
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
  return { places, errors: errors.length > 0 ? errors : misnumbered(hunks, places) };
}

/** Insertions whose place only a line number tells, in a patch whose other numbers are wrong. */
function misnumbered(hunks: readonly Hunk[], places: readonly Place[]): HunkError[] {
  const isWrong = hunks.some(({ oldStart }, index) => {
    const place = places[index];
    return (
      place !== undefined &&
      oldStart !== undefined &&
      place.reading.oldTexts.length > 0 &&
      place.at !== oldStart - 1 + place.reading.skippedBefore
    );
  });
  const isAlone = (_: Hunk, index: number): boolean => places[index]?.decided?.rule === "line_number_alone";
  return isWrong
    ? hunks
        .flatMap((hunk, index): HunkError[] =>
          isAlone(hunk, index) ? [{ hunk: index + 1, patchLine: hunk.line, type: "no_anchor" }] : [],
        )
        .slice(0, MAX_ERRORS)
    : [];
}

const READING_KINDS = ["marked", "bare", "at_end"] as const satisfies readonly ReadingKind[];

/**
 * Most patches that fail do so soon: of the looser ways to take hunks only this many are worked out at first, then all.
 */
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
  readonly #atEnd: (readonly Reading[] | undefined)[] = [];
  readonly #batches = new Map<string, Batch[]>();

  constructor(source: SourceLines, hunks: readonly Hunk[]) {
    this.#source = source;
    this.#hunks = hunks;
    this.#marked = hunks.map(markedReadings);
    this.#headers = new HeaderIndex(
      source,
      hunks.flatMap((hunk) => hunk.headers),
      this.#budget,
    );
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
      return {
        ...where,
        type: "header_missing",
        header: scope.header,
        beginnings: this.#linesThatBegin(scope.header),
        elsewhere: scope.elsewhere.slice(0, MAX_LISTED).map(oneBased),
      };
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
        return {
          ...where,
          type: "not_unique",
          lines: checked.places.slice(0, MAX_LISTED).map(oneBased),
          count: checked.places.length,
        };
      }
      if (excluded.length === 0) {
        excluded.push(...checked.excluded.slice(0, MAX_LISTED));
      }
    }
    const ruledOutBy =
      excluded.length === 0 ? {} : { ruledOutBy: hunk.atEnd === "no" ? ("header" as const) : ("end_of_file" as const) };
    return {
      ...where,
      type: "no_match",
      excluded: excluded.map(oneBased),
      ...ruledOutBy,
      ...diagnose(this.#source, hunk, literal, excluded[0]),
    };
  }

  /**
   * The hunk as it is marked in every tier, then without empty lines around it, then as if its context had lost its
   * space, then as the end of the file. Only where all of this finds nothing, with another indentation: context that
   * lost its space has one, too.
   */
  *#attempts(index: number, hunk: Hunk, scope: Scope): Generator<Location | undefined> {
    for (const kind of READING_KINDS) {
      for (const reading of this.#readingsOf(index, kind)) {
        yield* this.#inTiers(index, hunk, kind, reading, scope);
      }
    }
    for (const reading of this.#readingsOf(index, "marked")) {
      if (reading.oldTexts.length > 0) {
        yield this.#inTier("indentation", index, hunk, "marked", reading, scope);
      }
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

  #readingsOf(index: number, kind: ReadingKind): readonly Reading[] {
    const hunk = this.#hunks[index];
    switch (kind) {
      case "marked":
        return this.#marked[index] ?? [];
      case "bare":
        return (this.#bare[index] ??= hunk ? bareReadings(hunk) : []);
      case "at_end":
        return (this.#atEnd[index] ??= hunk ? endReadings(hunk) : []);
    }
  }

  *#inTiers(
    index: number,
    hunk: Hunk,
    kind: ReadingKind,
    reading: Reading,
    scope: Scope,
  ): Generator<Location | undefined> {
    if (reading.oldTexts.length === 0) {
      yield locateInsertion(this.#source, hunk, reading, scope);
      return;
    }
    for (const tier of TIERS) {
      if (tier !== "indentation") {
        yield this.#inTier(tier, index, hunk, kind, reading, scope);
      }
    }
  }

  #inTier(tier: Tier, index: number, hunk: Hunk, kind: ReadingKind, reading: Reading, scope: Scope): Location {
    const { search, run } = this.#indexed(tier, index, kind, reading);
    return locate(this.#source, search, run, hunk, reading, tier, scope);
  }

  #indexed(tier: Tier, hunk: number, kind: ReadingKind, reading: Reading): { search: RunSearch; run: Run } {
    const key = `${tier} ${kind}`;
    const batches = this.#batches.get(key) ?? [];
    this.#batches.set(key, batches);
    let batch = batches.find(({ from, to }) => hunk >= from && hunk < to);
    if (!batch) {
      const isFirst = batches.length === 0 && (tier !== "exact" || kind !== "marked");
      batch = this.#makeBatch(tier, kind, hunk, isFirst ? hunk + FIRST_BATCH : this.#hunks.length);
      batches.push(batch);
    }
    const run = batch.index.runOf(reading);
    if (!run) {
      throw new RangeError("The reading is of another patch.");
    }
    return { search: batch.index.search, run };
  }

  #makeBatch(tier: Tier, kind: ReadingKind, from: number, to: number): Batch {
    const readings: Reading[] = [];
    for (let index = from; index < Math.min(to, this.#hunks.length); index++) {
      readings.push(...this.#readingsOf(index, kind));
    }
    return { from, to, index: new TierIndex(this.#source, tier, readings, this.#budget) };
  }

  /** Empty lines around a hunk may be only spacing: they do not decide between places. */
  #withoutSpacing(index: number, hunk: Hunk, found: Extract<Location, { kind: "found" }>, scope: Scope): Location {
    const { reading, tier } = found.place;
    const kind = reading.isBare ? "bare" : "marked";
    const tight = this.#readingsOf(index, kind).at(-1);
    if (!tight || tight === reading || reading.oldTexts.length === 0 || reading.isLastLine) {
      return found;
    }
    const location = this.#inTier(tier, index, hunk, kind, tight, scope);
    return location.kind === "several" ? location : found;
  }
}

function oneBased(line: number): number {
  return line + 1;
}
