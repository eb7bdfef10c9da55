import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffStat, fileDiff } from "../../../../src/text/diff/fileDiff.js";
import { anyLines } from "../arbitraries.js";

describe("fileDiff", () => {
  test.each([
    {
      what: "a change",
      path: "src/a.ts",
      before: "a\n",
      after: "b\n",
      diff: "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,1 +1,1 @@\n-a\n+b",
    },
    { what: "no change", path: "a", before: "a\n", after: "a\n", diff: "" },
    {
      what: "a new file",
      path: "a",
      before: undefined,
      after: "x\n",
      diff: "--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x",
    },
    { what: "a new empty file", path: "a", before: undefined, after: "", diff: "--- /dev/null\n+++ b/a" },
    {
      what: "a file deleted",
      path: "a",
      before: "x\n",
      after: undefined,
      diff: "--- a/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x",
    },
    { what: "an empty file deleted", path: "a", before: "", after: undefined, diff: "--- a/a\n+++ /dev/null" },
    { what: "no file at all", path: "a", before: undefined, after: undefined, diff: "" },
    { what: "a move", path: { from: "a", to: "b" }, before: "x\n", after: "x\n", diff: "rename from a\nrename to b" },
    {
      what: "a move with a change",
      path: { from: "a", to: "b" },
      before: "x\n",
      after: "y\n",
      diff: "rename from a\nrename to b\n--- a/a\n+++ b/b\n@@ -1,1 +1,1 @@\n-x\n+y",
    },
    { what: "a blank in a name", path: "a b", before: undefined, after: "", diff: "--- /dev/null\n+++ b/a b" },
    {
      what: "a name that would be lines of its own",
      path: 'a\n+++ b/"ü"\u202e',
      before: undefined,
      after: "",
      diff: '--- /dev/null\n+++ "b/a\\012+++ b/\\"ü\\"\\342\\200\\256"',
    },
  ])("shows $what", ({ path, before, after, diff }) => {
    expect(fileDiff(path, before, after)).toBe(diff);
  });
});

describe("diffStat", () => {
  test.each([
    { what: "nothing", diff: "", added: 0, removed: 0 },
    {
      what: "lines that look like headers",
      diff: fileDiff("a", "-- a/x\n@@ -1,9 +1,9 @@\n", "++ b/x\n"),
      added: 1,
      removed: 2,
    },
    { what: "a last line without a newline", diff: fileDiff("a", "x", "y"), added: 1, removed: 1 },
    {
      what: "several files",
      diff: [fileDiff("a", "x", "y\n"), fileDiff("b", undefined, "1\n2\n"), fileDiff("c", "", undefined)].join("\n"),
      added: 3,
      removed: 1,
    },
    { what: "a hunk of one line, as others write it", diff: "@@ -1 +1 @@ function\n-x\n+y", added: 1, removed: 1 },
    { what: "what is no diff", diff: "- a\n+ b", added: 0, removed: 0 },
  ])("counts $what", ({ diff, added, removed }) => {
    expect(diffStat(diff)).toEqual({ added, removed });
  });

  test("counts lines by which the texts differ", () => {
    fc.assert(
      fc.property(anyLines, anyLines, (before, after) => {
        const linesOf = (text: string): number =>
          text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0);
        const { added, removed } = diffStat(fileDiff("a", before, after));
        expect(added - removed).toBe(linesOf(after) - linesOf(before));
      }),
    );
  });
});
