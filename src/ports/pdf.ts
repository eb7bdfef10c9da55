/** The text of a PDF. */
export interface PdfText {
  /** The text of each page from the first; empty for a page without text, such as a scan. */
  pages: string[];
  /** The number of pages of the document: more than those of `pages` if the text is too long. */
  total: number;
}

/** Reads PDFs, which nobody vouches for, where reading can be stopped. */
export interface Pdf {
  /**
   * @param maxLength code units of text after which no further page is read
   * @throws ToolError `unsupported` if it is protected by a password, damaged or takes too much time or memory;
   * `cancelled` if the signal is aborted
   */
  text(bytes: Uint8Array, maxLength: number, signal: AbortSignal): Promise<PdfText>;
}
