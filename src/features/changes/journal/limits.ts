/**
 * Bytes of one image. The largest file a tool takes whole for a change; a bigger one would push out a tenth of the
 * journal.
 */
export const MAX_IMAGE = 20 * 1024 * 1024;
/** Bytes of all images of one call: half of the room, so that one call never pushes out all others. */
export const MAX_CALL_IMAGES = 100 * 1024 * 1024;
/**
 * Bytes of all images of a workspace: weeks of ordinary work (100 KB files: 1,000 changes), and little on today's
 * disks.
 */
export const MAX_IMAGES = 200 * 1024 * 1024;
/** Calls of a workspace: more than anyone looks back, few enough to list at once. */
export const MAX_CALLS = 2_000;
/** Milliseconds to wait for a file that another call is changing: longer than any honest change of files takes. */
export const LOCK_TIMEOUT = 5_000;
/** Milliseconds between two looks at a lock that another process holds. */
export const LOCK_POLL = 15;
/**
 * Milliseconds after which a change under way counts as given up even if its process seems to live: where processes
 * cannot be told from later ones of the same number, or an extension host was stopped inside a living process.
 */
export const GIVEN_UP = 10 * 60 * 1_000;
