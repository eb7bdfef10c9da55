import { findRuns } from "../match/search.js";
import type { WorkBudget } from "./workBudget.js";

/** Lines compared in the time of one search step. */
const LINES_PER_STEP = 4;

/** Finds lines, and runs of lines, by their text. Line numbers are 0-based and ascend. */
export class LineIndex {
  /** The first line with each text. */
  readonly #first = new Map<string, number>();
  /** For each line: the next line with the same text, or -1; the last one; their number from this line on. */
  readonly #next: Int32Array;
  readonly #last: Int32Array;
  readonly #count: Int32Array;
  readonly #runs = new Map<string, readonly number[]>();

  constructor(texts: readonly string[]) {
    this.#next = new Int32Array(texts.length);
    this.#last = new Int32Array(texts.length);
    this.#count = new Int32Array(texts.length);
    for (let line = texts.length - 1; line >= 0; line--) {
      const text = texts[line] ?? "";
      const next = this.#first.get(text);
      this.#first.set(text, line);
      this.#next[line] = next ?? -1;
      this.#last[line] = next === undefined ? line : (this.#last[next] ?? line);
      this.#count[line] = next === undefined ? 1 : (this.#count[next] ?? 0) + 1;
    }
  }

  /** Returns the lines with a text. */
  linesOf(text: string): number[] {
    const lines: number[] = [];
    for (let line = this.#first.get(text) ?? -1; line >= 0; line = this.#next[line] ?? -1) {
      lines.push(line);
    }
    return lines;
  }

  /**
   * Returns the lines on which runs of these texts start; runs may overlap.
   *
   * @throws BudgetExceeded
   */
  placesOf(texts: readonly string[], budget?: WorkBudget): readonly number[] {
    const run = new Int32Array(texts.length);
    let rarest = { offset: 0, first: 0, count: Number.POSITIVE_INFINITY };
    for (const [offset, text] of texts.entries()) {
      const first = this.#first.get(text);
      if (first === undefined) {
        return [];
      }
      run[offset] = this.#last[first] ?? 0;
      const count = this.#count[first] ?? 0;
      rarest = count < rarest.count ? { offset, first, count } : rarest;
    }
    const key = run.join();
    const places = this.#runs.get(key) ?? this.#findRun(run, rarest, budget);
    this.#runs.set(key, places);
    return places;
  }

  /** Checks around each place of a run's rarest line, or all lines if that is less work. */
  #findRun(
    run: Int32Array,
    rarest: { offset: number; first: number; count: number },
    budget?: WorkBudget,
  ): readonly number[] {
    const steps = Math.min(rarest.count * run.length, this.#last.length);
    budget?.spend(steps / LINES_PER_STEP);
    if (steps === this.#last.length) {
      return findRuns(this.#last, run);
    }
    const places: number[] = [];
    for (let line = rarest.first; line >= 0; line = this.#next[line] ?? -1) {
      const start = line - rarest.offset;
      let same = 0;
      while (same < run.length && this.#last[start + same] === run[same]) {
        same++;
      }
      if (same === run.length) {
        places.push(start);
      }
    }
    return places;
  }
}
