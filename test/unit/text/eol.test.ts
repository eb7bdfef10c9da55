import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectEol, withEol, type Eol } from "../../../src/text/eol.js";

test.each<{ text: string; eol: Eol }>([
  { text: "", eol: "none" },
  { text: "one line", eol: "none" },
  { text: "a\nb", eol: "\n" },
  { text: "a\r\nb\r\n", eol: "\r\n" },
  { text: "a\rb\r", eol: "\r" },
  { text: "a\nb\r\n", eol: "mixed" },
  { text: "a\r\rb\n", eol: "mixed" },
  { text: "\n\r", eol: "mixed" },
  { text: "\u2028\u2029\v\f", eol: "none" },
])("detectEol of $text", ({ text, eol }) => {
  expect(detectEol(text)).toBe(eol);
});

describe("withEol", () => {
  test.each<{ eol: Eol; result: string }>([
    { eol: "\n", result: "a\nb\n\nc\n" },
    { eol: "\r\n", result: "a\r\nb\r\n\r\nc\r\n" },
    { eol: "\r", result: "a\rb\r\rc\r" },
    { eol: "mixed", result: "a\nb\r\n\rc\r" },
    { eol: "none", result: "a\nb\r\n\rc\r" },
  ])("as $eol", ({ eol, result }) => {
    expect(withEol("a\nb\r\n\rc\r", eol)).toBe(result);
  });

  test("keeps the lines and gives them all one ending", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "\r\n"), maxLength: 30 });
    fc.assert(
      fc.property(text, fc.constantFrom<Eol>("\n", "\r\n", "\r"), (given, eol) => {
        const written = withEol(given, eol);
        expect(written.split(eol)).toEqual(given.split(/\r\n|\n|\r/));
        expect(["none", eol]).toContain(detectEol(written));
      }),
    );
  });
});
