/**
 * Bytes of the largest file that a tool changes, and that it leaves behind (docs/security.md, "Undo"): the undo journal
 * keeps it whole, before and after, and an edit holds it in memory several times. Past this a file is data, not source.
 * What judges, reads or shows a file for a later change goes by the same bound, or it would treat a file that can be
 * changed as one that cannot.
 */
export const LARGEST_CHANGED_FILE = 20_000_000;
