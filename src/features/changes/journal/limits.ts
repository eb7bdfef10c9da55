/**
 * Maximum size of one image, in bytes. No tool reads a larger file whole for a change; a larger image would push out a
 * tenth of the journal.
 */
export const MAX_IMAGE = 20 * 1024 * 1024;
/**
 * Size above which the contents of a file that a command changed are in a copy beside the journal, if there is one, in
 * bytes.
 */
export const LARGE = 12 * 1024 * 1024;
/** Size above which a file has no such copy, in bytes: what it is of may be deleted, and its room stays taken. */
export const MAX_LARGE = 1024 ** 3;
/**
 * Maximum size of all images of one call, in bytes: half of the journal, so that one call cannot push out all others.
 */
export const MAX_CALL_IMAGES = 100 * 1024 * 1024;
/**
 * Maximum size of all images of a workspace, in bytes: weeks of ordinary work (1,000 changes to files of 100 KB), and
 * little on today's disks.
 */
export const MAX_IMAGES = 200 * 1024 * 1024;
/** Maximum number of calls of a workspace: more than anyone looks back, few enough to list in one go. */
export const MAX_CALLS = 2_000;
/** How long to wait for a file that another call is changing, in ms: longer than any normal change takes. */
export const LOCK_TIMEOUT = 5_000;
/** Interval between two checks of a lock that another process holds, in ms. */
export const LOCK_POLL = 15;
/**
 * How long until a pending change counts as abandoned, in ms, even if its process seems to be running: some systems
 * cannot distinguish a process from a later one with the same number, and an extension host can stop inside a living process.
 */
export const GIVEN_UP = 10 * 60 * 1_000;
