import * as fc from "fast-check";
import { expect, it } from "vitest";
import { changedLines } from "../../../../../src/features/changes/journal/changedLines.js";
import { lineHunks } from "../../../../../src/text/diff/lineHunks.js";
import { splitLines } from "../../../../../src/text/splitLines.js";

it.each([
  ["", "", 0, 0],
  ["", "a\nb\n", 2, 0],
  ["a\nb\n", "", 0, 2],
  ["a\nb\nc\n", "a\nx\nc\n", 1, 1],
  ["a\n", "a", 1, 1],
  ["a\r\nb\r\n", "a\nb\n", 2, 2],
  ["same\nsame\nsame\n", "same\nsame\n", 0, 1],
])("%j to %j adds %s and removes %s", (before, after, added, removed) => {
  expect(changedLines(before, after)).toEqual({ added, removed });
});

it("counts as many as a comparison of all lines", () => {
  const text = fc
    .array(fc.constantFrom("a\n", "b\n", "a", "\r\n", "\n", "c\r\n"), { maxLength: 12 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const hunks = lineHunks(splitLines(before), splitLines(after));
      const added = hunks.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0);
      const removed = hunks.reduce((sum, { start, end }) => sum + end - start, 0);
      expect(changedLines(before, after)).toEqual({ added, removed });
    }),
    { numRuns: 2_000 },
  );
});
