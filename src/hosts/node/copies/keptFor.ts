/** How long changes that were not brought back are kept, and copies of which nobody knows whether they are in use, in ms. */
export const KEPT_FOR = 30 * 24 * 3_600_000;
