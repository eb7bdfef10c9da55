import type { Replacement } from "../match/replace.js";

/** What an edit wrote: offsets of the text as it is now, and the edit's number. */
export interface WrittenRange {
  from: number;
  to: number;
  edit: number;
}

/**
 * What edits have written in a text once another one is made: ranges apart from each other, ascending.
 *
 * @param replacements of that edit, in the text as the ones before left it, ascending and apart
 * @returns the range that one of its places overlaps in part: neither lies in the other, so it was written without
 * knowing of it
 */
export function addWritten(
  written: readonly WrittenRange[],
  replacements: readonly Replacement[],
  edit: number,
): { ranges: WrittenRange[] } | { overlapped: WrittenRange } {
  const ranges: WrittenRange[] = [];
  const added: WrittenRange[] = [];
  let next = 0;
  let grown = 0;
  let open: WrittenRange | undefined;
  /** Closes ranges that end before an offset, with what was replaced up to there. */
  const pass = (offset: number): void => {
    for (let range = open ?? written[next]; range && range.to <= offset; range = written[next]) {
      ranges.push({ ...range, from: open ? open.from : range.from + grown, to: range.to + grown });
      open = undefined;
      next++;
    }
  };
  for (const { offset, length, text } of replacements) {
    const end = offset + length;
    pass(offset);
    let range = written[next];
    if (range && range.from <= offset && end <= range.to && !(range.from === offset && range.to === end)) {
      open ??= { ...range, from: range.from + grown };
    } else {
      // What lies in the place is replaced with it.
      for (; range && range.from < end; range = written[++next]) {
        if (range.from < offset || range.to > end) {
          return { overlapped: range };
        }
      }
      added.push({ from: offset + grown, to: offset + grown + text.length, edit });
    }
    grown += text.length - length;
  }
  pass(Number.POSITIVE_INFINITY);
  return { ranges: [...ranges, ...added].sort((one, other) => one.from - other.from) };
}
