import { foldLookAlikes, hasLookAlikes } from "../match/lookAlikes.js";
import { compose, hasForms } from "../unicodeForm.js";
import type { Reading, Tier } from "./readings.js";
import type { Run } from "./runSearch.js";
import { RunSearch } from "./runSearch.js";
import type { SourceLines } from "./sourceLines.js";
import type { WorkBudget } from "./workBudget.js";

/** The lines of a file and of readings as numbers: equal ones, as a tier sees them, have the same. */
export class TierIndex {
  readonly search: RunSearch;
  readonly #runs = new Map<Reading, Run>();

  /** @param readings all that will be looked for */
  constructor(source: SourceLines, tier: Tier, readings: readonly Reading[], budget: WorkBudget) {
    // Only the lines of hunks have a number of their own; all others of the file are 0.
    const numbers = new Map<string, number>();
    const wanted = new Int32Array(readings.reduce((sum, { oldTexts }) => sum + oldTexts.length, 0));
    let at = 0;
    for (const text of foldAll(readings, tier)) {
      const number = numbers.get(text) ?? numbers.size + 1;
      if (number > numbers.size) {
        numbers.set(text, number);
      }
      wanted[at++] = number;
    }
    const texts = source.textsIn(tier);
    const ids = new Int32Array(texts.length);
    for (let line = 0; line < ids.length; line++) {
      ids[line] = numbers.get(texts[line] ?? "") ?? 0;
    }
    this.search = new RunSearch(ids, numbers.size + 1, wanted, budget);
    let start = 0;
    for (const reading of readings) {
      this.#runs.set(reading, this.search.add(start, reading.oldTexts.length));
      start += reading.oldTexts.length;
    }
  }

  runOf(reading: Reading): Run | undefined {
    return this.#runs.get(reading);
  }
}

/** The old lines of readings, one after the other, as a tier sees them. */
function* foldAll(readings: readonly Reading[], tier: Tier): Generator<string> {
  const isFolded =
    (tier === "look_alikes" || tier === "unicode_form") &&
    readings.some(({ oldTexts }) => oldTexts.some(hasLookAlikes));
  // Folded all at once: a call costs more than a line.
  const folded = isFolded ? foldLookAlikes(readings.map(({ oldTexts }) => oldTexts.join("\n")).join("\n")) : "";
  let from = 0;
  for (const { oldTexts } of readings) {
    for (const text of oldTexts) {
      const seen = isFolded ? folded.slice(from, from + text.length) : text;
      from += text.length + 1;
      yield asSeen(seen, tier);
    }
  }
}

function asSeen(text: string, tier: Tier): string {
  switch (tier) {
    case "exact":
      return text;
    case "indentation":
      return text.trim();
    case "unicode_form":
      return hasForms(text) ? compose(text.trimEnd()).text : text.trimEnd();
    case "trailing_blanks":
    case "look_alikes":
      return text.trimEnd();
  }
}
