/** Collects the values of an option that may be repeated. */
export function collect(word: string, before: string[] | undefined): string[] {
  return [...(before ?? []), word];
}
