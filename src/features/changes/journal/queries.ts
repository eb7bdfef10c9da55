import type { Store } from "../../../ports/store.js";
import { Blobs } from "./blobs.js";
import { changedLines } from "./changedLines.js";
import { compose, kindOf, type Effect } from "./compose.js";
import { sameRef, unpackImage } from "./images.js";
import { droppedOf } from "./prune.js";
import { changesOf, toCall, type CallRow } from "./rows.js";
import type { Dropped, Image, ImageRef, JournalTurn, RecordedCall, RecordedChange, TurnFile } from "./types.js";

/** The tool whose calls undo others. */
export const UNDO_TOOL = "undo";

/** Maximum number of image pairs whose changed lines are remembered: enough for a few lists. */
const KEPT_LINES = 1_000;

/** A turn of a session. */
export interface TurnKey {
  session: string;
  turn: string;
}

/** SQL condition on `calls`: calls that changed files, or may have, which is what people want listed. */
const CHANGED =
  "pending = 0 AND EXISTS (SELECT 1 FROM changes WHERE call = calls.id AND state IN ('applied', 'unknown'))";

/** The same, with those that changed what undo does not take back alone: their notes say what. */
const CHANGED_OR_NOTED =
  "pending = 0 AND (notes IS NOT NULL OR EXISTS (SELECT 1 FROM changes WHERE call = calls.id AND state IN ('applied', 'unknown')))";

/** Queries on the journal. Read-only. */
export class JournalQueries {
  readonly #store: Store;
  /** Changed lines by pair of images: a list is shown more often than it changes. */
  readonly #lines = new Map<string, { added: number; removed: number }>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns the latest turns that changed files, newest first. */
  turns(limit: number): JournalTurn[] {
    return this.#turns(limit, CHANGED);
  }

  /** Returns the same, with calls and turns that changed nothing but what undo does not take back. */
  turnsWithNoted(limit: number): JournalTurn[] {
    return this.#turns(limit, CHANGED_OR_NOTED);
  }

  #turns(limit: number, condition: string): JournalTurn[] {
    return this.#keys(limit, condition)
      .map((key) => this.#turn(key, condition))
      .filter((turn) => turn !== undefined);
  }

  /** Returns the names of the latest turns that changed files, newest first: `turns` without the diffs. */
  turnKeys(limit: number): TurnKey[] {
    return this.#keys(limit, CHANGED);
  }

  #keys(limit: number, condition: string): TurnKey[] {
    return this.#store
      .all<TurnKey>(
        `SELECT session, turn FROM calls WHERE ${condition} GROUP BY session, turn ORDER BY max(id) DESC LIMIT ?`,
        limit,
      )
      .map(({ session, turn }) => ({ session, turn }));
  }

  /** Returns one turn; undefined if it changed nothing or is no longer kept. */
  turn(key: TurnKey): JournalTurn | undefined {
    return this.#turn(key);
  }

  /** Returns the newest turn, of a session or overall, with a change in force that was not made by undoing. */
  lastTurn(session?: string): TurnKey | undefined {
    const row = this.#store.get<TurnKey>(
      `SELECT session, turn FROM calls JOIN changes ON changes.call = calls.id
       WHERE pending = 0 AND tool <> ? AND state IN ('applied', 'unknown') AND undone_by IS NULL AND (? IS NULL OR session = ?)
       ORDER BY calls.id DESC LIMIT 1`,
      UNDO_TOOL,
      session ?? null,
      session ?? null,
    );
    return row && { session: row.session, turn: row.turn };
  }

  call(id: number): RecordedCall | undefined {
    const row = this.#store.get<CallRow>("SELECT * FROM calls WHERE id = ?", id);
    return row && toCall(row);
  }

  /** Returns a turn's calls that changed files, oldest first. */
  calls(key: TurnKey): RecordedCall[] {
    return this.#calls(key, CHANGED);
  }

  #calls({ session, turn }: TurnKey, condition: string): RecordedCall[] {
    return this.#store
      .all<CallRow>(`SELECT * FROM calls WHERE session = ? AND turn = ? AND ${condition} ORDER BY id`, session, turn)
      .map(toCall);
  }

  /** Returns a turn's calls that changed nothing but what undo does not take back, oldest first. */
  noted(key: TurnKey): RecordedCall[] {
    return this.#calls(key, `${CHANGED_OR_NOTED} AND NOT (${CHANGED})`);
  }

  /**
   * Returns the calls after another one that changed nothing but what undo does not take back, oldest first.
   *
   * @param after the other one's id
   */
  notedAfter(after: number): RecordedCall[] {
    return this.#store
      .all<CallRow>(`SELECT * FROM calls WHERE id > ? AND ${CHANGED_OR_NOTED} AND NOT (${CHANGED}) ORDER BY id`, after)
      .map(toCall);
  }

  /** Returns the latest calls that began later than a moment and changed files, undos apart, oldest first. */
  callsAfter(at: number, most: number): RecordedCall[] {
    return this.#store
      .all<CallRow>(
        `SELECT * FROM calls WHERE at > ? AND tool <> ? AND ${CHANGED} ORDER BY id DESC LIMIT ?`,
        at,
        UNDO_TOOL,
        most,
      )
      .map(toCall)
      .reverse();
  }

  /** Returns the changes of calls, oldest first. */
  changes(calls: readonly number[]): RecordedChange[] {
    return [...calls].sort((a, b) => a - b).flatMap((call) => changesOf(this.#store, call));
  }

  /** Returns the calls that made some changes, given by their ids, oldest first. */
  callsOf(changes: readonly number[]): RecordedCall[] {
    return this.#store
      .all<CallRow>(
        "SELECT * FROM calls WHERE id IN (SELECT call FROM changes WHERE id IN (SELECT value FROM json_each(?))) ORDER BY id",
        JSON.stringify(changes),
      )
      .map(toCall);
  }

  /** Returns the changes that an undo's change took back. */
  targets(change: number): number[] {
    return this.#store
      .all<{ target: number }>("SELECT target FROM undoes WHERE change = ?", change)
      .map(({ target }) => target);
  }

  /** Returns those of some changes that an undo would take back. */
  standing(changes: readonly RecordedChange[]): RecordedChange[] {
    const made = changes.filter(isInForce);
    const own = new Set(made.map(({ id }) => id));
    return made.filter(({ id, undoneBy }) => {
      // Omit undos of the others: a change and its undo already cancel each other.
      const undone = this.targets(id);
      return undoneBy === undefined && !(undone.length > 0 && undone.every((target) => own.has(target)));
    });
  }

  /** Returns the net effect of changes on each file, in the order in which the files were first changed. */
  files(changes: readonly RecordedChange[]): TurnFile[] {
    const effects = compose(changes.filter(isInForce));
    // A mode is listed only if the file has no other change: a list has each file once.
    const isTold = ({ before, to }: Effect): boolean =>
      before?.form !== "mode" ||
      !effects.some((other) => other.before?.form !== "mode" && other.to.absolute === to.absolute);
    return effects
      .filter((effect) => !isNothing(effect) && isTold(effect))
      .map((effect) => ({
        path: effect.to.path,
        from: effect.from.absolute === effect.to.absolute ? undefined : effect.from.path,
        kind: kindOf(effect),
        before: effect.before,
        after: effect.after,
        ...this.#changedLines(effect),
        changes: effect.changes,
      }));
  }

  /** Returns an image's content; undefined if it is no longer kept. */
  image(ref: ImageRef): Image | undefined {
    const data = new Blobs(this.#store).get(ref.hash);
    return data && unpackImage(ref, data);
  }

  /** Returns a text that is another one after changes were recorded, begun or ended. */
  mark(): string {
    return JSON.stringify(
      this.#store.get("SELECT max(id) AS last, (SELECT count(*) FROM calls WHERE pending = 1) AS pending FROM calls"),
    );
  }

  /** Whether a call that began at a moment or later changed files. */
  hasChanged(since: number): boolean {
    return this.#store.get("SELECT 1 FROM calls WHERE at >= ? LIMIT 1", since) !== undefined;
  }

  /**
   * Returns the changes of calls that began at a moment or later, oldest first, and when each began.
   *
   * @param also ids of calls that began before, but had not ended
   */
  changesSince(at: number, also: readonly number[] = []): (RecordedChange & { at: number })[] {
    return this.#store
      .all<{ id: number; at: number }>(
        "SELECT id, at FROM calls WHERE at >= ? OR id IN (SELECT value FROM json_each(?)) ORDER BY id",
        at,
        JSON.stringify(also),
      )
      .flatMap((call) => changesOf(this.#store, call.id).map((change) => ({ ...change, at: call.at })));
  }

  /** Returns how much was forgotten for lack of room: overall, or of a turn. */
  dropped(turn?: TurnKey): Dropped {
    return droppedOf(this.#store, turn?.session, turn?.turn);
  }

  #turn(key: TurnKey, condition = CHANGED): JournalTurn | undefined {
    const calls = this.#calls(key, condition);
    const last = calls.at(-1);
    if (last === undefined) {
      return undefined;
    }
    const changes = this.changes(calls.map(({ id }) => id));
    const standing = changes.filter(({ undoneBy }) => undoneBy === undefined);
    return {
      ...key,
      door: last.door,
      at: last.at,
      calls,
      files: this.files(changes),
      undone: standing.length === changes.length ? "no" : standing.length === 0 ? "yes" : "partly",
      isUndo: calls.every(({ tool }) => tool === UNDO_TOOL),
      dropped: this.dropped(key).calls,
    };
  }

  #changedLines({ before, after }: Effect): { added: number | undefined; removed: number | undefined } {
    const key = `${before?.hash ?? ""} ${after?.hash ?? ""}`;
    const known = this.#lines.get(key);
    if (known !== undefined) {
      return known;
    }
    const [old, changed] = [before, after].map((ref) => (ref === undefined ? "" : this.#text(ref)));
    if (old === undefined || changed === undefined) {
      return { added: undefined, removed: undefined };
    }
    const lines = changedLines(old, changed);
    if (this.#lines.size >= KEPT_LINES) {
      this.#lines.clear();
    }
    this.#lines.set(key, lines);
    return lines;
  }

  #text(ref: ImageRef): string | undefined {
    const image = this.image(ref);
    return image !== undefined && "text" in image ? image.text : undefined;
  }
}

/** Whether a file is as it was: changed and changed back, or created and deleted again. */
function isNothing({ from, to, before, after }: Effect): boolean {
  return (from.absolute === to.absolute || after === undefined) && sameRef(before, after);
}

/** Whether a change was made, or may have been. */
export function isInForce({ state }: RecordedChange): boolean {
  return state === "applied" || state === "unknown";
}
