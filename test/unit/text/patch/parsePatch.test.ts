import { describe, expect, test } from "vitest";
import { shownPatch } from "./shownPatch.js";

interface FormCase {
  what: string;
  patch: string[];
  read: string[];
}

const READ = ["update a.ts", "|-old|+new"];
const HUNK = ["-old", "+new"];
const UPDATE = ["*** Update File: a.ts", "@@", ...HUNK];
const BEGIN = ["*** Begin Patch", ...UPDATE, "*** End Patch"];
const UNIFIED = ["--- a/a.ts", "+++ b/a.ts", "@@ -7 +7 @@", ...HUNK];
const UNIFIED_READ = ["update a.ts", "@7|-old|+new"];

/** Every way to write the same change that is taken for it. */
const beginForms: FormCase[] = [
  { what: "plain", patch: BEGIN, read: READ },
  {
    what: "prose before and behind",
    patch: ["I will change it.", "", ...BEGIN, "", "- That is all.", "Anything else?"],
    read: READ,
  },
  { what: "a code fence", patch: ["```diff", ...BEGIN, "```"], read: READ },
  { what: "a code fence of tildes, prose around", patch: ["So:", "~~~", ...BEGIN, "~~~", "Done."], read: READ },
  { what: "a fence, and End missing", patch: ["```", ...BEGIN.slice(0, -1), "```", "Done."], read: READ },
  { what: "a heredoc", patch: ["apply_patch <<'EOF'", ...BEGIN, "EOF"], read: READ },
  {
    what: "a heredoc in a shell command, more commands behind",
    patch: ['cd x && apply_patch <<"PATCH"', ...BEGIN, "PATCH", "npm test"],
    read: READ,
  },
  { what: "a heredoc, and End missing", patch: ["apply_patch <<EOF", ...BEGIN.slice(0, -1), "EOF", "ls"], read: READ },
  { what: "CRLF", patch: BEGIN.map((line) => `${line}\r`), read: READ },
  { what: "a byte order mark in front", patch: ["\uFEFF*** Begin Patch", ...BEGIN.slice(1)], read: READ },
  {
    what: "End missing before another Begin",
    patch: [...BEGIN.slice(0, -1), "*** Begin Patch", "*** Delete File: b.ts", "*** End Patch"],
    read: [...READ, "delete b.ts"],
  },
  { what: "Begin missing", patch: BEGIN.slice(1), read: READ },
  { what: "Begin and End missing", patch: UPDATE, read: READ },
  {
    what: "padded markers",
    patch: ["*** Begin Patch   ", "*** Update File:   a.ts \t", "@@  ", ...HUNK, "*** End Patch\t "],
    read: READ,
  },
  {
    what: "indented markers",
    patch: ["  *** Begin Patch", "  *** Update File: a.ts", "@@", ...HUNK, "  *** End Patch"],
    read: READ,
  },
  {
    what: "stars behind markers",
    patch: ["*** Begin Patch ***", "*** Update File: a.ts", "@@", ...HUNK, "*** End Patch ***"],
    read: READ,
  },
  {
    what: "no space behind the stars, other letters",
    patch: ["***begin patch", "***UPDATE FILE:a.ts", "@@", ...HUNK, "***end patch"],
    read: READ,
  },
  { what: "all of it indented", patch: ["1. Do this:", ...BEGIN.map((line) => `   ${line}`)], read: READ },
  {
    what: "blank lines between markers",
    patch: ["*** Begin Patch", "", "*** Update File: a.ts", "", "@@", ...HUNK, "", "*** End Patch", ""],
    read: ["update a.ts", "|-old|+new|"],
  },
  {
    what: "no @@ before the first hunk",
    patch: ["*** Begin Patch", "*** Update File: a.ts", ...HUNK, "*** End Patch"],
    read: READ,
  },
  { what: "a path in quotes", patch: ["*** Update File: `a.ts`", "@@", ...HUNK], read: READ },
  {
    what: "a/ in front of a path, which may be a folder",
    patch: ["*** Update File: a/a.ts", "@@", ...HUNK],
    read: ["update a/a.ts", "|-old|+new"],
  },
  {
    what: "the names of a unified diff under the marker",
    patch: ["*** Update File: a.ts", "--- a/a.ts", "+++ b/a.ts", "@@ -7 +7 @@", ...HUNK],
    read: UNIFIED_READ,
  },
  {
    what: "the same names without prefixes",
    patch: ["*** Update File: a.ts", "--- a.ts", "+++ a.ts", "@@", ...HUNK],
    read: READ,
  },
  {
    what: "a unified diff between the markers",
    patch: ["*** Begin Patch", ...UNIFIED, "*** End Patch"],
    read: UNIFIED_READ,
  },
  {
    what: "several patches",
    patch: [...BEGIN, "And:", "*** Begin Patch", "*** Delete File: b.ts", "*** End Patch"],
    read: [...READ, "delete b.ts"],
  },
  {
    what: "both dialects, one after the other",
    patch: [...BEGIN, "--- a/b.ts", "+++ b/b.ts", "@@ -1 +1 @@", ...HUNK],
    read: [...READ, "update b.ts", "@1|-old|+new"],
  },
];

const hunkForms: FormCase[] = [
  { what: "context lines with their space", patch: ["@@", " a", ...HUNK, " b"], read: ["| a|-old|+new| b"] },
  { what: "context lines without their space", patch: ["@@", "a", ...HUNK, "\tb"], read: ["|a|-old|+new|\tb"] },
  {
    what: "blank context lines, inside and at the edges",
    patch: ["@@", "", ...HUNK, "", " b", ""],
    read: ["||-old|+new|| b|"],
  },
  { what: "a blank context line of one space", patch: ["@@", " ", ...HUNK], read: ["| |-old|+new"] },
  { what: "a header", patch: ["@@ class A:", ...HUNK], read: ["@@ class A:|-old|+new"] },
  { what: "a header closed by @@", patch: ["@@ class A: @@", ...HUNK], read: ["@@ class A:|-old|+new"] },
  { what: "a header closed by @@ at once", patch: ["@@class A:@@", ...HUNK], read: ["@@ class A:|-old|+new"] },
  {
    what: "stacked headers",
    patch: ["@@ class A:", "@@   def b(self):", ...HUNK],
    read: ["@@ class A: @@ def b(self):|-old|+new"],
  },
  {
    what: "stacked headers with blank lines between",
    patch: ["@@ class A:", "", "@@ def b(self):", ...HUNK],
    read: ["@@ class A: @@ def b(self):|-old|+new"],
  },
  {
    what: "line numbers and a function's name, which git cuts short",
    patch: ["@@ -3,7 +3,8 @@ def b(se", ...HUNK],
    read: ["@3|-old|+new"],
  },
  { what: "several hunks", patch: ["@@", ...HUNK, "@@ f", "-a"], read: ["|-old|+new", "@@ f|-a"] },
  { what: "End of File", patch: ["@@", ...HUNK, "*** End of File"], read: ["end loosely|-old|+new"] },
  { what: "End of File, padded", patch: ["@@", ...HUNK, "*** End of File   "], read: ["end loosely|-old|+new"] },
  {
    what: "End of File, then another hunk",
    patch: ["@@", ...HUNK, "*** End of File", "@@", "-a"],
    read: ["end loosely|-old|+new", "|-a"],
  },
  { what: "a Markdown rule first, which hangs Copilot", patch: ["***", ...HUNK], read: ["|***|-old|+new"] },
  {
    what: "markers as lines of the file",
    patch: ["@@", " *** End Patch", "-*** Update File: b", "+*** Begin Patch", " @@ x", "-@@", "+--- a", " +++ b"],
    read: ["| *** End Patch|-*** Update File: b|+*** Begin Patch| @@ x|-@@|+--- a| +++ b"],
  },
  {
    what: "indented markers inside a hunk",
    patch: ["@@", "-a", "  *** End Patch", "+b"],
    read: ["|-a|  *** End Patch|+b"],
  },
  {
    what: "a line of Ruby that starts with @@",
    patch: ["@@", "@@count = 0", ...HUNK],
    read: ["|@@count = 0|-old|+new"],
  },
  {
    what: "two names that are removed and added lines",
    patch: ["--- a note", "+++ b note", "@@", "-a"],
    read: ["|--- a note|+++ b note", "|-a"],
  },
  {
    what: "a removed line that is the file's name, and another line added",
    patch: ["--- a.ts", "+++ b note", "@@", "-a"],
    read: ["|--- a.ts|+++ b note", "|-a"],
  },
  {
    what: "a bare line that starts with three signs at",
    patch: ["@@", "@@@ a @@@", ...HUNK],
    read: ["|@@@ a @@@|-old|+new"],
  },
  { what: "a bare line that starts with a backslash", patch: ["@@", "\\ item", ...HUNK], read: ["|\\ item|-old|+new"] },
  {
    what: "diff's mark of a missing newline",
    patch: ["@@", "-old", "\\ No newline at end of file", "+new"],
    read: ["end exactly ended|-old|+new"],
  },
  {
    what: "a path comment, which Copilot cuts off",
    patch: ["@@", "-// filepath: a.ts", "+// other"],
    read: ["|-// filepath: a.ts|+// other"],
  },
  {
    what: "a literal \\t, which Copilot rewrites",
    patch: ["@@", "-x", String.raw`+/\t+/.test(y)`],
    read: [String.raw`|-x|+/\t+/.test(y)`],
  },
];

const fileForms: FormCase[] = [
  { what: "Add", patch: ["*** Add File: n.md", "+# n", "+", "+text"], read: [String.raw`add n.md "# n\n\ntext\n"`] },
  {
    what: "Add of an empty file",
    patch: ["*** Begin Patch", "*** Add File: n.md", "*** End Patch"],
    read: ['add n.md ""'],
  },
  { what: "Add of an empty line", patch: ["*** Add File: n.md", "+"], read: [String.raw`add n.md "\n"`] },
  {
    what: "Add with empty lines that lost their +, and spacing behind",
    patch: ["*** Add File: n.md", "+a", "", "+b", "", "*** Delete File: b"],
    read: [String.raw`add n.md "a\n\nb\n"`, "delete b"],
  },
  { what: "Add with @@", patch: ["*** Add File: n.md", "@@ -0,0 +1 @@", "+a"], read: [String.raw`add n.md "a\n"`] },
  {
    what: "Add with End of File",
    patch: ["*** Add File: n.md", "+a", "*** End of File", "*** End Patch"],
    read: [String.raw`add n.md "a\n"`],
  },
  {
    what: "Add without a final newline",
    patch: ["*** Add File: n.md", "+a", "\\ No newline at end of file"],
    read: ['add n.md "a"'],
  },
  {
    what: "Add with markers in it",
    patch: ["*** Add File: n.md", "+*** End Patch", "+@@ x", "+--- a", "++++ b", "+***"],
    read: [String.raw`add n.md "*** End Patch\n@@ x\n--- a\n+++ b\n***\n"`],
  },
  {
    what: "Add sent with CRLF",
    patch: ["*** Add File: n.md\r", "+a\r", "+b\r"],
    read: [String.raw`add n.md "a\nb\n"`],
  },
  {
    what: "Add of CRLF lines, sent with LF",
    patch: ["*** Add File: n.md", "+a\r", "+b\r"],
    read: [String.raw`add n.md "a\r\nb\r\n"`],
  },
  { what: "Delete", patch: ["*** Delete File: b.ts"], read: ["delete b.ts"] },
  { what: "Delete that shows the lines", patch: ["*** Delete File: b.ts", "-a", "-b", ""], read: ["delete b.ts"] },
  {
    what: "Move without hunks",
    patch: ["*** Update File: a.ts", "*** Move to: b/a.ts"],
    read: ["update a.ts -> b/a.ts"],
  },
  {
    what: "Move with hunks",
    patch: ["*** Update File: a.ts", "*** Move to: b.ts", "@@", ...HUNK],
    read: ["update a.ts -> b.ts", "|-old|+new"],
  },
  {
    what: "Move, indented and padded, below a blank line",
    patch: ["*** Update File: a.ts", "", "  *** Move to:  b.ts  ", "@@", ...HUNK],
    read: ["update a.ts -> b.ts", "|-old|+new"],
  },
  { what: "Move to where it is", patch: ["*** Update File: a.ts", "*** Move to: ./a.ts", "@@", ...HUNK], read: READ },
  {
    what: "repeated sections for one file",
    patch: [...UPDATE, "*** Update File: b.ts", "@@", "-b", "*** Update File: ./a.ts", "@@", "-more"],
    read: ["update a.ts", "|-old|+new", "|-more", "update b.ts", "|-b"],
  },
  {
    what: "repeated sections, one of which moves",
    patch: [...UPDATE, "*** Update File: a.ts", "*** Move to: b.ts"],
    read: ["update a.ts -> b.ts", "|-old|+new"],
  },
  {
    what: "two files written one after the other",
    patch: [...UPDATE, "*** Add File: n", "+n", "*** Delete File: d"],
    read: [...READ, String.raw`add n "n\n"`, "delete d"],
  },
];

const GIT = "diff --git a/a.ts b/a.ts";
const INDEX = "index 83db48f..bf269f4 100644";

const unifiedForms: FormCase[] = [
  { what: "plain", patch: UNIFIED, read: UNIFIED_READ },
  { what: "prose and a fence", patch: ["Here:", "```diff", ...UNIFIED, "```", "That is it."], read: UNIFIED_READ },
  { what: "a heredoc", patch: ["git apply <<'EOF'", ...UNIFIED, "EOF", "- x"], read: UNIFIED_READ },
  { what: "CRLF", patch: UNIFIED.map((line) => `${line}\r`), read: UNIFIED_READ },
  {
    what: "a byte order mark in front",
    patch: UNIFIED.map((line, at) => (at === 0 ? `\uFEFF${line}` : line)),
    read: UNIFIED_READ,
  },
  { what: "all of it indented", patch: UNIFIED.map((line) => `    ${line}`), read: UNIFIED_READ },
  { what: "git's headers", patch: [GIT, INDEX, ...UNIFIED], read: UNIFIED_READ },
  {
    what: "a mail of git format-patch",
    patch: [
      "From 83db48f Mon Sep 17 00:00:00 2001",
      "Subject: [PATCH] x",
      "",
      "---",
      " a.ts | 2 +-",
      "",
      GIT,
      INDEX,
      ...UNIFIED,
      "-- ",
      "2.39.2 (Apple Git-143)",
      "",
    ],
    read: UNIFIED_READ,
  },
  {
    what: "the same mail without counts that hold",
    patch: [GIT, "--- a/a.ts", "+++ b/a.ts", "@@ -7,9 +7,9 @@", ...HUNK, "-- ", "2.39.2"],
    read: UNIFIED_READ,
  },
  { what: "no prefixes", patch: ["--- a.ts", "+++ a.ts", ...UNIFIED.slice(2)], read: UNIFIED_READ },
  {
    what: "a folder that is called a on both sides",
    patch: ["--- a/a.ts", "+++ a/a.ts", ...UNIFIED.slice(2)],
    read: ["update a/a.ts", "@7|-old|+new"],
  },
  {
    what: "times behind the names",
    patch: [
      "--- a/a.ts\t2024-05-01 10:00:00.000000000 +0200",
      "+++ b/a.ts\t2024-05-01 10:00:01.000000000 +0200",
      ...UNIFIED.slice(2),
    ],
    read: UNIFIED_READ,
  },
  {
    what: "times behind a space",
    patch: ["--- a/a.ts 2024-05-01 10:00:00 +0200", "+++ b/a.ts 2024-05-01 10:00:01 +0200", ...UNIFIED.slice(2)],
    read: UNIFIED_READ,
  },
  {
    what: "a name with spaces",
    patch: ["--- a/my file.ts", "+++ b/my file.ts", ...UNIFIED.slice(2)],
    read: ["update my file.ts", "@7|-old|+new"],
  },
  {
    what: "quoted octal names",
    patch: [String.raw`--- "a/\303\244\t\".ts"`, String.raw`+++ "b/\303\244\t\".ts"`, ...UNIFIED.slice(2)],
    read: ['update ä\t".ts', "@7|-old|+new"],
  },
  {
    what: "quoted names in git's line alone",
    patch: [String.raw`diff --git "a/\344\275\240.ts" "b/\344\275\240.ts"`, "deleted file mode 100644"],
    read: ["delete 你.ts"],
  },
  {
    what: "a renamed file",
    patch: ["diff --git a/o.ts b/n.ts", "similarity index 100%", "rename from o.ts", "rename to n.ts"],
    read: ["update o.ts -> n.ts"],
  },
  {
    what: "a renamed and changed file",
    patch: [
      "diff --git a/o.ts b/n.ts",
      "similarity index 90%",
      "rename from o.ts",
      "rename to n.ts",
      INDEX,
      "--- a/o.ts",
      "+++ b/n.ts",
      "@@ -7 +7 @@",
      ...HUNK,
    ],
    read: ["update o.ts -> n.ts", "@7|-old|+new"],
  },
  {
    what: "a renamed file with a quoted name",
    patch: ["diff --git a/o.ts b/n.ts", "rename from o.ts", String.raw`rename to "\303\244.ts"`],
    read: ["update o.ts -> ä.ts"],
  },
  {
    what: "a new file",
    patch: [
      "diff --git a/n.ts b/n.ts",
      "new file mode 100644",
      "--- /dev/null",
      "+++ b/n.ts",
      "@@ -0,0 +1,2 @@",
      "+a",
      "+",
    ],
    read: [String.raw`add n.ts "a\n\n"`],
  },
  {
    what: "a new file without git's lines",
    patch: ["--- /dev/null", "+++ b/n.ts", "@@ -0,0 +1 @@", "+a"],
    read: [String.raw`add n.ts "a\n"`],
  },
  {
    what: "a new file that is empty",
    patch: ["diff --git a/n.ts b/n.ts", "new file mode 100644", "index 0000000..e69de29"],
    read: ['add n.ts ""'],
  },
  {
    what: "a new file without a final newline",
    patch: ["--- /dev/null", "+++ b/n.ts", "@@ -0,0 +1 @@", "+a", "\\ No newline at end of file"],
    read: ['add n.ts "a"'],
  },
  {
    what: "a new file that may be run",
    patch: ["diff --git a/n b/n", "new file mode 100755", "--- /dev/null", "+++ b/n", "@@ -0,0 +1 @@", "+a"],
    read: [String.raw`add n "a\n"`, "note: n: its file mode change was ignored."],
  },
  {
    what: "a deleted file",
    patch: [
      "diff --git a/o.ts b/o.ts",
      "deleted file mode 100644",
      "--- a/o.ts",
      "+++ /dev/null",
      "@@ -1,2 +0,0 @@",
      "-a",
      "-b",
    ],
    read: ["delete o.ts", "@1|-a|-b"],
  },
  {
    what: "a changed mode beside changed lines",
    patch: [GIT, "old mode 100644", "new mode 100755", INDEX, ...UNIFIED],
    read: [...UNIFIED_READ, "note: a.ts: its file mode change was ignored."],
  },
  {
    what: "a file of which only the mode changes",
    patch: ["diff --git a/x b/x", "old mode 100644", "new mode 100755", GIT, ...UNIFIED],
    read: [...UNIFIED_READ, "note: x: its file mode change was ignored."],
  },
  {
    what: "counts of more lines, in a fence that closes",
    patch: ["```diff", "--- a/a.ts", "+++ b/a.ts", "@@ -7,50 +7,3 @@", ...HUNK, "```"],
    read: UNIFIED_READ,
  },
  {
    what: "counts of more lines, prose behind",
    patch: [
      "--- a/a.ts",
      "+++ b/a.ts",
      "@@ -7,50 +7,3 @@",
      ...HUNK,
      "--- a/b.ts",
      "+++ b/b.ts",
      "@@ -1 +1 @@",
      ...HUNK,
    ],
    read: [...UNIFIED_READ, "update b.ts", "@1|-old|+new"],
  },
  {
    what: "counts of one more line, and the names of the next file",
    patch: [
      "--- a/a.ts",
      "+++ b/a.ts",
      "@@ -8,3 +8,3 @@",
      " eight",
      ...HUNK,
      "--- /dev/null",
      "+++ b/n.ts",
      "@@ -0,0 +1,1 @@",
      "+one",
    ],
    read: ["update a.ts", "@8| eight|-old|+new", 'add n.ts "one\\n"'],
  },
  {
    what: "counts of one more line, and git's names of the next file",
    patch: ["--- a/a.ts", "+++ b/a.ts", "@@ -8,2 +8,2 @@", ...HUNK, "--- a/b.ts", "+++ b/b.ts", "@@ -1 +1 @@", ...HUNK],
    read: ["update a.ts", "@8|-old|+new", "update b.ts", "@1|-old|+new"],
  },
  {
    what: "counts of one more line, and the next file's name twice",
    patch: ["--- a.ts", "+++ a.ts", "@@ -8,2 +8,2 @@", ...HUNK, "--- b.ts", "+++ b.ts", "@@ -1 +1 @@", ...HUNK],
    read: ["update a.ts", "@8|-old|+new", "update b.ts", "@1|-old|+new"],
  },
  { what: "counts of fewer lines", patch: ["--- a/a.ts", "+++ b/a.ts", "@@ -7,0 +7 @@", ...HUNK], read: UNIFIED_READ },
  {
    what: "counts of more lines on one side and fewer on the other",
    patch: ["--- a/a.ts", "+++ b/a.ts", "@@ -7,3 +7,0 @@", ...HUNK],
    read: UNIFIED_READ,
  },
  {
    what: "counts that leave out changed lines",
    patch: ["--- a/a.ts", "+++ b/a.ts", "@@ -7 +7 @@", ...HUNK, " a", "+more"],
    read: ["update a.ts", "@7|-old|+new| a|+more"],
  },
  {
    what: "counts that leave out changed lines behind a bare one",
    patch: ["--- a/a.ts", "+++ b/a.ts", "@@ -7 +7 @@", ...HUNK, "a", "+more"],
    read: ["update a.ts", "@7|-old|+new|a|+more"],
  },
  {
    what: "counts that leave out context",
    patch: ["--- a/a.ts", "+++ b/a.ts", "@@ -7 +7 @@", ...HUNK, " a"],
    read: ["update a.ts", "@7|-old|+new| a"],
  },
  {
    what: "counts that leave out context behind a blank line",
    patch: ["--- a/a.ts", "+++ b/a.ts", "@@ -7 +7 @@", ...HUNK, "", " a"],
    read: ["update a.ts", "@7|-old|+new|| a"],
  },
  { what: "counts that hold, and prose behind", patch: [...UNIFIED, "", "That is all."], read: UNIFIED_READ },
  { what: "no line numbers", patch: ["--- a/a.ts", "+++ b/a.ts", "@@", ...HUNK], read: READ },
  {
    what: "a header instead of line numbers",
    patch: ["--- a/a.ts", "+++ b/a.ts", "@@ f() @@", ...HUNK],
    read: ["update a.ts", "@@ f()|-old|+new"],
  },
  { what: "no @@ at all", patch: ["--- a/a.ts", "+++ b/a.ts", ...HUNK], read: READ },
  {
    what: "a blank line below the names",
    patch: ["--- a/a.ts", "+++ b/a.ts", "", "@@ -7 +7 @@", ...HUNK],
    read: UNIFIED_READ,
  },
  {
    what: "removed -- and added ++ lines, which look like names",
    patch: ["--- a/a.ts", "+++ b/a.ts", "@@ -7,2 +7,2 @@", " x", "--- b", "+++ b"],
    read: ["update a.ts", "@7| x|--- b|+++ b"],
  },
  {
    what: "*** and @@ lines inside",
    patch: ["--- a/a.ts", "+++ b/a.ts", "@@ -7,3 +7,2 @@", " *** End Patch", "-@@ -1 +1 @@", " ***"],
    read: ["update a.ts", "@7| *** End Patch|-@@ -1 +1 @@| ***"],
  },
  {
    what: "blank context lines that lost their space",
    patch: ["--- a/a.ts", "+++ b/a.ts", "@@ -7,3 +7,3 @@", "", ...HUNK, ""],
    read: ["update a.ts", "@7||-old|+new|"],
  },
  {
    what: "no newline on the old side",
    patch: [...UNIFIED.slice(0, 4), "\\ No newline at end of file", "+new"],
    read: ["update a.ts", "@7 end exactly ended|-old|+new"],
  },
  {
    what: "no newline on the new side",
    patch: [...UNIFIED, "\\ No newline at end of file"],
    read: ["update a.ts", "@7 end exactly unended|-old|+new"],
  },
  {
    what: "no newline on either side, in German",
    patch: [
      ...UNIFIED.slice(0, 4),
      "\\ Kein Zeilenumbruch am Dateiende.",
      "+new",
      "\\ Kein Zeilenumbruch am Dateiende.",
    ],
    read: ["update a.ts", "@7 end exactly|-old|+new"],
  },
  {
    what: "several files",
    patch: [
      GIT,
      INDEX,
      ...UNIFIED,
      "diff --git a/b.ts b/b.ts",
      INDEX,
      "--- a/b.ts",
      "+++ b/b.ts",
      "@@ -1 +0,0 @@",
      "-b",
    ],
    read: [...UNIFIED_READ, "update b.ts", "@1|-b"],
  },
  {
    what: "one file twice",
    patch: [...UNIFIED, "--- a/a.ts", "+++ b/a.ts", "@@ -9 +8,0 @@", "-x"],
    read: [...UNIFIED_READ, "@9|-x"],
  },
  {
    what: "a bare line that looks like a signature's version",
    patch: ["--- a/a.ts", "+++ b/a.ts", "@@ -7,2 +7,1 @@", "--", "1.5"],
    read: ["update a.ts", "@7|--|1.5"],
  },
];

describe("*** Begin Patch is read", () => {
  test.each(beginForms)("with $what", ({ patch, read }) => {
    expect(shownPatch(patch.join("\n"))).toEqual(read);
  });

  test.each(hunkForms)("with $what in a hunk", ({ patch, read }) => {
    expect(shownPatch(["*** Begin Patch", "*** Update File: a.ts", ...patch, "*** End Patch", ""].join("\n"))).toEqual([
      "update a.ts",
      ...read,
    ]);
    expect(shownPatch(`${["*** Update File: a.ts", ...patch].join("\r\n")}\r\n`)).toEqual(["update a.ts", ...read]);
  });

  test.each(fileForms)("with $what", ({ patch, read }) => {
    expect(shownPatch(patch.join("\n"))).toEqual(read);
    expect(shownPatch(["*** Begin Patch", ...patch, "*** End Patch", ""].join("\n"))).toEqual(read);
  });
});

describe("a unified diff is read", () => {
  test.each(unifiedForms)("with $what", ({ patch, read }) => {
    expect(shownPatch(`${patch.join("\n")}\n`)).toEqual(read);
  });

  test("without a newline at its end", () => {
    expect(shownPatch(UNIFIED.join("\n"))).toEqual(UNIFIED_READ);
  });
});

/** What has no meaning, or two: `says` is the line of the patch and the message. */
const refusals: { what: string; patch: string[]; says: string }[] = [
  { what: "nothing", patch: [""], says: "line 1: The patch is empty." },
  {
    what: "prose",
    patch: ["Change it, please."],
    says: "line 1: This is not a patch: no line names a file to change.",
  },
  { what: "hunks without a file", patch: ["@@ -1 +1 @@", ...HUNK], says: "line 1: The patch names no file." },
  {
    what: "Begin and End alone",
    patch: ["*** Begin Patch", "*** End Patch"],
    says: "line 1: This is not a patch: no line names a file to change.",
  },
  {
    what: "a hunk above the first file",
    patch: ["*** Begin Patch", ...HUNK, "*** Delete File: a", "*** End Patch"],
    says: "line 2: This line does not belong to a file.",
  },
  { what: "a path that is missing", patch: ["*** Delete File:"], says: "line 1: The path is missing." },
  {
    what: "a path to move to that is missing",
    patch: ["*** Update File: a", "*** Move to: "],
    says: "line 2: The path is missing.",
  },
  {
    what: "two paths to move to",
    patch: ["*** Update File: a", "*** Move to: b", "*** Move to: c"],
    says: "line 3: The file is moved to two paths.",
  },
  {
    what: "two paths to move to in two sections",
    patch: ["*** Update File: a", "*** Move to: b", "*** Update File: a", "*** Move to: c"],
    says: "line 3: a is moved to two paths.",
  },
  {
    what: "an update that says nothing",
    patch: ["*** Update File: a", "", "*** Delete File: b"],
    says: "line 1: The file is to be updated, but there is no hunk.",
  },
  {
    what: "a hunk without lines",
    patch: ["*** Update File: a", "@@ x", "*** End Patch"],
    says: "line 2: The hunk has no lines.",
  },
  {
    what: "a hunk without lines at the end of the file",
    patch: ["*** Update File: a", "@@ x", "*** End of File"],
    says: "line 2: The hunk has no lines.",
  },
  {
    what: "a hunk that changes nothing",
    patch: ["*** Update File: a", "@@", " x", " y"],
    says: "line 2: The hunk changes nothing: none of its lines starts with + or -.",
  },
  {
    what: "prose above the first hunk",
    patch: ["*** Update File: a", "I change this:", "@@", ...HUNK],
    says: "line 2: The hunk changes nothing: none of its lines starts with + or -.",
  },
  {
    what: "a line of an added file without +",
    patch: ["*** Add File: a", "+x", "y"],
    says: 'line 3: This line of an added file does not start with +: "y".',
  },
  {
    what: "a deleted file with a hunk",
    patch: ["*** Delete File: a", "@@", ...HUNK],
    says: "line 2: A section that deletes a file has no lines, and this line belongs to no other section.",
  },
  {
    what: "a file that is added and deleted",
    patch: ["*** Add File: a", "+x", "*** Delete File: ./a"],
    says: "line 3: ./a is named a second time: added on line 1, deleted here.",
  },
  {
    what: "a file that is added twice",
    patch: ["*** Add File: a", "+x", "*** Add File: a", "+y"],
    says: "line 3: a is named a second time: added on line 1, added here.",
  },
  {
    what: "a file that is updated and deleted",
    patch: [...UPDATE, "*** Delete File: a.ts"],
    says: "line 5: a.ts is named a second time: updated on line 1, deleted here.",
  },
  {
    what: "a move onto a file of the patch",
    patch: ["*** Update File: a", "*** Move to: b", "*** Delete File: b"],
    says: "line 1: a moves to b, which another section of the patch uses.",
  },
  {
    what: "two moves onto one path",
    patch: ["*** Update File: a", "*** Move to: c", "*** Update File: b", "*** Move to: ./c"],
    says: "line 3: b moves to ./c, which another section of the patch uses.",
  },
  {
    what: "lines behind End, where a bare context line ended the patch",
    patch: [...BEGIN, "-more", "*** End Patch"],
    says: "line 7: This looks like a patch line, but the patch ended on line 6.",
  },
  {
    what: "lines right behind End",
    patch: [...BEGIN, "+more"],
    says: "line 7: This looks like a patch line, but the patch ended on line 6.",
  },
  {
    what: "lines and End behind End, prose between",
    patch: [...BEGIN, " and", "-more", "*** End Patch"],
    says: "line 8: This looks like a patch line, but the patch ended on line 6.",
  },
  {
    what: "lines behind the fence that ended the patch",
    patch: ["```", ...BEGIN.slice(0, -1), "```", "+more"],
    says: "line 8: This looks like a patch line, but the patch ended on line 7.",
  },
  {
    what: "lines behind the one without a newline",
    patch: ["--- a/a", "+++ b/a", "@@ -1,2 +1 @@", "-x", "\\ No newline at end of file", "-y", "+z"],
    says: "line 5: The patch marks the end of a file without a final newline here, but more lines follow.",
  },
  {
    what: "two names that differ, without a rename",
    patch: ["--- a/a.ts", "+++ b/b.ts", "@@ -1 +1 @@", ...HUNK],
    says: "line 1: The two paths differ: a.ts and b.ts.",
  },
  {
    what: "a prefix on one side alone",
    patch: ["--- a/a.ts", "+++ a.ts", "@@ -1 +1 @@", ...HUNK],
    says: "line 1: The two paths differ: a/a.ts and a.ts.",
  },
  {
    what: "a name that cannot be read",
    patch: [String.raw`--- "a/\377.ts"`, String.raw`+++ "b/\377.ts"`, "@@ -1 +1 @@", ...HUNK],
    says: "line 1: The path cannot be read.",
  },
  {
    what: "quotes that do not close",
    patch: ['--- "a/x', '+++ "b/x', "@@ -1 +1 @@", ...HUNK],
    says: "line 1: The path cannot be read.",
  },
  {
    what: "/dev/null on both sides",
    patch: ["--- /dev/null", "+++ /dev/null", "@@ -1 +1 @@", ...HUNK],
    says: "line 1: The path cannot be read.",
  },
  {
    what: "git's binary patch",
    patch: ["diff --git a/x.png b/x.png", "index 1..2 100644", "GIT binary patch", "literal 3", "abc"],
    says: "line 3: This is a patch of a binary file.",
  },
  {
    what: "binary files that differ",
    patch: ["diff --git a/x.png b/x.png", "index 1..2 100644", "Binary files a/x.png and b/x.png differ"],
    says: "line 3: This is a patch of a binary file.",
  },
  {
    what: "a copied file",
    patch: ["diff --git a/x b/y", "similarity index 100%", "copy from x", "copy to y"],
    says: "line 3: Copying a file is not supported.",
  },
  {
    what: "a link",
    patch: ["diff --git a/x b/x", "new file mode 120000", "--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+y"],
    says: "line 2: Links and submodules cannot be patched.",
  },
  {
    what: "a merge",
    patch: ["diff --cc a.ts", "index 1,2..3", "--- a/a.ts", "+++ b/a.ts", "@@@ -1,2 -1,2 +1,2 @@@", " -x", "+ y"],
    says: "line 1: A combined diff of a merge has no single original.",
  },
  {
    what: "a merge without its first line",
    patch: ["--- a/a.ts", "+++ b/a.ts", "@@@ -1,2 -1,2 +1,2 @@@", " -x", "+ y"],
    says: "line 3: A combined diff of a merge has no single original.",
  },
  {
    what: "no End, as of an answer that was cut off",
    patch: BEGIN.slice(0, -1),
    says: "line 5: The patch is cut off: *** End Patch is missing.",
  },
  {
    what: "no End, and a line cut in the middle",
    patch: ["*** Begin Patch", "*** Add File: a.ts", "+function f() {", "+  return co"],
    says: "line 4: The patch is cut off: *** End Patch is missing.",
  },
  {
    what: "half of End",
    patch: [...BEGIN.slice(0, -1), "*** End Pa"],
    says: "line 6: The patch is cut off: *** End Patch is missing.",
  },
  {
    what: "no End in the second patch",
    patch: [...BEGIN, "And:", "*** Begin Patch", "*** Delete File: b.ts"],
    says: "line 9: The patch is cut off: *** End Patch is missing.",
  },
  {
    what: "no End in a fence that is not closed",
    patch: ["```", ...BEGIN.slice(0, -1)],
    says: "line 6: The patch is cut off: *** End Patch is missing.",
  },
  {
    what: "no End in a here-document that is not closed",
    patch: ["apply_patch <<'EOF'", ...BEGIN.slice(0, -1)],
    says: "line 6: The patch is cut off: *** End Patch is missing.",
  },
  {
    what: "no End behind a hunk without lines",
    patch: ["*** Begin Patch", "*** Update File: a", "@@ f() {"],
    says: "line 3: The patch is cut off: *** End Patch is missing.",
  },
  { what: "Begin alone", patch: ["*** Begin Patch"], says: "line 1: The patch is cut off: *** End Patch is missing." },
  {
    what: "no End behind a unified diff",
    patch: ["*** Begin Patch", ...UNIFIED],
    says: "line 6: The patch is cut off: *** End Patch is missing.",
  },
  {
    what: "a unified diff whose last hunk lacks lines",
    patch: ["--- a/a.ts", "+++ b/a.ts", "@@ -7,50 +7,3 @@", ...HUNK],
    says: "line 3: The patch is cut off: its last hunk should have 50 old and 3 new lines, and has 1 and 1.",
  },
  {
    what: "a unified diff whose last hunk lacks an added line",
    patch: [...UNIFIED.slice(0, -1)],
    says: "line 3: The patch is cut off: its last hunk should have 1 old and 1 new lines, and has 1 and 0.",
  },
  {
    what: "a unified diff whose last hunk lacks all its lines",
    patch: [...UNIFIED, "@@ -9,2 +9,3 @@"],
    says: "line 6: The patch is cut off: its last hunk should have 2 old and 3 new lines, and has 0 and 0.",
  },
  {
    what: "a unified diff that cuts a new file",
    patch: ["--- /dev/null", "+++ b/n.ts", "@@ -0,0 +1,3 @@", "+a"],
    says: "line 3: The patch is cut off: its last hunk should have 0 old and 3 new lines, and has 0 and 1.",
  },
  {
    what: "a unified diff without hunks",
    patch: ["--- a/a.ts", "+++ b/a.ts"],
    says: "line 1: The file is to be changed, but there is no hunk.",
  },
  {
    what: "a file of which only the mode changes, alone",
    patch: ["diff --git a/x b/x", "old mode 100644", "new mode 100755"],
    says: "line 1: x: its file mode change was ignored.",
  },
  {
    what: "a new file with context",
    patch: ["--- /dev/null", "+++ b/x", "@@ -0,0 +1,2 @@", "+a", " b"],
    says: "line 5: A line of a new file does not start with +.",
  },
  {
    what: "a new file in two hunks",
    patch: ["--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+a", "@@ -0,0 +2 @@", "+b"],
    says: "line 5: A new file has a second hunk.",
  },
];

describe("a last hunk with fewer lines than its header counts", () => {
  const names = ["--- a/a.ts", "+++ b/a.ts"];
  const note =
    "note: The last hunk has 3 and 4 lines where its header counts 4 old and 5 new lines; it was applied as written.";
  const cut = "line 3: The patch is cut off: its last hunk should have 4 old and 5 new lines, and has";

  test("is taken as written, without its line number, if its last line is whole", () => {
    const context = [...names, "@@ -2,4 +2,5 @@", " two", " three", "+new", " four"].join("\n");
    for (const patch of [`${context}\n`, context]) {
      expect(shownPatch(patch)).toEqual(["update a.ts", "| two| three|+new| four", note]);
    }
    const added = [...names, "@@ -2,4 +2,5 @@", " two", " three", " four", "+new"].join("\n");
    expect(shownPatch(`${added}\n`)).toEqual(["update a.ts", "| two| three| four|+new", note]);
  });

  test("is refused if its last added line may be half of one, or the added lines for its removed ones are gone", () => {
    const added = [...names, "@@ -2,4 +2,5 @@", " two", " three", " four", "+new"].join("\n");
    expect(shownPatch(added)).toEqual([`${cut} 3 and 4.`]);
    const removed = [...names, "@@ -2,4 +2,5 @@", " two", " three", " four", "-five"].join("\n");
    expect(shownPatch(`${removed}\n`)).toEqual([`${cut} 4 and 3.`]);
  });

  test("is refused if it lacks most of its lines", () => {
    const one = [...names, "@@ -2,4 +2,5 @@", "+new", " two"].join("\n");
    expect(shownPatch(`${one}\n`)).toEqual([`${cut} 1 and 2.`]);
  });
});

describe("a patch is refused, and the line named,", () => {
  test.each(refusals)("for $what", ({ patch, says }) => {
    expect(shownPatch(patch.join("\n"))).toEqual([says]);
    expect(shownPatch(`${patch.join("\r\n")}\r\n`)).toEqual([says]);
  });
});
