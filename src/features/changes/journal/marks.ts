import type { Store } from "../../../ports/store.js";

/**
 * Marks the changes that an undo took back, for those of the undo's own changes that were made. Call it in the
 * transaction that records that they were made.
 */
export function markUndone(store: Store, call: number): void {
  const targets = store.all<{ target: number }>(
    `SELECT target FROM undoes LEFT JOIN changes ON changes.id = undoes.change WHERE undoes.call = ?
     GROUP BY target HAVING sum(undoes.change IS NOT NULL AND changes.state IS NOT 'applied') = 0`,
    call,
  );
  for (const { target } of targets) {
    setUndone(store, target, call);
  }
}

/**
 * Marks a change as undone or, without a call, as in force again. If the change belongs to an undo, the changes that it
 * took back come into force again, or are undone again.
 */
function setUndone(store: Store, change: number, by: number | null): void {
  store.run("UPDATE changes SET undone_by = ? WHERE id = ?", by, change);
  for (const { target, call } of store.all<{ target: number; call: number }>(
    "SELECT target, call FROM undoes WHERE change = ?",
    change,
  )) {
    if (by === null) {
      setUndone(store, target, call);
    } else if (!isStillDone(store, call, target)) {
      setUndone(store, target, null);
    }
  }
}

/** Whether any change by which a call undid another one is still in force. */
function isStillDone(store: Store, call: number, target: number): boolean {
  const row = store.get(
    "SELECT 1 FROM undoes JOIN changes ON changes.id = undoes.change WHERE undoes.call = ? AND target = ? AND changes.undone_by IS NULL",
    call,
    target,
  );
  return row !== undefined;
}
