import { compareCodeUnits } from "../../text/nearest.js";

/** Runs work for one key after another, for different keys side by side. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Waits for all work with the same key that was begun before, then runs this. */
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
   * The same for several keys at once. Whoever takes them takes them in one order, so that no two wait for each other.
   */
  runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const [key, ...rest] = [...new Set(keys)].sort(compareCodeUnits);
    return key === undefined ? work() : this.run(key, () => this.runAll(rest, work));
  }
}
