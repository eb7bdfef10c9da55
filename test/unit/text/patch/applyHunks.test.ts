import { describe, expect, test } from "vitest";
import { applyHunks, applyUpdate } from "../../../../src/text/patch/applyHunks.js";
import type { HunkError } from "../../../../src/text/patch/hunkError.js";
import { filesOf } from "./applyPatchText.js";

interface Case {
  what: string;
  file: string;
  /** The lines below `*** Update File`, or a whole unified diff of a file. */
  patch: string[];
  /** The text afterwards, or the errors. */
  gives: string;
  /** What decided, or was left out of account. */
  notes?: string[];
}

/** A text of lines that end with LF. */
const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join("");

function outcomeOf(file: string, patch: string[]): { gives: string; notes: string[] } {
  const isWhole = patch[0]?.startsWith("--- ") === true || patch[0]?.startsWith("diff ") === true;
  const [read, second] = filesOf(
    (isWhole ? patch : ["*** Begin Patch", "*** Update File: a", ...patch, "*** End Patch"]).join("\n").concat("\n"),
  );
  if (!read || read.kind === "add" || second) {
    throw new Error("The patch does not change one file.");
  }
  const applied = applyUpdate(file, read);
  return applied.ok
    ? { gives: applied.text, notes: applied.notes.map(({ rule }) => rule) }
    : { gives: applied.errors.map(shownError).join("; "), notes: [] };
}

function shownError(error: HunkError): string {
  switch (error.type) {
    case "no_match":
      return `${error.hunk} no_match${error.excluded.length > 0 ? ` but at ${error.excluded.join()}` : ""}`;
    case "not_unique":
      return `${error.hunk} not_unique ${error.lines.join()}`;
    case "header_missing":
      return `${error.hunk} header_missing${error.elsewhere.length > 0 ? ` but at ${error.elsewhere.join()}` : ""}`;
    case "overlap":
      return `${error.hunk} overlap ${error.other} at ${error.fileLine}`;
    case "no_anchor":
    case "too_complex":
      return `${error.hunk} ${error.type}`;
  }
}

const CLASSES = text(
  "class A:",
  "    def run(self):",
  "        return 1",
  "",
  "    def stop(self):",
  "        return 1",
  "",
  "class B:",
  "    def run(self):",
  "        return 1",
  "",
  "    def stop(self):",
  "        return 1",
);
const inClasses = (line: number): string => {
  const lines = CLASSES.split("\n");
  lines[line - 1] = "        return 2";
  return lines.join("\n");
};
const RETURN = ["-        return 1", "+        return 2"];
const FUNCTIONS = text("function a() {", "  return 1;", "}", "", "function b() {", "  return 1;", "}");

const meaning: Case[] = [
  // Places.
  { what: "one place", file: text("a", "b", "c"), patch: ["@@", " a", "-b", "+B", " c"], gives: text("a", "B", "c") },
  { what: "several places", file: text("a", "x", "a"), patch: ["@@", "-a", "+b"], gives: "1 not_unique 1,3" },
  { what: "no place", file: text("a"), patch: ["@@", "-b"], gives: "1 no_match" },
  {
    what: "nothing like the hunk, where Copilot's edit distance deletes",
    file: text("if (y)", "keep me 1", "keep me 2"),
    patch: ["@@", "-if (x)", "-delete everything", "-completely other"],
    gives: "1 no_match",
  },
  {
    what: "six lines to delete in a file of two, which Copilot empties",
    file: "q\na",
    patch: ["@@", "-1", "-2", "-3", "-4", "-5", "-6"],
    gives: "1 no_match",
  },
  {
    what: "other indentation",
    file: text("    a"),
    patch: ["@@", "-  a", "+  b"],
    gives: text("    b"),
    notes: ["indentation"],
  },
  {
    what: "tabs for spaces",
    file: text("\ta"),
    patch: ["@@", "-    a", "+    b"],
    gives: text("\tb"),
    notes: ["indentation"],
  },
  { what: "other letters", file: text("Value"), patch: ["@@", "-value", "+x"], gives: "1 no_match" },
  {
    what: "line numbers copied from read",
    file: text("one", "two"),
    patch: ["@@", "1\tone", "-2\ttwo", "+2\tTWO"],
    gives: "1 no_match",
  },
  {
    what: "hunks out of order",
    file: text("a", "b", "c", "d"),
    patch: ["@@", "-d", "+D", "@@", "-a", "+A", "@@", "-c"],
    gives: text("A", "b", "D"),
  },
  {
    what: "a hunk at the end of the file before one at its start",
    file: text("a", "b"),
    patch: ["@@", "-b", "+B", "*** End of File", "@@", "-a", "+A"],
    gives: text("A", "B"),
  },
  {
    what: "context that another hunk changes, as it was",
    file: text("a", "b", "c"),
    patch: ["@@", "-a", "+A", " b", "@@", " a", " b", "-c", "+C"],
    gives: text("A", "b", "C"),
  },
  {
    what: "context as another hunk leaves it",
    file: text("a", "b", "c"),
    patch: ["@@", "-a", "+A", "@@", " A", "-b"],
    gives: "2 no_match",
  },
  {
    what: "two hunks that replace one line",
    file: text("a", "b", "c"),
    patch: ["@@", "-a", "-b", "+x", "@@", "-b", "+y"],
    gives: "2 overlap 1 at 2",
  },
  { what: "one hunk twice", file: text("a"), patch: ["@@", "-a", "+b", "@@", "-a", "+b"], gives: "2 overlap 1 at 1" },
  {
    what: "two insertions at one place",
    file: text("a", "b"),
    patch: ["@@", " a", "+x", "@@", "+y", " b"],
    gives: "2 overlap 1 at 2",
  },
  {
    what: "an insertion inside lines that another hunk removes",
    file: text("a", "b"),
    patch: ["@@", "-a", "-b", "@@", " a", "+x", " b"],
    gives: "2 overlap 1 at 2",
  },
  {
    what: "hunks side by side",
    file: text("a", "b", "c"),
    patch: ["@@", "-a", "+A", "@@", "-b", "+B", "@@", " b", "+x", " c"],
    gives: text("A", "B", "x", "c"),
  },
  {
    what: "several errors at once",
    file: text("a", "a", "b"),
    patch: ["@@", "-a", "@@", "-b", "@@", "-c", "@@ -7,2 +7,3 @@", "+d"],
    gives: "1 not_unique 1,2; 3 no_match; 4 no_anchor",
  },
  { what: "equal lines that overlap", file: text("x", "x", "x"), patch: ["@@", "-x", "-x"], gives: "1 not_unique 1,2" },
  {
    what: "a line that is a prototype's name",
    file: text("constructor", "__proto__"),
    patch: ["@@", "-__proto__", "+toString", "@@", "-constructor"],
    gives: text("toString"),
  },

  // Headers.
  {
    what: "stacked headers",
    file: CLASSES,
    patch: ["@@ class B:", "@@     def run(self):", ...RETURN],
    gives: inClasses(10),
    notes: ["header"],
  },
  {
    what: "one header of several lines that have it",
    file: CLASSES,
    patch: ["@@ def run(self):", ...RETURN],
    gives: "1 not_unique 3,6,10,13",
  },
  {
    what: "a header whose block has the lines once",
    file: FUNCTIONS,
    patch: ["@@ function a() {", "-  return 1;", "+  return 2;"],
    gives: FUNCTIONS.replace("1", "2"),
    notes: ["header"],
  },
  {
    what: "a header whose block has the lines no more, though another has",
    file: FUNCTIONS.replace("1", "2"),
    patch: ["@@ function a() {", "-  return 1;", "+  return 2;"],
    gives: "1 no_match but at 6",
  },
  {
    what: "a header in a class that lacks it, though another has it",
    file: CLASSES.replace("def run", "def go"),
    patch: ["@@ class A:", "@@ def run(self):", ...RETURN],
    gives: "1 header_missing but at 9",
  },
  {
    what: "a header below the hunk's only place",
    file: FUNCTIONS,
    patch: ["@@ function b() {", "-function a() {", "+function c() {"],
    gives: "1 no_match but at 1",
  },
  {
    what: "a header that is the hunk's first line",
    file: FUNCTIONS,
    patch: ["@@ function b() {", " function b() {", "-  return 1;"],
    gives: FUNCTIONS.replace("  return 1;\n}\n\nfunction b() {\n  return 1;\n", "  return 1;\n}\n\nfunction b() {\n"),
  },
  {
    what: "a header without a block",
    file: text("import a", "x = 1", "import b", "x = 1"),
    patch: ["@@ import b", "-x = 1", "+x = 2"],
    gives: text("import a", "x = 1", "import b", "x = 2"),
    notes: ["header"],
  },
  {
    what: "a brace on a line of its own",
    file: text("int a()", "{", "  x;", "}", "int b()", "{", "  x;", "}"),
    patch: ["@@ int a()", "-  x;", "+  y;"],
    gives: text("int a()", "{", "  y;", "}", "int b()", "{", "  x;", "}"),
    notes: ["header"],
  },
  {
    what: "a brace on a line of its own, and the lines gone",
    file: text("int a()", "{", "  y;", "}", "int b()", "{", "  x;", "}"),
    patch: ["@@ int a()", "-  x;", "+  y;"],
    gives: "1 no_match but at 7",
  },
  {
    what: "a head of several lines",
    file: text("def a(", "    x,", "):", "    return x", "def b(", "    x,", "):", "    return x"),
    patch: ["@@ def a(", "-    return x", "+    return y"],
    gives: text("def a(", "    x,", "):", "    return y", "def b(", "    x,", "):", "    return x"),
    notes: ["header"],
  },
  {
    what: "the closing line of a block",
    file: FUNCTIONS,
    patch: ["@@ function a() {", "-}", "+};"],
    gives: FUNCTIONS.replace("}", "};"),
    notes: ["header"],
  },
  {
    what: "a section of Markdown",
    file: text("## A", "text", "### C", "text 2", "## B", "text"),
    patch: ["@@ ## A", "-text", "+other"],
    gives: text("## A", "other", "### C", "text 2", "## B", "text"),
    notes: ["header"],
  },
  {
    what: "a section of Markdown that lacks the line, though another has it",
    file: text("## A", "```", "## no heading", "```", "other", "## B", "text"),
    patch: ["@@ ## A", "-text", "+other"],
    gives: "1 no_match but at 7",
  },
  {
    what: "a section of Markdown with code in it",
    file: text("## A", "```", "## no heading", "```", "text", "## B", "text"),
    patch: ["@@ ## A", "-text", "+other"],
    gives: text("## A", "```", "## no heading", "```", "other", "## B", "text"),
    notes: ["header"],
  },
  {
    what: "a section in brackets",
    file: text("[a]", "x=1", "[b]", "x=1"),
    patch: ["@@ [a]", "-x=1", "+x=2"],
    gives: text("[a]", "x=2", "[b]", "x=1"),
    notes: ["header"],
  },
  {
    what: "a section in brackets that lacks the line, though another has it",
    file: text("[a]", "x=2", "[b]", "x=1"),
    patch: ["@@ [a]", "-x=1", "+x=2"],
    gives: "1 no_match but at 4",
  },
  {
    what: "a list of YAML that is not indented",
    file: text("a:", "- x", "b:", "- x"),
    patch: ["@@ a:", "-- x", "+- y"],
    gives: text("a:", "- y", "b:", "- x"),
    notes: ["header"],
  },
  {
    what: "a header that is missing",
    file: FUNCTIONS,
    patch: ["@@ function c() {", "-  return 1;"],
    gives: "1 header_missing",
  },
  {
    what: "a part of a line as a header",
    file: FUNCTIONS,
    patch: ["@@ function a", "-  return 1;"],
    gives: "1 header_missing",
  },
  {
    what: "headers in the wrong order",
    file: text("a", " x", "b", " y"),
    patch: ["@@ b", "@@ a", "- x"],
    gives: "1 header_missing but at 1",
  },
  {
    what: "a header indented otherwise",
    file: FUNCTIONS,
    patch: ["@@      function b() {", "-  return 1;"],
    gives: text("function a() {", "  return 1;", "}", "", "function b() {", "}"),
    notes: ["header"],
  },
  {
    what: "a header with look-alikes",
    file: text("say(“a”)", " x", "say(“b”)", " x"),
    patch: ['@@ say("b")', "- x"],
    gives: text("say(“a”)", " x", "say(“b”)"),
    notes: ["header"],
  },

  // Insertions.
  {
    what: "an insertion without an anchor, which is put at the end",
    file: text("a", "b"),
    patch: ["@@", "+c", "+d"],
    gives: text("a", "b", "c", "d"),
    notes: ["appended"],
  },
  {
    what: "an insertion without an anchor, and without @@",
    file: text("a"),
    patch: ["+b", ""],
    gives: text("a", "b"),
    notes: ["appended"],
  },
  {
    what: "an insertion without an anchor, in a file without a final newline",
    file: "a",
    patch: ["@@", "+b"],
    gives: "a\nb",
    notes: ["appended"],
  },
  {
    what: "an insertion without an anchor in a CRLF file",
    file: "a\r\n",
    patch: ["@@", "+b"],
    gives: "a\r\nb\r\n",
    notes: ["appended"],
  },
  {
    what: "an insertion without an anchor beside another hunk",
    file: text("a", "b"),
    patch: ["@@", "-a", "+A", "@@", "+c"],
    gives: text("A", "b", "c"),
    notes: ["appended"],
  },
  {
    what: "two insertions without an anchor",
    file: text("a"),
    patch: ["@@", "+b", "@@", "+c"],
    gives: "2 overlap 1 at 2",
  },
  {
    what: "an insertion without an anchor in a unified diff",
    file: text("a"),
    patch: ["--- a/a", "+++ b/a", "@@ ... @@", "+b"],
    gives: text("a", "b"),
    notes: ["appended"],
  },
  {
    what: "an insertion behind the line that the header names",
    file: text("a", "b"),
    patch: ["--- a/a", "+++ b/a", "@@ -1,0 +2 @@", "+x"],
    gives: text("a", "x", "b"),
    notes: ["line_number_alone"],
  },
  {
    what: "an insertion before the first line, as the header says",
    file: text("a", "b"),
    patch: ["--- a/a", "+++ b/a", "@@ -0,0 +1,2 @@", "+x", "+y"],
    gives: text("x", "y", "a", "b"),
    notes: ["line_number_alone"],
  },
  {
    what: "an insertion behind the last line, as the header says",
    file: text("a", "b"),
    patch: ["@@ -2,0 +3 @@", "+x"],
    gives: text("a", "b", "x"),
    notes: ["line_number_alone"],
  },
  {
    what: "an insertion behind a line that the file does not have",
    file: text("a", "b"),
    patch: ["--- a/a", "+++ b/a", "@@ -3,0 +4 @@", "+x"],
    gives: "1 no_anchor",
  },
  {
    what: "an insertion whose header counts lines around it",
    file: text("a", "b"),
    patch: ["@@ -1,2 +1,3 @@", "+x"],
    gives: "1 no_anchor",
  },
  {
    what: "an insertion whose header counts other lines",
    file: text("a", "b"),
    patch: ["@@ -1,0 +2,3 @@", "+x"],
    gives: "1 no_anchor",
  },
  {
    what: "an insertion with a line number, in a file that has carriage returns alone",
    file: "a\rb\nc\n",
    patch: ["@@ -1,0 +2 @@", "+x"],
    gives: "1 no_anchor",
  },
  {
    what: "an insertion with a line number beside a hunk whose number holds",
    file: text("a", "b", "c"),
    patch: ["--- a/a", "+++ b/a", "@@ -1,0 +2 @@", "+x", "@@ -3 +4 @@", "-c", "+C"],
    gives: text("a", "x", "b", "C"),
    notes: ["line_number_alone"],
  },
  {
    what: "an insertion with a line number beside a hunk whose number is wrong",
    file: text("a", "b", "c"),
    patch: ["--- a/a", "+++ b/a", "@@ -1,0 +2 @@", "+x", "@@ -2 +3 @@", "-c", "+C"],
    gives: "1 no_anchor",
  },
  {
    what: "an insertion between blank lines",
    file: text("a", "", "b"),
    patch: ["@@", "", "+x", ""],
    gives: "1 no_anchor",
  },
  { what: "an insertion behind context", file: text("a", "b"), patch: ["@@", " a", "+x"], gives: text("a", "x", "b") },
  { what: "an insertion before context", file: text("a", "b"), patch: ["@@", "+x", " b"], gives: text("a", "x", "b") },
  {
    what: "an insertion below a header",
    file: FUNCTIONS,
    patch: ["@@ function b() {", "+  x();"],
    gives: FUNCTIONS.replace("b() {\n", "b() {\n  x();\n"),
    notes: ["after_header"],
  },
  {
    what: "an insertion below a header that stands twice",
    file: text("a", "x", "a"),
    patch: ["@@ a", "+b"],
    gives: "1 not_unique 2,4",
  },
  {
    what: "an insertion at the end of the file",
    file: text("a"),
    patch: ["@@", "+b", "*** End of File"],
    gives: text("a", "b"),
  },
  {
    what: "an insertion at the end of a file without a final newline",
    file: "a",
    patch: ["@@", "+b", "*** End of File"],
    gives: "a\nb",
  },
  { what: "an insertion in an empty file", file: "", patch: ["@@", "+a", "+b"], gives: text("a", "b") },
  { what: "an insertion in a file of a byte order mark", file: "\uFEFF", patch: ["@@", "+a"], gives: "\uFEFFa\n" },

  // End of File.
  {
    what: "End of File between equal lines",
    file: text("a", "b", "a"),
    patch: ["@@", "-a", "+c", "*** End of File"],
    gives: text("a", "b", "c"),
    notes: ["end_of_file"],
  },
  {
    what: "End of File with blank lines behind",
    file: text("a", "b", "a", "", "  "),
    patch: ["@@", "-a", "+c", "*** End of File"],
    gives: text("a", "b", "c", "", "  "),
    notes: ["end_of_file"],
  },
  {
    what: "End of File where the lines are not at the end",
    file: text("a", "b"),
    patch: ["@@", "-a", "+c", "*** End of File"],
    gives: "1 no_match but at 1",
  },
  {
    what: "End of File in a file without a final newline",
    file: "a\nb\na",
    patch: ["@@", "-a", "+c", "*** End of File"],
    gives: "a\nb\nc",
    notes: ["end_of_file"],
  },
  {
    what: "no newline at the end, and more lines behind",
    file: text("a", "b"),
    patch: ["--- a/a", "+++ b/a", "@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+c"],
    gives: "1 no_match but at 1",
  },

  {
    what: "no newline at the end, and a blank line behind",
    file: text("a", ""),
    patch: ["--- a/a", "+++ b/a", "@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+c"],
    gives: "1 no_match but at 1",
  },

  // Line numbers.
  {
    what: "a line number between equal places",
    file: text("a", "b", "a"),
    patch: ["--- a/a", "+++ b/a", "@@ -3 +3 @@", "-a", "+c"],
    gives: text("a", "b", "c"),
    notes: ["line_number"],
  },
  {
    what: "a wrong line number between equal places",
    file: text("a", "b", "a"),
    patch: ["--- a/a", "+++ b/a", "@@ -2 +2 @@", "-a", "+c"],
    gives: "1 not_unique 1,3",
  },
  {
    what: "a wrong line number, one place",
    file: text("a", "b", "c"),
    patch: ["--- a/a", "+++ b/a", "@@ -90 +90 @@", "-c", "+d"],
    gives: text("a", "b", "d"),
  },
  {
    what: "a line number in the other dialect",
    file: text("a", "b", "a"),
    patch: ["@@ -3,1 +3,1 @@", "-a", "+c"],
    gives: text("a", "b", "c"),
    notes: ["line_number"],
  },
  {
    what: "counts that leave out the context which tells the places apart",
    file: text("a", "b", "x", "a", "b", "d"),
    patch: ["--- a/a", "+++ b/a", "@@ -1,2 +1,2 @@", " a", "-b", "+c", " d"],
    gives: text("a", "b", "x", "a", "c", "d"),
  },

  // Another indentation.
  {
    what: "less indentation than the file, on every line",
    file: text("x", "    if (a) {", "      b", "    }"),
    patch: ["@@", " if (a) {", "-  b", "+  c", "+  d", " }"],
    gives: text("x", "    if (a) {", "      c", "      d", "    }"),
    notes: ["indentation"],
  },
  {
    what: "more indentation than the file, on every line",
    file: text("a:", "  b"),
    patch: ["@@", "   a:", "-    b", "+    c"],
    gives: text("a:", "  c"),
    notes: ["indentation"],
  },
  {
    what: "an inserted line where the context has another indentation",
    file: text("    a", "    b"),
    patch: ["@@", "  a", "+ x", "  b"],
    gives: text("    a", "    x", "    b"),
    notes: ["indentation"],
  },
  {
    what: "another indentation, and blank lines and blanks behind lines",
    file: text("    a  ", "", "    b"),
    patch: ["@@", "   a", " ", "-  b", "+  c"],
    gives: text("    a  ", "", "    c"),
    notes: ["indentation"],
  },
  {
    what: "an indentation that differs by line",
    file: text("  a", "      b"),
    patch: ["@@", " a", "-  b", "+  c"],
    gives: "1 no_match",
  },
  {
    what: "another indentation of several places",
    file: text("  a", "x", "    a"),
    patch: ["@@", "-a", "+b"],
    gives: "1 not_unique 1,3",
  },
  {
    what: "another indentation of two places, one of which shifts no line that comes",
    file: text("\ta", "x", "  a"),
    patch: ["@@", "-    a", "+  b"],
    gives: "1 not_unique 1,3",
  },
  {
    what: "another indentation that tells nothing of a line that comes",
    file: text("\ta"),
    patch: ["@@", "-    a", "+  b"],
    gives: "1 no_match",
  },
  {
    what: "the indentation of the patch before another",
    file: text("  a", "x", "    a"),
    patch: ["@@", "-  a", "+  b"],
    gives: text("  b", "x", "    a"),
  },
  {
    what: "context that lost its space before another indentation",
    file: text("  a", "  c"),
    patch: ["@@", "  a", "+  x", "  c"],
    gives: text("  a", "  x", "  c"),
    notes: ["bare_context"],
  },
  {
    what: "another indentation below a header",
    file: CLASSES,
    patch: ["@@ class B:", "@@     def run(self):", "-return 1", "+return 2"],
    gives: inClasses(10),
    notes: ["indentation", "header"],
  },
  {
    what: "another indentation in a CRLF file",
    file: "  a\r\n  b\r\n",
    patch: ["@@", " a", "-b", "+c"],
    gives: "  a\r\n  c\r\n",
    notes: ["indentation"],
  },

  // Letters in another form.
  {
    what: "characters that are another one by definition",
    file: text("5 \u212b", "10 \u2126\u037e"),
    patch: ["@@", " 5 Å", "-10 Ω;", "+11 Ω;"],
    gives: text("5 \u212b", "11 \u2126\u037e"),
    notes: ["look_alikes"],
  },
  {
    what: "quotes that look alike, before and after a hunk that only adds lines",
    file: text('"p"', "a", "“q”", "b"),
    patch: ["@@", "-“p”", "+o", "@@ a", "+x", "@@", '-"q"', "+r"],
    gives: text("o", "a", "x", "r", "b"),
    notes: ["look_alikes", "after_header", "look_alikes"],
  },
  {
    what: "composed letters for decomposed ones",
    file: text("e\u0301", "cafe\u0301 u\u0308"),
    patch: ["@@", " é", "-café ü", "+café ö", "+ß é"],
    gives: text("e\u0301", "cafe\u0301 o\u0308", "ß e\u0301"),
    notes: ["unicode_form"],
  },
  {
    what: "decomposed letters for composed ones",
    file: text("é", "b"),
    patch: ["@@", " e\u0301", "-b", "+a\u0308"],
    gives: text("é", "ä"),
    notes: ["unicode_form"],
  },
  {
    what: "decomposed letters, look-alikes and blanks",
    file: text("“cafe\u0301” "),
    patch: ["@@", '-"café"', '+"café noir"'],
    gives: text("“cafe\u0301 noir”"),
    notes: ["unicode_form"],
  },
  {
    what: "letters in another form in two places",
    file: text("e\u0301", "x", "e\u0301"),
    patch: ["@@", "-é", "+a"],
    gives: "1 not_unique 1,3",
  },
  {
    what: "letters in the form of the patch before another",
    file: text("e\u0301", "é"),
    patch: ["@@", "-é", "+a"],
    gives: text("e\u0301", "a"),
  },

  // Headers of others.
  {
    what: "@@ ... @@, which is none",
    file: text("a", "b"),
    patch: ["--- a/a", "+++ b/a", "@@ ... @@", "-b", "+c"],
    gives: text("a", "c"),
  },
  { what: "@@ ...", file: text("a", "b"), patch: ["@@ ...", "-b", "+c"], gives: text("a", "c") },
  {
    what: "a header without a blank behind @@",
    file: FUNCTIONS,
    patch: ["@@function b() {", "-  return 1;", "+  return 2;"],
    gives: FUNCTIONS.replace("b() {\n  return 1", "b() {\n  return 2"),
    notes: ["glued_header", "header"],
  },
  {
    what: "headers without a blank, one for each hunk",
    file: text("section1", "[old code1]", "section2", "[old code2]"),
    patch: ["@@section1", "-[old code1]", "+[new code1]", "@@section2", "-[old code2]", "+[new code2]"],
    gives: text("section1", "[new code1]", "section2", "[new code2]"),
    notes: ["glued_header"],
  },
  {
    what: "a header without a blank that no line is",
    file: FUNCTIONS,
    patch: ["@@function c() {", "-  return 1;"],
    gives: "1 header_missing",
  },
  {
    what: "a line of the file that starts with @@",
    file: text("@@count = 0", "a"),
    patch: ["@@", "@@count = 0", "-a", "+b"],
    gives: text("@@count = 0", "b"),
  },
  {
    what: "context alone before a hunk, which says where",
    file: CLASSES,
    patch: ["@@", " class B:", "@@", " def run(self):", "@@", ...RETURN],
    gives: inClasses(10),
    notes: ["header"],
  },
  {
    what: "context alone below a header",
    file: CLASSES,
    patch: ["@@ class B:", "     def run(self):", "@@", ...RETURN],
    gives: inClasses(10),
    notes: ["header"],
  },
  {
    what: "context alone that the file does not have",
    file: FUNCTIONS,
    patch: ["@@", " function c() {", "@@", "-  return 1;"],
    gives: "1 header_missing",
  },
  {
    what: "context alone behind which the hunk is not",
    file: FUNCTIONS,
    patch: ["@@", " function b() {", "@@", "-function a() {"],
    gives: "1 no_match but at 1",
  },

  // The end of the file as an editor shows it.
  {
    what: "a blank context line behind the last line",
    file: text("a", "b"),
    patch: ["@@", " a", "-b", "+c", " "],
    gives: text("a", "c"),
    notes: ["end_lines"],
  },
  {
    what: "a blank context line behind the last line, which is not unique",
    file: text("b", "a", "b"),
    patch: ["@@", "-b", "+c", " "],
    gives: text("b", "a", "c"),
    notes: ["end_lines", "end_of_file"],
  },
  {
    what: "a blank context line that is not in the file, before its end",
    file: text("a", "b", "x"),
    patch: ["@@", " a", "-b", "+c", " "],
    gives: "1 no_match",
  },
  {
    what: "a blank context line that the file has behind its last line",
    file: text("a", "b", ""),
    patch: ["@@", "-b", "+c", " "],
    gives: text("a", "c", ""),
  },
  {
    what: "a blank context line behind the last line, no newline at the end",
    file: "a\nb",
    patch: ["@@", "-b", "+c", " "],
    gives: "a\nc",
    notes: ["end_lines"],
  },

  // Forms that leave a choice.
  {
    what: "context without its leading space",
    file: text("  a", "  b", "  c"),
    patch: ["@@", "  a", "-  b", "+  B", "  c"],
    gives: text("  a", "  B", "  c"),
    notes: ["bare_context"],
  },
  {
    what: "context that could be meant either way, as it is written",
    file: text(" a", "b", "  a", "b"),
    patch: ["@@", "  a", "-b"],
    gives: text(" a", "  a", "b"),
  },
  {
    what: "blank context lines that lost their space",
    file: text("a", "", "b"),
    patch: ["@@", " a", "", "-b", "+c"],
    gives: text("a", "", "c"),
  },
  {
    what: "blank lines around a hunk that the file does not have",
    file: text("a", "b"),
    patch: ["@@", "", "-a", "+A", ""],
    gives: text("A", "b"),
    notes: ["empty_lines"],
  },
  {
    what: "blank lines around a hunk that the file has",
    file: text("x", "", "a", "", "b"),
    patch: ["@@", "", "-a", "+A", ""],
    gives: text("x", "", "A", "", "b"),
  },
  {
    what: "a blank line behind a hunk, which may be spacing, between equal places",
    file: text("}", "x", "}", "", "y"),
    patch: ["@@", "-}", "+};", ""],
    gives: "1 not_unique 1,3",
  },
  {
    what: "a blank line in front of a hunk, which may be spacing, between equal places",
    file: text("}", "", "x", "", "}", "y"),
    patch: ["@@", "", "-}", "+};"],
    gives: "1 not_unique 1,5",
  },
  {
    what: "a blank line with its space between equal places",
    file: text("}", "x", "}", "", "y"),
    patch: ["@@", "-}", "+};", " "],
    gives: text("}", "x", "};", "", "y"),
  },
  {
    what: "a blank line that the counts vouch for between equal places",
    file: text("}", "x", "}", "", "y"),
    patch: ["--- a/a", "+++ b/a", "@@ -9,2 +9,2 @@", "-}", "+};", ""],
    gives: text("}", "x", "};", "", "y"),
  },

  // What is left out of account, and stays.
  {
    what: "blanks at line ends",
    file: text("a  ", "b", "c\t"),
    patch: ["@@", " a", "-b", "+B", " c"],
    gives: text("a  ", "B", "c\t"),
    notes: ["trailing_blanks"],
  },
  {
    what: "a line of blanks for an empty one",
    file: text("a", "   ", "b"),
    patch: ["@@", " a", " ", "-b", "+B"],
    gives: text("a", "   ", "B"),
    notes: ["trailing_blanks"],
  },
  {
    what: "blanks at the ends of a patch's lines",
    file: text("a", "b"),
    patch: ["@@", " a  ", "-b", "+B"],
    gives: text("a", "B"),
    notes: ["trailing_blanks"],
  },
  {
    what: "the exact lines before those with blanks",
    file: text("a ", "x", "a"),
    patch: ["@@", "-a", "+b"],
    gives: text("a ", "x", "b"),
  },
  {
    what: "two places with blanks",
    file: text("a ", "x", "a\t"),
    patch: ["@@", "-a", "+b"],
    gives: "1 not_unique 1,3",
  },
  {
    what: "quotes, dashes and spaces that look alike",
    file: text("say(“hi”) – it’s\u00a0ok", "b"),
    patch: ["@@", ' say("hi") - it\'s ok', "-b", "+B"],
    gives: text("say(“hi”) – it’s\u00a0ok", "B"),
    notes: ["look_alikes"],
  },
  {
    what: "look-alikes in the patch, on several lines",
    file: text('say("hi")', 'b"c"', "d"),
    patch: ["@@", " say(“hi”)", "-b“c”", " d"],
    gives: text('say("hi")', "d"),
    notes: ["look_alikes"],
  },
  {
    what: "a removed line that comes again, with its own quotes",
    file: text("say(“hi”)", "b"),
    patch: ["@@", '-say("hi")', "-b", '+say("hi")', "+B"],
    gives: text("say(“hi”)", "B"),
    notes: ["look_alikes"],
  },
  {
    what: "a removed line that comes again, with its own blanks",
    file: text("a  ", "b"),
    patch: ["@@", "-a", "-b", "+a", "+B"],
    gives: text("a  ", "B"),
    notes: ["trailing_blanks"],
  },
  {
    what: "a changed line, of which the rest keeps its own quotes",
    file: text("say(“hi”, 1)", "b"),
    patch: ["@@", '-say("hi", 1)', '+say("hi", 2)'],
    gives: text("say(“hi”, 2)", "b"),
    notes: ["look_alikes"],
  },
  {
    what: "added lines as they are, whatever the file's indentation",
    file: text("a:", "\tb:"),
    patch: ["@@", " a:", "+  c: 1"],
    gives: text("a:", "  c: 1", "\tb:"),
  },
  {
    what: "a literal \\t, which Copilot turns into a tab",
    file: text("x"),
    patch: ["@@", "-x", String.raw`+\t/\t+/.test(y)`],
    gives: text(String.raw`\t/\t+/.test(y)`),
  },
  {
    what: "a path comment on line 1, which shifts Copilot's lines",
    file: text("// filepath: /a", "a", "b", "c"),
    patch: ["@@", "-b", "+B"],
    gives: text("// filepath: /a", "a", "B", "c"),
  },
  {
    what: "a Markdown rule, which hangs Copilot",
    file: text("a", "***", "b"),
    patch: ["***", "-b", "+B"],
    gives: text("a", "***", "B"),
  },
  {
    what: "lines that look like a patch",
    file: text("*** End Patch", "@@ x", "--- a", "+++ b"),
    patch: ["@@", " *** End Patch", "-@@ x", "+*** Update File: y", " --- a", "-+++ b"],
    gives: text("*** End Patch", "*** Update File: y", "--- a"),
  },
  { what: "$& and $1, which mean nothing", file: text("a"), patch: ["@@", "-a", "+$& $1 $$"], gives: text("$& $1 $$") },

  // Line ends.
  { what: "CRLF", file: "a\r\nb\r\n", patch: ["@@", " a", "-b", "+c", "+d"], gives: "a\r\nc\r\nd\r\n" },
  {
    what: "CRLF in the patch alone",
    file: text("a", "b"),
    patch: ["@@\r", " a\r", "-b\r", "+c\r"],
    gives: text("a", "c"),
  },
  { what: "CR", file: "a\rb\r", patch: ["@@", "-b", "+c"], gives: "a\rc\r" },
  {
    what: "mixed line ends",
    file: "a\r\nb\nc\r\nd\n",
    patch: ["@@", " a", "-b", "-c", "+B", "+C", "+x", " d"],
    gives: "a\r\nB\nC\r\nx\r\nd\n",
  },
  {
    what: "mixed line ends, a line that comes again further down",
    file: "a\r\nb\nc\r\n",
    patch: ["@@", "-a", "-b", "-c", "+n", "+a", "+b", "+c"],
    gives: "n\r\na\r\nb\nc\r\n",
  },
  {
    what: "lines added at the start of a CRLF file",
    file: "a\r\nb\n",
    patch: ["@@", "+x", " a"],
    gives: "x\r\na\r\nb\n",
  },
  {
    what: "another line end alone, by diff",
    file: "a\nb\n",
    patch: ["--- a/a", "+++ b/a", "@@ -1,2 +1,2 @@", " a", "-b", "+b\r"],
    gives: "a\nb\r\n",
  },
  {
    what: "diff's line ends on a file that has others",
    file: "a\nb\n",
    patch: ["--- a/a", "+++ b/a", "@@ -1,2 +1,2 @@", " a\r", "-b\r", "+c\r"],
    gives: "a\nc\n",
    notes: ["line_ends"],
  },
  { what: "a byte order mark", file: "\uFEFFa\nb\n", patch: ["@@", "-a", "+A"], gives: "\uFEFFA\nb\n" },
  {
    what: "a byte order mark that the patch has, too",
    file: "\uFEFFa\nb\n",
    patch: ["@@", "-\uFEFFa", "+\uFEFFA"],
    gives: "\uFEFFA\nb\n",
  },

  // The final newline.
  { what: "the last line of a file without a final newline", file: "a\nb", patch: ["@@", "-b", "+c"], gives: "a\nc" },
  { what: "the last line of a file with one", file: text("a", "b"), patch: ["@@", "-b", "+c"], gives: text("a", "c") },
  {
    what: "a line added behind the last one, which has no newline",
    file: "a",
    patch: ["@@", " a", "+b"],
    gives: "a\nb",
  },
  {
    what: "a final newline that comes",
    file: "a\nb",
    patch: ["--- a/a", "+++ b/a", "@@ -1,2 +1,2 @@", " a", "-b", "\\ No newline at end of file", "+b"],
    gives: text("a", "b"),
  },
  {
    what: "a final newline that goes",
    file: text("a", "b"),
    patch: ["--- a/a", "+++ b/a", "@@ -1,2 +1,2 @@", " a", "-b", "+b", "\\ No newline at end of file"],
    gives: "a\nb",
  },
  {
    what: "no final newline on either side",
    file: "a\nb",
    patch: [
      "--- a/a",
      "+++ b/a",
      "@@ -1,2 +1,2 @@",
      " a",
      "-b",
      "\\ No newline at end of file",
      "+c",
      "\\ No newline at end of file",
    ],
    gives: "a\nc",
  },
  {
    what: "context at the end without a newline",
    file: "a\nb",
    patch: ["--- a/a", "+++ b/a", "@@ -1,2 +1,2 @@", "-a", "+c", " b", "\\ No newline at end of file"],
    gives: "c\nb",
  },
  {
    what: "a CRLF file's final newline that goes",
    file: "a\r\nb\r\n",
    patch: ["--- a/a", "+++ b/a", "@@ -2 +2 @@", "-b", "+c", "\\ No newline at end of file"],
    gives: "a\r\nc",
  },
  { what: "all lines gone", file: text("a", "b"), patch: ["@@", "-a", "-b"], gives: "" },
  {
    what: "a deleted file",
    file: text("a", "b"),
    patch: ["--- a/a", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-a", "-b"],
    gives: "",
  },

  // Nothing to do.
  { what: "a change that is none", file: text("a", "b"), patch: ["@@", "-a", "+a", " b"], gives: text("a", "b") },
  { what: "hunks of a file that only moves", file: text("a"), patch: ["*** Move to: b"], gives: text("a") },
  { what: "a hunk in an empty file", file: "", patch: ["@@", "-a", "+b"], gives: "1 no_match" },
  { what: "a file of one newline", file: "\n", patch: ["@@", "-", "+a"], gives: text("a") },
  {
    what: "lines of blanks and tabs",
    file: text("\t", " ", "a"),
    patch: ["@@", " \t", "- ", "+\t\t", " a"],
    gives: text("\t", "\t\t", "a"),
  },
];

describe("hunks applied to a text", () => {
  test.each(meaning)("$what", ({ file, patch, gives, notes = [] }) => {
    expect(outcomeOf(file, patch)).toEqual({ gives, notes });
  });

  test("say which lines of the new text they left", () => {
    const [file] = filesOf(
      ["*** Update File: a", "@@", "-d", "+D", "+E", "@@", "-a", "@@", " b", "+x", " c"].join("\n"),
    );
    const applied = applyHunks(text("a", "b", "c", "d"), file?.kind === "update" ? file.hunks : []);
    expect(applied).toMatchObject({
      text: text("b", "x", "c", "D", "E"),
      ranges: [
        { start: 4, end: 5 },
        { start: 1, end: 0 },
        { start: 2, end: 2 },
      ],
    });
  });
});
