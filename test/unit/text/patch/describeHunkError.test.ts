import { describe, expect, test } from "vitest";
import { describeHunkError } from "../../../../src/text/patch/describeHunkError.js";
import { applyPatchText } from "./applyPatchText.js";

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join("");
const FUNCTIONS = text("function a(x) {", "  return 2;", "}", "", "function b() {", "  return 1;", "}");
const AGAIN = "Read these lines again and copy them exactly.";

/** The hunk starts on line 2 of the patch. */
const errors: { what: string; file: string; hunk: string[]; message: string; hint: string }[] = [
  {
    what: "a line that differs",
    file: FUNCTIONS,
    hunk: ["@@", " function b() {", "-  return 2;", "+  return 3;", " }"],
    message:
      'hunk 1 (patch line 2) does not match. Nearest: lines 5-7; line 6 is "  return 1;", but patch line 4 says "  return 2;".',
    hint: AGAIN,
  },
  {
    what: "one line that nearly is there",
    file: text("a", "const value = 1;"),
    hunk: ["@@", "-const value = 2;"],
    message:
      'hunk 1 (patch line 2) does not match. Nearest: line 2; line 2 is "const value = 1;", but patch line 3 says "const value = 2;".',
    hint: AGAIN,
  },
  {
    what: "blanks that differ, and not in the same way on every line",
    file: text("  x", "\treturn 1;"),
    hunk: ["@@", "   x", "-    return 1;"],
    message: String.raw`hunk 1 (patch line 2) does not match. Nearest: lines 1-2; line 2 is "\treturn 1;", but patch line 4 says "    return 1;" (only whitespace differs).`,
    hint: AGAIN,
  },
  {
    what: "a difference far along two lines",
    file: text(`${"a".repeat(100)}b`),
    hunk: ["@@", `-${"a".repeat(100)}c`],
    message: `hunk 1 (patch line 2) does not match. Nearest: line 1; line 1 is "…${"a".repeat(20)}b", but patch line 3 says "…${"a".repeat(20)}c".`,
    hint: AGAIN,
  },
  {
    what: "characters that look the same",
    file: text("x", "p\u0430th = 1"),
    hunk: ["@@", " x", "-path = 1"],
    message:
      'hunk 1 (patch line 2) does not match. Nearest: lines 1-2; line 2 is "p\u0430th = 1", but patch line 4 says "path = 1" (U+0430 in the file, U+0061 in the patch).',
    hint: AGAIN,
  },
  {
    what: "line numbers that were copied",
    file: text("const one = 1;", "const two = 2;"),
    hunk: ["@@", "      1\tconst one = 1;", "-     2\tconst two = 2;"],
    message: String.raw`hunk 1 (patch line 2) does not match. Nearest: lines 1-2; line 1 is "const one = 1;", but patch line 3 says "     1\tconst one = 1;".`,
    hint: "Remove the line numbers that read shows.",
  },
  {
    what: "a file that ends too soon",
    file: text("a", "b"),
    hunk: ["@@", " a", "-b", "-c"],
    message:
      'hunk 1 (patch line 2) does not match. Nearest: lines 1-2; patch line 5 says "c", but the file ends before line 3.',
    hint: AGAIN,
  },
  {
    what: "nothing near",
    file: text("a"),
    hunk: ["@@", "-something else"],
    message: "hunk 1 (patch line 2) does not match: the file has none of its lines.",
    hint: "Read the file again and copy its lines.",
  },
  {
    what: "a line that has little in common",
    file: text("something quite other"),
    hunk: ["@@", "-some"],
    message: "hunk 1 (patch line 2) does not match: the file has none of its lines.",
    hint: "Read the file again and copy its lines.",
  },
  {
    what: "a change that is made already",
    file: FUNCTIONS,
    hunk: ["@@", " function a(x) {", "-  return 9;", "+  return 2;"],
    message: "hunk 1 (patch line 2) does not match; the file already has its new lines at line 1.",
    hint: "Read the file again; the change may already have been made.",
  },
  {
    what: "several places",
    file: text("}", "x", "}"),
    hunk: ["@@", "-}"],
    message: "hunk 1 (patch line 2) matches 2 places (lines 1, 3).",
    hint: "Add context lines, or put the line that opens the enclosing block after @@.",
  },
  {
    what: "very many places",
    file: text(...Array.from({ length: 500 }, () => "}")),
    hunk: ["@@", "-}"],
    message: `hunk 1 (patch line 2) matches 500 places (lines ${Array.from({ length: 20 }, (_, at) => at + 1).join(", ")} and 480 more).`,
    hint: "Add context lines, or put the line that opens the enclosing block after @@.",
  },
  {
    what: "a header that is missing",
    file: FUNCTIONS,
    hunk: ["@@ function c() {", "-  return 1;"],
    message: 'hunk 1 (patch line 2): no line in the file matches its header "function c() {".',
    hint: "Copy the whole line from the file after @@, or omit the header.",
  },
  {
    what: "a header that is the beginning of a line",
    file: FUNCTIONS,
    hunk: ["@@ function a", "-  return 1;"],
    message:
      'hunk 1 (patch line 2): no line in the file matches its header "function a", though line 1 begins with it.',
    hint: "Copy the whole line from the file after @@, or omit the header.",
  },
  {
    what: "a header outside the one before it",
    file: FUNCTIONS,
    hunk: ["@@ function b() {", "@@ function a(x) {", "-  return 2;"],
    message:
      'hunk 1 (patch line 2): its header "function a(x) {" is on line 1, but not in the block of the preceding header.',
    hint: "Copy the whole line from the file after @@, or omit the header.",
  },
  {
    what: "a header whose block lacks the lines",
    file: FUNCTIONS,
    hunk: ["@@ function a(x) {", "-  return 1;", "+  return 3;"],
    message: "hunk 1 (patch line 2) matches at line 6, but neither in the block of its header nor after it.",
    hint: "Read the header's block: it may have changed. If you meant the other place, use its header.",
  },
  {
    what: "a header whose block is changed already",
    file: FUNCTIONS,
    hunk: ["@@ function a(x) {", "-  return 1;", "+  return 2;"],
    message:
      "hunk 1 (patch line 2) matches at line 6, not in the block of its header; the file already has its new lines at line 2.",
    hint: "Read the file again; the change may already have been made.",
  },
  {
    what: "lines that are not at the end",
    file: text("a", "b"),
    hunk: ["@@", "-a", "*** End of File"],
    message: "hunk 1 (patch line 2) matches at line 1, but the patch says it ends at the end of the file.",
    hint: "Read the end of the file, or remove *** End of File or the missing-newline marker.",
  },
  {
    what: "an insertion without an anchor",
    file: text("a"),
    hunk: ["@@ -1,2 +1,3 @@", "+b"],
    message: "hunk 1 (patch line 2) only adds lines and does not say where.",
    hint: "Add a context line, a header after @@, or *** End of File.",
  },
  {
    what: "two hunks that overlap",
    file: text("a", "b"),
    hunk: ["@@", "-a", "-b", "@@", "-b"],
    message: "hunk 2 (patch line 5) and hunk 1 both change the file at line 2.",
    hint: "Merge them into one hunk; all hunks apply to the current file.",
  },
];

describe("a hunk that cannot be applied is explained:", () => {
  test.each(errors)("$what", ({ file, hunk, message, hint }) => {
    const applied = applyPatchText(file, text("*** Update File: a", ...hunk));
    expect(applied.ok ? [] : applied.errors.map(describeHunkError)).toEqual([{ message, hint }]);
  });

  test("in a few lines, however long those of the file are", () => {
    const applied = applyPatchText(`x${"a".repeat(1e6)}`, text("*** Update File: a", "@@", `-y${"a".repeat(1e6)}`));
    const [described] = applied.ok ? [] : applied.errors.map(describeHunkError);
    expect(described?.message.length).toBeLessThan(400);
  });
});
