/** What the memory of a workspace may take. 0 stands for no limit. */
export interface MemoryLimits {
  /** Notes with a key. */
  keys: number;
  /** Bytes of one value in UTF-8. A megabyte in any case. */
  valueBytes: number;
  /** Bytes of all notes together, as files. */
  totalBytes: number;
  /** Days after its last change when a note's time is over, unless it was written with a time of its own. */
  days: number;
}

/** What holds for the notes under `.toolhost/memory/`: the user's limits and the clock. */
export interface Memory {
  limits(): MemoryLimits;
  /** Milliseconds since 1970. */
  now(): number;
}
