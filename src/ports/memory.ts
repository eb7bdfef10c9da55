/** Limits of a workspace's memory. 0 means no limit. */
export interface MemoryLimits {
  /** Number of notes with a key. */
  keys: number;
  /** Bytes of one value in UTF-8. Never more than a megabyte. */
  valueBytes: number;
  /** Bytes of all notes together, as files. */
  totalBytes: number;
  /** Days after its last change when a note expires, unless it was written with its own expiry. */
  days: number;
}

/** The rules for notes under `.toolhost/memory/`: the user's limits and the clock. */
export interface Memory {
  limits(): MemoryLimits;
  /** Milliseconds since 1970. */
  now(): number;
}
