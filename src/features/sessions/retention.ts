import type { Store } from "../../ports/store.js";
import type { SessionBounds } from "./limits.js";
import type { SessionRow } from "./rows.js";

/**
 * Forgets the sessions beyond a limit, oldest first. A session in use stays, whatever its age and size. Call inside a
 * transaction.
 *
 * @param isUsed whether one of its turns is in progress or starting now
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
    // Once one session does not fit, no older one is kept in its place.
    isFull ||= now - row.updated > bounds.age || kept >= bounds.sessions || bytes + row.bytes > bounds.bytes;
    if (!isFull || isUsed(row)) {
      bytes += row.bytes;
      kept += 1;
    } else {
      // Cascades to its messages, their media and the messages left for it.
      store.run("DELETE FROM sessions WHERE id = ?", row.id);
    }
  }
}
