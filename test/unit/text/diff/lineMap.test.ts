import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineMap } from "../../../../src/text/diff/lineMap.js";
import { splitLines } from "../../../../src/text/splitLines.js";
import { anyLines, anyText } from "../arbitraries.js";

const U = undefined;

describe("lineMap", () => {
  test.each([
    { what: "lines put in", before: "a\nb\n", after: "a\nx\ny\nb\n", to: [1, 4, 5, U] },
    { what: "lines taken out", before: "a\nb\nc\n", after: "a\nc\n", to: [1, U, 2, 3, U] },
    { what: "a line changed", before: "a\nb\nc", after: "a\nB\nc", to: [1, U, 3, U] },
    { what: "nothing", before: "a\n", after: "a\n", to: [1, 2, U] },
    { what: "the end gone", before: "a\nb\nc", after: "a\n", to: [1, U, U, U] },
    { what: "a text emptied", before: "a\nb\n", after: "", to: [U, U, 1] },
    { what: "an empty text filled", before: "", after: "a\nb", to: [U, U] },
    { what: "an empty text filled with whole lines", before: "", after: "a\n", to: [2, U] },
    { what: "a final newline gone", before: "a\nb\n", after: "a\nb", to: [1, U, U] },
  ])("follows lines past $what", ({ before, after, to }) => {
    const map = lineMap(before, after);
    expect(to.map((_, index) => map.toAfter(index + 1))).toEqual(to);
  });

  test.each([0, -1, 1.5, NaN, Infinity])("has no line %d", (line) => {
    expect(lineMap("a\nb\n", "a\nb\n").toAfter(line)).toBeUndefined();
  });

  test("numbers the changes alike on both sides", () => {
    const map = lineMap("a\nb\nc\nd\ne\n", "A\nb\nc\nD\nE\nE\ne\n");
    const lines = [1, 2, 3, 4, 5, 6, 7];
    expect(lines.map((line) => map.changeOfOld(line))).toEqual([0, U, U, 1, U, U, U]);
    expect(lines.map((line) => map.changeOfNew(line))).toEqual([0, U, U, 1, 1, 1, U]);
  });

  test("leads to equal lines, in order, and every line is either one that stood or part of a change", () => {
    const texts = fc.oneof(anyText, anyLines);
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const map = lineMap(before, after);
        const [oldLines, newLines] = [splitLines(before), splitLines(after)];
        let last = 0;
        const reached = new Set<number>();
        for (const [index, text] of oldLines.entries()) {
          const now = map.toAfter(index + 1);
          expect(now === undefined).toBe(map.changeOfOld(index + 1) !== undefined);
          if (now !== undefined) {
            expect(now).toBeGreaterThan(last);
            expect(newLines[now - 1]).toBe(text);
            reached.add(now);
            last = now;
          }
        }
        for (const index of newLines.keys()) {
          expect(reached.has(index + 1)).toBe(map.changeOfNew(index + 1) === undefined);
        }
      }),
      { numRuns: 500 },
    );
  });
});
