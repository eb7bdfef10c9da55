/** Returns the text for a search whose globs left it no file to search, which «no match» would hide. */
export function noFileFits(include: readonly string[]): string {
  return `No searched file matches include ${include.join(", ")}.`;
}
