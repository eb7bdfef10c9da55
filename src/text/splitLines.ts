/**
 * Splits a text into lines, each with its ending; joined, they are the text. `\r\n`, `\n` and a lone `\r` end a line.
 */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  const ending = /\r\n?|\n/g;
  let from = 0;
  while (ending.test(text)) {
    lines.push(text.slice(from, ending.lastIndex));
    from = ending.lastIndex;
  }
  if (from < text.length) {
    lines.push(text.slice(from));
  }
  return lines;
}

/** Returns the ending of a line from `splitLines`; empty for a last line without one. */
export function endingOf(line: string): string {
  return line.endsWith("\r\n") ? "\r\n" : line.endsWith("\n") ? "\n" : line.endsWith("\r") ? "\r" : "";
}

/**
 * Whether offset `at` is between the two code units of `\r\n` or of a surrogate pair, where no editor position can be.
 */
export function isInsidePair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return (
    (before === 13 && after === 10) || (before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff)
  );
}

/** Counts the line feeds in a text: `\n`, including the one in `\r\n`. */
export function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}
