import type { GatedPath } from "./files.js";

/**
 * Writing files of the context store that are too large for the undo journal, as their text comes and in bounded memory. Such a
 * file cannot be undone: whoever writes one says so.
 */
export interface Spool {
  /** Whether it writes there at all: what lies on no local disk can only be written as a whole. */
  takes(at: GatedPath): boolean;
  /**
   * Writes a whole file in one step, with the folders it needs: until the last chunk has come, what stood there stands there.
   *
   * @param chunks the text in parts that do not split a character
   * @param makeRoom called when all of it is on disk, just before the file gets its name: whether what is there then may go
   * @returns bytes of the file, in UTF-8
   * @throws ToolError `path_conflict` when something is there, `too_large` for more than the store takes, `outside_workspace` for a
   * place that is not in the context store, `unsupported` where the place is on no local disk, `io_error`
   */
  write(at: GatedPath, chunks: AsyncIterable<string>, makeRoom: () => Promise<boolean>, signal: AbortSignal): Promise<number>;
}
