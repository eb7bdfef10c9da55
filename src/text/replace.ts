/** Where an exact text stands in another. */
export interface Occurrence {
  /** Code units from the start. */
  offset: number;
  /** 1-based. */
  line: number;
}

/**
 * The places where `needle` stands, left to right, not overlapping. Line ends of `text` are `\n`, `\r\n` or `\r`.
 *
 * @param max places looked for at most: each costs memory, and a text of one letter has millions
 */
export function findOccurrences(text: string, needle: string, max = Number.POSITIVE_INFINITY): Occurrence[] {
  const occurrences: Occurrence[] = [];
  if (needle === "") {
    return occurrences;
  }
  const lineEnd = /\r\n|\n|\r/g;
  let line = 1;
  // The ending of the line under way is looked for once, however many places the line holds.
  let ending = lineEnd.exec(text);
  for (let offset = text.indexOf(needle); offset >= 0 && occurrences.length < max; offset = text.indexOf(needle, offset + needle.length)) {
    while (ending && ending.index + ending[0].length <= offset) {
      line++;
      ending = lineEnd.exec(text);
    }
    occurrences.push({ offset, line });
  }
  return occurrences;
}

/** Replaces the texts found, each `length` code units long. The replacement is taken as it is: `$&` means `$&`. */
export function replaceAt(text: string, occurrences: readonly Occurrence[], length: number, replacement: string): string {
  let result = "";
  let from = 0;
  for (const { offset } of occurrences) {
    result += text.slice(from, offset) + replacement;
    from = offset + length;
  }
  return result + text.slice(from);
}
