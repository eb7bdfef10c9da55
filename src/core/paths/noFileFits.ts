/** Returns the text for a search whose globs matched no file at all, a problem that «no match» would hide. */
export function noFileFits(include: readonly string[]): string {
  return `No searched file matches include ${include.join(", ")}.`;
}
