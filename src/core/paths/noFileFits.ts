/** What a search tells whose globs left it nothing to look into, which «no match» would hide. */
export function noFileFits(include: readonly string[]): string {
  return `None of the files searched fits include ${include.join(", ")}.`;
}
