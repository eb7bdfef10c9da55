/** A text that is too large for an answer, kept on this machine for a while. */
export interface StoredResult {
  /** The id for read_result: `r` and hexadecimal digits. */
  id: string;
  /** Total characters, in code units. */
  characters: number;
  pages: number;
  /** Characters discarded from the middle or the end because the result was too large. */
  dropped: number;
}

/**
 * A part of a text that never splits a character. ASCII may also be given as bytes, which must not change until
 * written.
 */
export type TextPart = string | Uint8Array;

/** Stores a text as it arrives. */
export interface ResultWriter {
  readonly id: string;
  /** Resolves when the next write may follow, so that fast writers wait for the disk. */
  write(...parts: readonly TextPart[]): Promise<void>;
  /** Ends it and returns what was stored. */
  close(): Promise<StoredResult>;
  /** Discards all of it. */
  discard(): Promise<void>;
}

/** The result store: whole outputs, page by page. */
export interface Results {
  /** @param source its origin, for people: `exec npm test` */
  open(source: string): Promise<ResultWriter>;
  /**
   * Returns one page of a result, which may still be being written.
   *
   * @param page 1-based; negative numbers count from the end, -1 is the last page
   * @returns the page with its number from the start
   * @throws ToolError `unknown_id`, `page_out_of_range` with the real number of pages
   */
  page(id: string, page: number): Promise<{ text: string; page: number; result: StoredResult; complete: boolean }>;
  /**
   * Yields a finished result as a whole, in bounded memory; no chunk ends within a character.
   *
   * @throws ToolError `unknown_id`
   */
  chunks(id: string, signal: AbortSignal): AsyncIterable<string>;
  /**
   * Returns the absolute path of the file with a result's text, for searching it; it may still be growing.
   *
   * @throws ToolError `unknown_id`
   */
  location(id: string): Promise<string>;
}

/**
 * Maximum characters of a page. It ends with a line, unless that is longer than a page. With our note, it is what every
 * client of MCP shows whole (doors/mcp/clientLimits.ts).
 */
export const RESULT_PAGE = 7_500;
