/** A text that is too large for an answer, kept on this machine for a while. */
export interface StoredResult {
  /** `r` and letters: what read_result takes. */
  id: string;
  /** Characters in all, in code units. */
  characters: number;
  pages: number;
  /** Characters that were not kept, from the middle or the end, because the result would have become too large. */
  dropped: number;
}

/**
 * A part of a text that ends between two characters; ASCII also as bytes, which nobody changes until they are written.
 */
export type TextPart = string | Uint8Array;

/** Takes a text as it comes. */
export interface ResultWriter {
  readonly id: string;
  /** Resolves when it may go on: whoever writes faster than the disk has to wait. */
  write(...parts: readonly TextPart[]): Promise<void>;
  /** Ends it and gives what was kept. */
  close(): Promise<StoredResult>;
  /** Throws all of it away. */
  discard(): Promise<void>;
}

/** The result store: whole outputs, page by page. */
export interface Results {
  /** @param source what it is the result of, for people: `exec npm test` */
  open(source: string): Promise<ResultWriter>;
  /**
   * One page of a result, also of one that is still being written.
   *
   * @param page 1-based
   * @throws ToolError `unknown_id`, `page_out_of_range` with the real number of pages
   */
  page(id: string, page: number): Promise<{ text: string; result: StoredResult; complete: boolean }>;
  /**
   * The whole of a result that has been written, in bounded memory; no chunk ends inside a character.
   *
   * @throws ToolError `unknown_id`
   */
  chunks(id: string, signal: AbortSignal): AsyncIterable<string>;
}

/** Characters of a page. Never splits a surrogate pair: a page may be one shorter. */
export const RESULT_PAGE = 8_000;
