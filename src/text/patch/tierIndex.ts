import type { Reading, Tier } from "./readings.js";
import { RunSearch } from "./runSearch.js";
import type { SourceLines } from "./sourceLines.js";
import type { WorkBudget } from "./workBudget.js";

/** The lines of a file as numbers: equal ones, as a tier sees them, have the same. */
export class TierIndex {
  readonly search: RunSearch;
  readonly #fold: Tier["fold"];
  /** Only the lines of hunks have a number of their own; all others of the file are 0. */
  readonly #numbers = new Map<string, number>();
  readonly #ids = new Map<Reading, Int32Array>();

  /** @param readings all that will be looked for */
  constructor(source: SourceLines, tier: Tier, readings: Iterable<Reading>, budget: WorkBudget) {
    this.#fold = tier.fold;
    const known = [...readings];
    for (const reading of known) {
      this.#ids.set(reading, this.#number(reading.oldTexts));
    }
    const ids = new Int32Array(source.length);
    for (let line = 0; line < ids.length; line++) {
      ids[line] = this.#numbers.get(tier.fold(source.texts[line] ?? "")) ?? 0;
    }
    this.search = new RunSearch(ids, this.#numbers.size + 1, budget);
    for (const reading of known) {
      this.search.add(this.idsOf(reading));
    }
  }

  idsOf(reading: Reading): Int32Array {
    return this.#ids.get(reading) ?? new Int32Array(0);
  }

  #number(texts: readonly string[]): Int32Array {
    const ids = new Int32Array(texts.length);
    for (let at = 0; at < ids.length; at++) {
      const text = this.#fold(texts[at] ?? "");
      const id = this.#numbers.get(text) ?? this.#numbers.size + 1;
      this.#numbers.set(text, id);
      ids[at] = id;
    }
    return ids;
  }
}
