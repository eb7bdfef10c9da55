import { firstChangeOf } from "../../features/changes/journal/parts.js";
import type { JournalQueries } from "../../features/changes/journal/queries.js";
import type { TurnFile } from "../../features/changes/journal/types.js";

/** Maximum number of remembered parts; the journal drops old changes, too. */
const MAX_PARTS = 10_000;

export type PartState = "open" | "kept" | "undone";

/** Parts of changes, by their keys, that the user has kept or undone one by one. */
export class SettledParts {
  /** By key: the journal's id of the call that undid it; null if it was kept. */
  readonly #parts: Map<string, number | null>;
  readonly #changes: Set<number>;

  /** @param stored what `stored` returned, or anything else */
  constructor(stored?: unknown) {
    const entries = Array.isArray(stored) ? (stored as unknown[]) : [];
    this.#parts = new Map(
      entries.flatMap((entry): [string, number | null][] => {
        const [key, call] = Array.isArray(entry) ? (entry as unknown[]) : [];
        return typeof key === "string" && (call === null || typeof call === "number") ? [[key, call]] : [];
      }),
    );
    this.#changes = new Set([...this.#parts.keys()].map(firstChangeOf));
  }

  /** Returns them in a form that can be stored. */
  stored(): [string, number | null][] {
    return [...this.#parts].slice(-MAX_PARTS);
  }

  /** @param undoneBy the journal's id of the call that undid them; if absent, they were kept */
  settle(keys: readonly string[], undoneBy?: number): void {
    for (const key of keys) {
      this.#parts.delete(key);
      this.#parts.set(key, undoneBy ?? null);
      this.#changes.add(firstChangeOf(key));
    }
  }

  /** Whether one of some changes may have settled parts. */
  concerns(changes: readonly number[]): boolean {
    return changes.some((change) => this.#changes.has(change));
  }

  /**
   * Returns what turns did to files in which parts are settled, oldest first.
   *
   * @param first among changes from this id
   * @param last up to this one
   */
  filesIn(journal: JournalQueries, first: number, last: number): TurnFile[] {
    const changes = [...this.#changes].filter((id) => id >= first && id <= last);
    const turns = new Map(journal.callsOf(changes).map((call) => [JSON.stringify([call.session, call.turn]), call]));
    return [...turns.values()].flatMap((turn) =>
      journal.files(
        journal.changes(journal.calls(turn).map(({ id }) => id)).filter(({ id }) => id >= first && id <= last),
      ),
    );
  }

  /** Returns those of some parts that are neither kept nor undone. */
  openOf(keys: readonly string[], journal: Pick<JournalQueries, "changes">): string[] {
    return keys.filter((key) => this.stateOf(key, journal) === "open");
  }

  /** Returns a part's state. Whoever redoes what was undone has it to look at again. */
  stateOf(key: string, journal: Pick<JournalQueries, "changes">): PartState {
    const undoneBy = this.#parts.get(key);
    if (undoneBy === undefined) {
      return "open";
    }
    const undo = undoneBy === null ? [] : journal.changes([undoneBy]);
    // An undo that is no longer in the journal can no longer be taken back either.
    return undoneBy === null
      ? "kept"
      : undo.every((change) => change.undoneBy !== undefined) && undo.length > 0
        ? "open"
        : "undone";
  }
}
