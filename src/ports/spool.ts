import type { GatedPath } from "./files.js";

/**
 * Renames a written file to its final name.
 *
 * @param replaces whether to replace an existing file; otherwise that is a `path_conflict`
 */
export type Put = (replaces: boolean) => Promise<void>;

/**
 * Writes files of the context store that are too large for the undo journal, in bounded memory while their text
 * arrives. Such a write cannot be undone, and its caller must say so.
 */
export interface Spool {
  /** Whether it can write there: a file that is not on a local disk can only be written in one piece. */
  takes(at: GatedPath): boolean;
  /**
   * Writes a whole file atomically, with the folders it needs: until the last chunk has arrived, any existing file
   * stays.
   *
   * @param chunks the text in parts that never split a character
   * @param name called when all of it is on disk; calls `put` to name the file, saying whether to replace an existing
   * one
   * @returns bytes of the file, in UTF-8
   * @throws ToolError `path_conflict` if something is there, `too_large` for more than the store accepts,
   * `outside_workspace` for a place outside the context store, `unsupported` for a place that is not on a local disk,
   * `io_error`
   */
  write(
    at: GatedPath,
    chunks: AsyncIterable<string>,
    name: (put: Put) => Promise<void>,
    signal: AbortSignal,
  ): Promise<number>;
}
