import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addWritten, type WrittenRange } from "../../../../src/text/diff/writtenRanges.js";

/** Places of an edit in a text of some length, in order and apart, and how long what they are replaced by is. */
const places = (
  length: number,
): fc.Arbitrary<{ offset: number; length: number; text: string; startLine: number; endLine: number }[]> =>
  fc.uniqueArray(fc.nat(Math.max(0, length)), { minLength: 2, maxLength: 6 }).chain((cuts) => {
    const sorted = [...cuts].sort((one, other) => one - other);
    const pairs = sorted.flatMap((from, index) =>
      index % 2 === 0 && sorted[index + 1] !== undefined ? [{ from, to: sorted[index + 1] ?? from }] : [],
    );
    return fc.tuple(
      ...pairs.map(({ from, to }) =>
        fc
          .nat(4)
          .map((size) => ({ offset: from, length: to - from, text: "x".repeat(size), startLine: 1, endLine: 1 })),
      ),
    );
  });

describe("what edits wrote", () => {
  test("is followed through later ones as if each character was marked, or the overlap is found", () => {
    fc.assert(
      fc.property(fc.array(places(12), { minLength: 1, maxLength: 4 }), (edits) => {
        // Each character has the number of the edit that wrote it, -1 for none.
        let marks = Array.from({ length: 13 }, () => -1);
        let ranges: WrittenRange[] = [];
        for (const [edit, replacements] of edits.entries()) {
          const valid = replacements.filter(({ offset, length }) => offset + length <= marks.length);
          const result = addWritten(ranges, valid, edit);
          const isCut = ({ from, to }: WrittenRange): boolean =>
            valid.some(
              ({ offset, length }) =>
                from < offset + length &&
                offset < to &&
                !(from <= offset && offset + length <= to) &&
                !(offset <= from && to <= offset + length),
            );
          expect("overlapped" in result).toBe(ranges.some(isCut));
          if ("overlapped" in result) {
            return;
          }
          const isInside = (offset: number, end: number): WrittenRange | undefined =>
            ranges.find(({ from, to }) => from <= offset && end <= to && !(from === offset && to === end));
          let next: number[] = [];
          let done = 0;
          for (const { offset, length, text } of valid) {
            const owner = isInside(offset, offset + length)?.edit ?? edit;
            next = [...next, ...marks.slice(done, offset), ...Array.from(text, () => owner)];
            done = offset + length;
          }
          marks = [...next, ...marks.slice(done)];
          ({ ranges } = result);
          const told = marks.map((_, at) => ranges.find(({ from, to }) => from <= at && at < to)?.edit ?? -1);
          expect(told).toEqual(marks);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
