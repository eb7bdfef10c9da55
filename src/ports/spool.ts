import type { GatedPath } from "./files.js";

/** Gives a file that is written its name. @param replaces whether what is there may go; else it is a `path_conflict` */
export type Put = (replaces: boolean) => Promise<void>;

/**
 * Writing files of the context store that are too large for the undo journal, as their text comes and in bounded
 * memory. Such a file cannot be undone: whoever writes one says so.
 */
export interface Spool {
  /** Whether it writes there at all: what lies on no local disk can only be written as a whole. */
  takes(at: GatedPath): boolean;
  /**
   * Writes a whole file in one step, with the folders it needs: until the last chunk has come, what stood there stands
   * there.
   *
   * @param chunks the text in parts that do not split a character
   * @param name called when all of it is on disk: has `put` give the file its name, told whether what is there then may
   * go
   * @returns bytes of the file, in UTF-8
   * @throws ToolError `path_conflict` when something is there, `too_large` for more than the store takes,
   * `outside_workspace` for a place that is not in the context store, `unsupported` where the place is on no local disk, `io_error`
   */
  write(
    at: GatedPath,
    chunks: AsyncIterable<string>,
    name: (put: Put) => Promise<void>,
    signal: AbortSignal,
  ): Promise<number>;
}
