import type { Replacement } from "../match/replace.js";

/** A range that an edit wrote: offsets into the current text, and the edit's index. */
export interface WrittenRange {
  from: number;
  to: number;
  edit: number;
}

/**
 * Adjusts the ranges that earlier edits wrote for another edit of the text: ranges are disjoint and ascending.
 *
 * @param replacements the other edit's, in the text left by the previous edits, ascending and disjoint
 * @returns `overlapped`: a range that overlaps one of the edit's places only partly, neither containing the other, so
 * the edit was written without knowing that range
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
  /** Closes ranges that end before an offset, shifted by the replacements so far. */
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
      // Ranges within the place are replaced with it.
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
