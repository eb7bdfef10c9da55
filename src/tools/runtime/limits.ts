/** Seconds a command may take when the caller says nothing. */
export const DEFAULT_TIMEOUT = 1_800;
/** Seconds: below this a command would be ended before it has begun, and a unit has most likely been mistaken. */
export const MIN_TIMEOUT = 10;
/** Seconds: longer work belongs in the background. */
export const MAX_TIMEOUT = 86_400;
/**
 * Milliseconds a call that is cancelled is waited for, so that what its commands wrote is in its answer: 5 s of
 * politeness, then SIGKILL and 2 s, 1 s for the rest of the output, 10 s for the result store (`core/processes`). One
 * that ends when it is asked to takes none of it.
 */
export const STOP_GRACE = 20_000;
/** Characters of output in the answer of a command that has ended: head and tail, the whole is in the result store. */
export const MAX_OUTPUT = 100_000;
/** The same while it goes on in the background. */
export const MAX_BACKGROUND_OUTPUT = 10_000;
/** Milliseconds a background command is watched before the answer: one that fails at once says so. */
export const BACKGROUND_LOOK = 500;
/** Seconds `wait_for` waits when nothing is said, and at most. */
export const DEFAULT_WAIT = 30;
export const MAX_WAIT = 600;
