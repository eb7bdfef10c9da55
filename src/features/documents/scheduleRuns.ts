import type { Store } from "../../ports/store.js";

/**
 * How far the times of schedules are dealt with, and in which sessions they are said. It is the same for all processes
 * on a workspace's state, and of those that find a time due at once, one moves the schedule on: that one runs it.
 *
 * All methods throw `ToolError` as `Store` does.
 */
export class ScheduleRuns {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Up to which moment a schedule is dealt with: `now` when it is new or has another content than before.
   *
   * @param hash of its content
   * @param now milliseconds since 1970, as what it gives
   */
  since(document: string, hash: string, now: number): number {
    const known = this.#known(document, hash);
    if (known !== undefined) {
      return known;
    }
    return this.#store.transaction(() => {
      // Another process may have been faster.
      const theirs = this.#known(document, hash);
      if (theirs === undefined) {
        this.#store.run(
          "INSERT OR REPLACE INTO schedule_runs (document, hash, since) VALUES (?, ?, ?)",
          document,
          hash,
          now,
        );
      }
      return theirs ?? now;
    });
  }

  /** Moves a schedule on to a moment. @returns whether this call did: of many at once, one does */
  moveOn(document: string, to: number): boolean {
    return (
      this.#store.run("UPDATE schedule_runs SET since = ? WHERE document = ? AND since < ?", to, document, to).changes >
      0
    );
  }

  /** Begins a schedule anew: what was due before counts no more. */
  forget(document: string): void {
    this.#store.run("DELETE FROM schedule_runs WHERE document = ?", document);
  }

  /** The session of a name; made by `make` the first time. */
  session(name: string, make: () => string): string {
    return this.#store.transaction(() => {
      const known = this.#store.get<{ session: string }>(
        "SELECT session FROM schedule_sessions WHERE name = ?",
        name,
      )?.session;
      if (known !== undefined) {
        return known;
      }
      const session = make();
      this.#store.run("INSERT INTO schedule_sessions (name, session) VALUES (?, ?)", name, session);
      return session;
    });
  }

  #known(document: string, hash: string): number | undefined {
    return this.#store.get<{ since: number }>(
      "SELECT since FROM schedule_runs WHERE document = ? AND hash = ?",
      document,
      hash,
    )?.since;
  }
}
