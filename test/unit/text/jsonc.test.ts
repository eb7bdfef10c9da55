import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonc } from "../../../src/text/jsonc.js";

describe("JSON with comments", () => {
  const cases: [what: string, text: string, value: unknown][] = [
    ["plain JSON", '{"a": [1, "x", null]}', { a: [1, "x", null] }],
    ["line comments", '// head\n{"a": 1 // tail\n}', { a: 1 }],
    ["block comments, also over lines", '{/* a\nb */"a"/**/:1}', { a: 1 }],
    ["a comment that ends with the text", '{"a": 1} // end', { a: 1 }],
    ["a comment that never ends", '{"a": 1} /* end', { a: 1 }],
    ["trailing commas, also before a comment", '{"a": [1, 2, // two\n ], "b": {"c": 3,},}', { a: [1, 2], b: { c: 3 } }],
    [
      "what looks like a comment in a string",
      '{"a": "http://x/*y*/", "b": "\\"// no"}',
      { a: "http://x/*y*/", b: '"// no' },
    ],
    ["what looks like a trailing comma in a string", '["a,]", ",}"]', ["a,]", ",}"]],
    ["a byte order mark and CRLF", '\uFEFF{\r\n// x\r\n"a": 1,\r\n}', { a: 1 }],
    ["nothing but comments", "// nothing\n", undefined],
    ["nothing", "", undefined],
  ];
  it.each(cases)("takes %s", (_, text, value) => {
    expect(parseJsonc(text)).toEqual(value);
  });

  it.each(["{", "[1,,2]", '{"a" 1}', '{"a": "open\n"}', "{'a': 1}", "nul"])("refuses %s", (text) => {
    expect(() => parseJsonc(text)).toThrow(SyntaxError);
  });

  it("refuses a long line of quotes in time in proportion to it", () => {
    expect(() => parseJsonc('"\\'.repeat(300_000))).toThrow(SyntaxError);
    expect(() => parseJsonc(`{"a": ${'\\"'.repeat(300_000)}`)).toThrow(SyntaxError);
  });

  it("names the line of an error", () => {
    expect(() => parseJsonc('{\n// one\n"a": 1\n"b": 2\n}')).toThrow(/line 4/);
  });

  it("reads whatever JSON.stringify writes, with comments at any line end", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, undefined, 2);
        expect(parseJsonc(text.replaceAll("\n", " // a, b ]\n"))).toEqual(JSON.parse(text));
      }),
    );
  });
});
