/**
 * Size in bytes of the largest file that a tool changes or creates (docs/security.md, "Undo"): the undo journal keeps
 * it whole, before and after, and an edit holds it in memory several times. Anything larger is data, not source. Code
 * that judges, reads or shows a file for a later change uses the same limit; otherwise it would treat a file that can
 * be changed as one that cannot.
 */
export const LARGEST_CHANGED_FILE = 20_000_000;
