import type { PageContent } from "../../../ports/pages.js";

/** The worker's input. */
export interface PageWork {
  html: string;
  address: string;
}

/** The worker's messages: all text, which takes no time worth mentioning, then the content as Markdown. */
export type PageReport =
  | { kind: "text"; content: PageContent }
  | { kind: "done"; content: PageContent }
  | { kind: "failed" };
