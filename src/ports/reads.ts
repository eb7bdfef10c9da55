import type { GatedPath, TextSnapshot } from "./files.js";

/** What the session of a call has read: a change to a file is made on the text that was read, or refused as `stale`. */
export interface Reads {
  /** Remembers that the session has seen this text of a file, in whole or in part. */
  note(at: GatedPath, seen: TextSnapshot | { size: number; modified: number }): Promise<void>;
}
