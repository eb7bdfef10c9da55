import type { Store } from "../../ports/store.js";

/**
 * Records how far the times of schedules have been dealt with, and in which sessions they run. Shared by all processes
 * that use a workspace's state: if several find a time due, one of them moves the schedule on, and runs it.
 *
 * All methods throw `ToolError` as `Store` does.
 */
export class ScheduleRuns {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Returns the time up to which a schedule is dealt with: `now` if it is new or its content has changed.
   *
   * @param hash of its content
   * @param now milliseconds since 1970, like the result
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

  /** Moves a schedule on to a time. @returns whether this call did: of several at the same time, only one does */
  moveOn(document: string, to: number): boolean {
    return (
      this.#store.run("UPDATE schedule_runs SET since = ? WHERE document = ? AND since < ?", to, document, to).changes >
      0
    );
  }

  /** Restarts a schedule: what was due before no longer counts. */
  forget(document: string): void {
    this.#store.run("DELETE FROM schedule_runs WHERE document = ?", document);
  }

  /** Returns the session with a name; the first time, `make` creates it. */
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
