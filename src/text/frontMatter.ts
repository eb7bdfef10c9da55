/**
 * Number of characters within which front matter must end: far more than any front matter has, and few enough to parse
 * quickly.
 */
export const MAX_FRONT_MATTER = 64_000;

/** The parts of a text with front matter. */
export interface FrontMatterParts {
  /** The lines between the two lines of three dashes, each with its ending. */
  yaml: string;
  /** Their offset in the text. */
  start: number;
  /** Offset where the text continues after the second line of dashes. */
  end: number;
}

/**
 * Returns a text's front matter: the lines between a first line of three dashes and the next such line. undefined if
 * the text does not begin with one; `unclosed` if it does not end within the first 64,000 characters.
 */
export function splitFrontMatter(text: string): FrontMatterParts | "unclosed" | undefined {
  const [opening] = /^---[ \t]*(?:\r\n?|\n)/.exec(text) ?? [];
  if (opening === undefined) {
    return /^---[ \t]*$/.test(text) ? "unclosed" : undefined;
  }
  const start = opening.length;
  const closing = /---[ \t]*(?:\r\n?|\n|$)/y;
  const lineEnd = /\r\n?|\n/g;
  for (let line = start; line < text.length && line - start <= MAX_FRONT_MATTER; line = lineEnd.lastIndex) {
    closing.lastIndex = line;
    const found = closing.exec(text)?.[0];
    if (found !== undefined) {
      return { yaml: text.slice(start, line), start, end: line + found.length };
    }
    lineEnd.lastIndex = line;
    if (!lineEnd.test(text)) {
      break;
    }
  }
  return "unclosed";
}
