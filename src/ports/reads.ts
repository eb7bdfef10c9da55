import type { GatedPath, TextSnapshot } from "./files.js";

/**
 * Records what a call's session has read. A file may be changed only if it is still as the session read it; otherwise
 * the change is refused as `stale`.
 */
export interface Reads {
  /** Records that the session has seen all or part of this version of a file. */
  note(at: GatedPath, seen: TextSnapshot | { size: number; modified: number }): Promise<void>;
}
