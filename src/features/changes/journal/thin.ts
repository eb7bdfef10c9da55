import type { Store } from "../../../ports/store.js";
import { Blobs } from "./blobs.js";
import { sameRef } from "./images.js";
import { refColumns, toChange, type ChangeRow } from "./rows.js";
import type { RecordedChange } from "./types.js";

/** Suffix for the summary of a call that also represents earlier ones. */
const STANDS_FOR_OTHERS = " (with earlier changes of the turn)";

/** The changes of a turn's finished calls, in the order in which they were made. */
const CHANGES_OF_TURN =
  "SELECT changes.* FROM changes JOIN calls ON calls.id = call WHERE session = ? AND turn = ? AND pending = 0 ORDER BY call, changes.id";
const IS_UNDO = "SELECT 1 AS found FROM undoes WHERE target IN (?, ?) OR change IN (?, ?) OR call IN (?, ?) LIMIT 1";

/**
 * Merges the two oldest consecutive changes of a turn to the same file: the content between them is no longer kept, and
 * the turn can still be undone to its beginning. Call inside a transaction.
 *
 * @returns whether there were two such changes
 */
export function thin(store: Store, { session, turn }: { session: string; turn: string }): boolean {
  const latest = new Map<string, RecordedChange>();
  for (const row of store.all<ChangeRow>(CHANGES_OF_TURN, session, turn)) {
    const change = toChange(row);
    const earlier = latest.get(change.absolute);
    if (earlier !== undefined && follow(earlier, change) && !isPartOfUndo(store, earlier, change)) {
      join(store, earlier, change);
      return true;
    }
    latest.set(change.absolute, change);
    if (change.toAbsolute !== undefined) {
      latest.set(change.toAbsolute, change);
    }
  }
  return false;
}

function follow(earlier: RecordedChange, later: RecordedChange): boolean {
  const areMade = [earlier, later].every(({ state, undoneBy }) => state === "applied" && undoneBy === undefined);
  // Folders made for a file are removed when the change that made them is undone, before those of files put there
  // later.
  const isOfContent =
    later.kind === "replace" &&
    (earlier.kind === "replace" || (earlier.kind === "create" && earlier.foldersMade === 0));
  return areMade && isOfContent && earlier.call !== later.call && sameRef(earlier.after, later.before);
}

function isPartOfUndo(store: Store, earlier: RecordedChange, later: RecordedChange): boolean {
  return store.get(IS_UNDO, earlier.id, later.id, earlier.id, later.id, earlier.call, later.call) !== undefined;
}

function join(store: Store, earlier: RecordedChange, later: RecordedChange): void {
  const blobs = new Blobs(store);
  for (const image of [earlier.after, later.before]) {
    if (image !== undefined) {
      blobs.release(image.hash);
    }
  }
  store.run(
    "UPDATE changes SET kind = ?, before_hash = ?, before_form = ?, before_size = ?, before_encoding = ?, before_unsaved = ? WHERE id = ?",
    earlier.kind,
    ...refColumns(earlier.before),
    later.id,
  );
  store.run("DELETE FROM changes WHERE id = ?", earlier.id);
  store.run(
    "DELETE FROM calls WHERE id = ? AND NOT EXISTS (SELECT 1 FROM changes WHERE call = calls.id)",
    earlier.call,
  );
  store.run(
    "UPDATE calls SET summary = summary || ? WHERE id = ? AND substr(summary, -length(?)) <> ?",
    STANDS_FOR_OTHERS,
    later.call,
    STANDS_FOR_OTHERS,
    STANDS_FOR_OTHERS,
  );
}
