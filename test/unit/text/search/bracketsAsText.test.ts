import { describe, expect, test } from "vitest";
import { bracketsAsText } from "../../../../src/text/search/bracketsAsText.js";

describe("brackets that can only be text are escaped", () => {
  test.each([
    ["getPath(", "getPath\\("],
    ['c.req.header("', 'c.req.header\\("'],
    ["foo)", "foo\\)"],
    ["foo((", "foo\\(\\("],
    ["a(b)(c", "a(b)\\(c"],
    ["items[", "items\\["],
    ["items[0", "items\\[0"],
    ["{", "\\{"],
    ["a{", "a\\{"],
    ["interface{}", "interface\\{}"],
    ["import { x } from", "import \\{ x } from"],
    ["if (x) {", "if (x) \\{"],
    ["\\w+{2}(", "\\w+{2}\\("],
    ["\\p{L}(", "\\p{L}\\("],
    ["[({](", "[({]\\("],
    ["[](]x(", "[](]x\\("],
    ["[^\\]](", "[^\\]]\\("],
    ["C:\\", "C:\\\\"],
    // Alternatives between the brackets of complete groups, or of calls.
    ["(a|b)(", "(a|b)\\("],
    ["setTimeout(|setInterval(", "setTimeout\\(|setInterval\\("],
    ["a|foo(", "a|foo\\("],
    ["getPath(.*(?=x)", "getPath\\(.*(?=x)"],
  ])("%s", (pattern, text) => {
    expect(bracketsAsText(pattern)).toBe(text);
  });
});

describe("what may be a part of something else is left", () => {
  test.each([
    "foo",
    "a(b)",
    "[a(]",
    "a{2}",
    "a{2,}",
    "a{,3}",
    "\\(",
    "(get|set",
    "get|set)",
    "foo(?:",
    "foo(*",
    "foo[+",
    "a)*",
    "[0|b",
    "",
  ])("%s", (pattern) => {
    expect(bracketsAsText(pattern)).toBeUndefined();
  });
});

test("long patterns of brackets take linear time", () => {
  for (const bracket of ["(", ")", "[", "{", "(|", "\\(", "[a"]) {
    expect(() => bracketsAsText(bracket.repeat(10_000))).not.toThrow();
  }
});
