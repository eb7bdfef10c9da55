/** The content of an HTML page as Markdown. */
export interface PageContent {
  /** Empty if the page has none. */
  title: string;
  /** With absolute links. */
  markdown: string;
  /** Why it is all text of the page, without links and marks, as the end of a sentence; undefined for Markdown. */
  plain?: string;
  /** Whether the page shows its content with JavaScript, so that this is not it. */
  needsScript: boolean;
  /** Whether the end of the page is missing: it is too large. */
  isCut: boolean;
  /** The address of the same page as Markdown, if the page names one. */
  alternate?: string;
}

/** Reads HTML pages, which nobody vouches for, where reading can be stopped. */
export interface Pages {
  /**
   * @param html of any size and depth
   * @param address of the page: its links are relative to it
   * @throws ToolError `unsupported` if not even its text can be read in time and memory; `cancelled`
   */
  read(html: string, address: string, signal: AbortSignal): Promise<PageContent>;
}
