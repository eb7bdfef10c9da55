/** The lines of a text, each with its ending; joined they are the text. `\r\n`, `\n` and a lone `\r` end a line. */
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

/** The ending of a line of `splitLines`; empty for a last line that has none. */
export function endingOf(line: string): string {
  return line.endsWith("\r\n") ? "\r\n" : line.endsWith("\n") ? "\n" : line.endsWith("\r") ? "\r" : "";
}

/**
 * Whether offset `at` lies between the two code units of `\r\n` or of a surrogate pair, where no editor position can
 * stand.
 */
export function isInsidePair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return (
    (before === 13 && after === 10) || (before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff)
  );
}

/** How many line feeds a text has: `\n`, and the second character of `\r\n`. */
export function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}
