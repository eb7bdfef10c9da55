import type { SearchLine } from "../../ports/search.js";
import { clipStart } from "../../text/clip.js";

/** Maximum code units of a line that are shown; a longer one is shown as a window around its first match. */
const LINE_WINDOW = 400;
/** Code units shown before the match in that window. */
const BEFORE_MATCH = 100;

/** Returns a line of a search result: whole, or a window around its first match. */
export function searchLine(line: number, column: number | undefined, text: string): SearchLine {
  if (text.length <= LINE_WINDOW) {
    return { line, column, text };
  }
  const from = Math.max(0, (column ?? 1) - 1 - BEFORE_MATCH);
  const window = clipStart(text.slice(from), LINE_WINDOW);
  const before = from > 0 ? "…" : "";
  const after = from + window.length < text.length ? "…" : "";
  // A copy: a slice would keep the whole line in memory while the window lives.
  return { line, column, text: structuredClone(`${before}${window}${after} [line of ${text.length} characters]`) };
}
