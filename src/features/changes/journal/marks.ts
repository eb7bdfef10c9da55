import type { Store } from "../../../ports/store.js";

/**
 * Marks what an undo call took back, as far as its own changes were made. Call in the transaction that says they were.
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
 * A change is taken back, or (with no call) in force again. When the change was itself an undo's, what it had taken
 * back is in force again, or taken back again.
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

/** Whether any change with which a call took back another one stands. */
function isStillDone(store: Store, call: number, target: number): boolean {
  const row = store.get(
    "SELECT 1 FROM undoes JOIN changes ON changes.id = undoes.change WHERE undoes.call = ? AND target = ? AND changes.undone_by IS NULL",
    call,
    target,
  );
  return row !== undefined;
}
