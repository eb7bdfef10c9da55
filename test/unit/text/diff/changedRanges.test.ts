import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changedRanges, type ChangedRange } from "../../../../src/text/diff/changedRanges.js";
import { isInsidePair } from "../../../../src/text/splitLines.js";
import { anyLines, anyText } from "../arbitraries.js";

describe("changedRanges", () => {
  test.each([
    { what: "nothing", before: "a\n", after: "a\n", ranges: [] },
    { what: "a word", before: "one two\n", after: "one 2\n", ranges: [{ start: 4, end: 7, text: "2" }] },
    { what: "a line put in", before: "a\nc\n", after: "a\nb\nc\n", ranges: [{ start: 2, end: 2, text: "b\n" }] },
    { what: "a line taken out", before: "a\nb\nc\n", after: "a\nc\n", ranges: [{ start: 2, end: 4, text: "" }] },
    { what: "an empty text filled", before: "", after: "a\nb", ranges: [{ start: 0, end: 0, text: "a\nb" }] },
    { what: "a text emptied", before: "a\nb", after: "", ranges: [{ start: 0, end: 3, text: "" }] },
    { what: "a final newline", before: "a\nb", after: "a\nb\n", ranges: [{ start: 3, end: 3, text: "\n" }] },
    {
      what: "two places",
      before: "let a = 1;\nkept\nlet b = 2;\n",
      after: "let a = 10;\nkept\nlet c = 2;\n",
      ranges: [
        { start: 9, end: 9, text: "0" },
        { start: 20, end: 21, text: "c" },
      ],
    },
    {
      what: "\\n to \\r\\n, never between the two",
      before: "a\r\nb",
      after: "a\nb",
      ranges: [{ start: 1, end: 3, text: "\n" }],
    },
    { what: "\\r to \\r\\n", before: "a\rb", after: "a\r\nb", ranges: [{ start: 1, end: 2, text: "\r\n" }] },
    {
      what: "a character of two code units, whole",
      before: "a😀b",
      after: "a😁b",
      ranges: [{ start: 1, end: 3, text: "😁" }],
    },
    { what: "repeated characters", before: "aaa\n", after: "aaaa\n", ranges: [{ start: 3, end: 3, text: "a" }] },
  ])("finds $what", ({ before, after, ranges }) => {
    expect(changedRanges(before, after)).toEqual(ranges);
  });

  test.each([
    { what: "any texts", texts: anyText },
    { what: "texts of lines", texts: anyLines },
  ])("applied they give the text after, and stand in order, apart, outside of pairs: $what", ({ texts }) => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const ranges = changedRanges(before, after);
        expect(applyRanges(before, ranges)).toBe(after);
        let shift = 0;
        let done = -1;
        for (const { start, end, text } of ranges) {
          expect(start).toBeGreaterThan(done);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(before.slice(start, end)).not.toBe(text);
          expect([isInsidePair(before, start), isInsidePair(before, end)]).toEqual([false, false]);
          expect([isInsidePair(after, start + shift), isInsidePair(after, start + shift + text.length)]).toEqual([
            false,
            false,
          ]);
          shift += text.length - (end - start);
          done = end;
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

/** The text that replacements of `changedRanges` make of `before`. */
function applyRanges(before: string, ranges: readonly ChangedRange[]): string {
  let result = "";
  let from = 0;
  for (const { start, end, text } of ranges) {
    result += before.slice(from, start) + text;
    from = end;
  }
  return result + before.slice(from);
}
