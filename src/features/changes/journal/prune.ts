import type { Store } from "../../../ports/store.js";
import { Blobs } from "./blobs.js";
import { MAX_CALLS, MAX_IMAGES } from "./limits.js";
import { changesOf, type CallRow } from "./rows.js";
import { thin } from "./thin.js";
import type { Dropped } from "./types.js";

export interface Bounds {
  bytes: number;
  calls: number;
}

const SIZE_OF_TURN = `
SELECT (SELECT count(*) FROM calls WHERE session = ? AND turn = ?) AS calls, coalesce(sum(size), 0) AS bytes FROM blobs WHERE hash IN (
  SELECT hash FROM (SELECT before_hash AS hash, call FROM changes UNION ALL SELECT after_hash, call FROM changes) JOIN calls ON calls.id = call
  WHERE session = ? AND turn = ?)`;

export const BOUNDS: Bounds = { bytes: MAX_IMAGES, calls: MAX_CALLS };

/**
 * Forgets the oldest turns until there is room for a call of that many bytes. A turn is forgotten as a whole, so that
 * every turn in the journal can be undone completely. If the current turn takes up more than half of the room, the
 * intermediate states of its files are forgotten first, and its oldest calls only if that is not enough. Call inside a
 * transaction.
 */
export function makeRoom(
  store: Store,
  bounds: Bounds,
  current: { session: string; turn: string },
  bytes: number,
): void {
  const blobs = new Blobs(store);
  for (;;) {
    const calls = store.get<{ count: number }>("SELECT count(*) AS count FROM calls")?.count ?? 0;
    if (calls + 1 <= bounds.calls && blobs.total() + bytes <= bounds.bytes) {
      return;
    }
    if (isLarge(store, bounds, current) && thin(store, current)) {
      continue;
    }
    const oldest = store.get<CallRow>("SELECT * FROM calls WHERE pending = 0 ORDER BY id LIMIT 1");
    if (oldest === undefined) {
      return;
    }
    const { session, turn } = oldest;
    const isCurrent = session === current.session && turn === current.turn;
    const gone = isCurrent
      ? [oldest]
      : store.all<CallRow>("SELECT * FROM calls WHERE session = ? AND turn = ? AND pending = 0", session, turn);
    for (const call of gone) {
      forget(store, call.id);
    }
    const until = Math.max(...gone.map(({ at }) => at));
    count(store, "", "", gone.length, until);
    if (isCurrent) {
      count(store, session, turn, gone.length, until);
    } else {
      store.run("DELETE FROM dropped WHERE session = ? AND turn = ?", session, turn);
    }
  }
}

function isLarge(store: Store, bounds: Bounds, { session, turn }: { session: string; turn: string }): boolean {
  const { calls = 0, bytes = 0 } =
    store.get<{ calls: number; bytes: number }>(SIZE_OF_TURN, session, turn, session, turn) ?? {};
  return calls > bounds.calls / 2 || bytes > bounds.bytes / 2;
}

/** Removes a call, its changes and the images nothing else needs from the journal. Call inside a transaction. */
export function forget(store: Store, call: number): void {
  const blobs = new Blobs(store);
  for (const { before, after } of changesOf(store, call)) {
    for (const image of [before, after]) {
      if (image !== undefined) {
        blobs.release(image.hash);
      }
    }
  }
  // Deletes its changes, its locks and the records of what it undid by cascade.
  store.run("DELETE FROM calls WHERE id = ?", call);
}

/** Returns how much of a turn, or overall, was forgotten. */
export function droppedOf(store: Store, session = "", turn = ""): Dropped {
  return (
    store.get<Dropped>("SELECT calls, until FROM dropped WHERE session = ? AND turn = ?", session, turn) ?? {
      calls: 0,
      until: 0,
    }
  );
}

function count(store: Store, session: string, turn: string, calls: number, until: number): void {
  store.run(
    "INSERT INTO dropped (session, turn, calls, until) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, until = max(until, excluded.until)",
    session,
    turn,
    calls,
    until,
  );
}
