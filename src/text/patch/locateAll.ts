import { diagnose } from "./diagnose.js";
import type { Hunk } from "./filePatch.js";
import { HeaderIndex } from "./headerIndex.js";
import type { HunkError } from "./hunkError.js";
import type { Location, Place, Scope } from "./locate.js";
import { locate, locateInsertion } from "./locate.js";
import type { Reading } from "./readings.js";
import { bareReadings, endReadings, markedReadings, TIERS } from "./readings.js";
import type { SourceLines } from "./sourceLines.js";
import { BudgetExceeded, WorkBudget } from "./workBudget.js";

/** Search steps of a few nanoseconds each: enough for 10,000 hunks on 100,000 lines, and less than 0.1 s in all. */
const MAX_STEPS = 15_000_000;

/** Maximum number of hunk errors reported together. */
const MAX_ERRORS = 5;

/** Maximum number of lines listed that begin with the text of a header that no whole line matches. */
const MAX_BEGINNINGS = 5;

/** Maximum number of places listed in an error. */
const MAX_LISTED = 100;

/** Finds every hunk's place in the original, or why some have none: at most five errors, in hunk order. */
export function locateAll(source: SourceLines, hunks: readonly Hunk[]): { places: Place[]; errors: HunkError[] } {
  const locator = new Locator(source);
  const places: Place[] = [];
  const errors: HunkError[] = [];
  for (const [index, hunk] of hunks.entries()) {
    if (errors.length === MAX_ERRORS) {
      break;
    }
    try {
      const found = locator.locate(hunk, index + 1);
      if ("at" in found) {
        places.push(found);
      } else {
        errors.push(found);
      }
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) {
        throw error;
      }
      errors.push({ hunk: index + 1, patchLine: hunk.line, type: "too_complex" });
      break;
    }
  }
  return { places, errors: errors.length > 0 ? errors : misnumbered(hunks, places) };
}

/** Finds insertions located only by a line number, in a patch whose other line numbers turned out to be wrong. */
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

/** Locates one hunk after another, and reuses what earlier searches found out about the file. */
class Locator {
  readonly #source: SourceLines;
  readonly #budget = new WorkBudget(MAX_STEPS);
  readonly #headers: HeaderIndex;

  constructor(source: SourceLines) {
    this.#source = source;
    this.#headers = new HeaderIndex(source, this.#budget);
  }

  /** @throws BudgetExceeded */
  locate(hunk: Hunk, number: number): Place | HunkError {
    const where = { hunk: number, patchLine: hunk.line };
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
    for (const found of this.#attempts(hunk, scope)) {
      if (found === undefined) {
        return { ...where, type: "no_anchor" };
      }
      const checked = found.kind === "found" ? this.#withoutSpacing(hunk, found, scope) : found;
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
      ...diagnose(this.#source, hunk, excluded[0]),
    };
  }

  /**
   * Tries the hunk as marked in every tier, then without empty lines around it, then as if its context had lost its
   * space, then as the end of the file. Only if all of this finds nothing, tries another indentation, because context
   * that lost its space also has one.
   */
  *#attempts(hunk: Hunk, scope: Scope): Generator<Location | undefined> {
    for (const readingsOf of [markedReadings, bareReadings, endReadings]) {
      for (const reading of readingsOf(hunk)) {
        yield* this.#inTiers(hunk, reading, scope);
      }
    }
    for (const reading of markedReadings(hunk)) {
      if (reading.oldTexts.length > 0) {
        yield locate(this.#source, this.#budget, hunk, reading, "indentation", scope);
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

  *#inTiers(hunk: Hunk, reading: Reading, scope: Scope): Generator<Location | undefined> {
    if (reading.oldTexts.length === 0) {
      yield locateInsertion(this.#source, hunk, reading, scope);
      return;
    }
    for (const tier of TIERS) {
      if (tier !== "indentation") {
        yield locate(this.#source, this.#budget, hunk, reading, tier, scope);
      }
    }
  }

  /** Ignores empty lines around a hunk, which may be just spacing, when deciding between places. */
  #withoutSpacing(hunk: Hunk, found: Extract<Location, { kind: "found" }>, scope: Scope): Location {
    const { reading, tier } = found.place;
    const tight = (reading.isBare ? bareReadings : markedReadings)(hunk).at(-1);
    const isTight = tight?.skippedBefore === reading.skippedBefore && tight.skippedAfter === reading.skippedAfter;
    if (!tight || isTight || reading.oldTexts.length === 0 || reading.isLastLine) {
      return found;
    }
    const location = locate(this.#source, this.#budget, hunk, tight, tier, scope);
    return location.kind === "several" ? location : found;
  }
}

function oneBased(line: number): number {
  return line + 1;
}
