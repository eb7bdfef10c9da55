/** Characters in which front matter has to end: far more than any has, and little enough to be parsed at once. */
export const MAX_FRONT_MATTER = 64_000;

/** A text with front matter, by its parts. */
export interface FrontMatterParts {
  /** The lines between the two lines of three dashes, each with its ending. */
  yaml: string;
  /** Where they begin in the text. */
  start: number;
  /** Where the text goes on behind the second line of dashes. */
  end: number;
}

/**
 * The front matter of a text: what stands between a first line of three dashes and the next such line. undefined when
 * the text does not begin with one; `unclosed` when it begins and does not end in the first 64,000 characters.
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
