/** Returns a word as a POSIX shell takes it literally. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
