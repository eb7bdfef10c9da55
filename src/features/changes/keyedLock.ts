import { compareCodeUnits } from "../../text/nearest.js";

/** Runs work for the same key one after another, for different keys in parallel. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Waits for all earlier work with the same key, then runs this. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) {
        this.#last.delete(key);
      }
    }
  }

  /**
   * Does the same for several keys together. Keys are always taken in the same order, so that no two callers deadlock.
   */
  runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    // Sorted once: a command may have changed thousands of files.
    const sorted = [...new Set(keys)].sort(compareCodeUnits);
    const from = (at: number): Promise<T> => {
      const key = sorted[at];
      return key === undefined ? work() : this.run(key, () => from(at + 1));
    };
    return from(0);
  }
}
