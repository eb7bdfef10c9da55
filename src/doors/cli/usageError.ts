/** A mistake in the command line itself. */
export class UsageError extends Error {}
