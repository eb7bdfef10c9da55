import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findOccurrences, replaceAt } from "../../../src/text/replace.js";

describe("findOccurrences", () => {
  test.each([
    { what: "none", text: "abc", needle: "x", lines: [] },
    { what: "an empty needle finds nothing", text: "abc", needle: "", lines: [] },
    { what: "overlaps count once, from the left", text: "aaaa", needle: "aa", lines: [1, 1] },
    { what: "LF lines", text: "x\ny\nx", needle: "x", lines: [1, 3] },
    { what: "CRLF lines", text: "x\r\ny\r\nx", needle: "x", lines: [1, 3] },
    { what: "CR lines", text: "x\ry\rx", needle: "x", lines: [1, 3] },
    { what: "mixed lines", text: "x\ry\r\nx\nx", needle: "x", lines: [1, 3, 4] },
    { what: "a needle that is a line ending", text: "a\nb\n", needle: "\n", lines: [1, 2] },
    { what: "half of a CRLF", text: "a\r\nb\r\n", needle: "\n", lines: [1, 2] },
    { what: "over several lines", text: "a\nb\na\nb", needle: "a\nb", lines: [1, 3] },
    { what: "behind empty lines", text: "\n\n\nx", needle: "x", lines: [4] },
    { what: "nothing is a pattern", text: "a.c abc", needle: "a.c", lines: [1] },
  ])("$what", ({ text, needle, lines }) => {
    expect(findOccurrences(text, needle).map(({ line }) => line)).toEqual(lines);
  });

  test("finds every place in one very long line", () => {
    // A minified bundle: the time must grow with the text, not with text × places.
    expect(findOccurrences("ab".repeat(1_000_000), "a")).toHaveLength(1_000_000);
  });

  test("gives the places and lines that a plain count gives", () => {
    const unit = fc.constantFrom("a", "b", "\n", "\r", "\r\n");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), fc.string({ unit, minLength: 1, maxLength: 3 }), (text, needle) => {
        const places: { offset: number; line: number }[] = [];
        for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
          const endings = [...text.matchAll(/\r\n|\n|\r/g)].filter((match) => match.index + match[0].length <= at);
          places.push({ offset: at, line: endings.length + 1 });
        }
        expect(findOccurrences(text, needle)).toEqual(places);
      }),
    );
  });
});

describe("replaceAt", () => {
  test.each(["$&", "$1", "$$", "$`", "$'", "\\n", ""])("takes %j as it is", (replacement) => {
    const text = "one two one";
    expect(replaceAt(text, findOccurrences(text, "one"), 3, replacement)).toBe(`${replacement} two ${replacement}`);
  });

  test("is what splitting and joining gives", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 30 });
    fc.assert(
      fc.property(text, fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 }), fc.string(), (given, needle, replacement) => {
        expect(replaceAt(given, findOccurrences(given, needle), needle.length, replacement)).toBe(given.split(needle).join(replacement));
      }),
    );
  });
});
