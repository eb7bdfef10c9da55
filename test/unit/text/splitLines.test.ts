import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endingOf, isInsidePair, splitLines } from "../../../src/text/splitLines.js";
import { anyText } from "./arbitraries.js";

describe("splitLines", () => {
  test.each([
    { text: "", lines: [] },
    { text: "a", lines: ["a"] },
    { text: "a\n", lines: ["a\n"] },
    { text: "\n", lines: ["\n"] },
    { text: "a\r\nb\rc\n\nd", lines: ["a\r\n", "b\r", "c\n", "\n", "d"] },
    { text: "\r\r\n\n\r", lines: ["\r", "\r\n", "\n", "\r"] },
  ])("$text", ({ text, lines }) => {
    expect(splitLines(text)).toEqual(lines);
  });

  test("joined, the lines are the text, and each has one ending", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = splitLines(text);
        expect(lines.join("")).toBe(text);
        expect(lines.filter((line) => /[\r\n]/.test(line.slice(0, line.length - endingOf(line).length)))).toEqual([]);
        expect(lines.slice(0, -1).filter((line) => endingOf(line) === "")).toEqual([]);
      }),
    );
  });
});

test.each([
  { text: "a\r\nb", inside: [2] },
  { text: "😀😀", inside: [1, 3] },
  { text: "\n\r", inside: [] },
  { text: "\ude00\ud83d", inside: [] },
])("inside a pair: $text", ({ text, inside }) => {
  const places = Array.from({ length: text.length + 1 }, (_, at) => at);
  expect(places.filter((at) => isInsidePair(text, at))).toEqual(inside);
});
