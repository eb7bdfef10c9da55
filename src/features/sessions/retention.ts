import type { Store } from "../../ports/store.js";
import type { SessionBounds } from "./limits.js";
import type { SessionRow } from "./rows.js";

/**
 * Forgets the sessions that are past a bound, oldest first. One that is used stays, whatever its age and size. Call
 * inside a transaction.
 *
 * @param isUsed whether a turn of it is under way or begins now
 */
export function forgetOld(
  store: Store,
  bounds: SessionBounds,
  now: number,
  isUsed: (row: SessionRow) => boolean,
): void {
  const rows = store.all<SessionRow>("SELECT * FROM sessions ORDER BY updated DESC, rowid DESC");
  let bytes = 0;
  let kept = 0;
  let isFull = false;
  for (const row of rows) {
    // Once one does not fit, no older one stays in its place.
    isFull ||= now - row.updated > bounds.age || kept >= bounds.sessions || bytes + row.bytes > bounds.bytes;
    if (!isFull || isUsed(row)) {
      bytes += row.bytes;
      kept += 1;
    } else {
      // Its messages, their media and what was left for it go with it.
      store.run("DELETE FROM sessions WHERE id = ?", row.id);
    }
  }
}
