import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineMap } from "../../../src/text/diff/lineMap.js";
import { newProblems, type Problem } from "../../../src/text/problems.js";
import { anyLines } from "./arbitraries.js";

function problem(line: number, message: string, more: Partial<Problem> = {}): Problem {
  return { line, message, severity: "error", ...more };
}

describe("newProblems", () => {
  const text = "1\n2\n3\n4\n5\n";
  const shifted = "0\n1\n2\n3\n4\n5\n";
  const changed = "1\nnew\nnewer\n3\n4\n5\n";

  test.each([
    { what: "one that was not there", after: text, old: [], now: [problem(2, "x")], fresh: [0] },
    { what: "none that stands where it stood", after: text, old: [problem(2, "x")], now: [problem(2, "x")], fresh: [] },
    { what: "none whose line moved", after: shifted, old: [problem(2, "x")], now: [problem(3, "x")], fresh: [] },
    {
      what: "none that moved along its line",
      after: text,
      old: [problem(2, "x", { column: 1 })],
      now: [problem(2, "x", { column: 9 })],
      fresh: [],
    },
    {
      what: "none of a changed line that still has it",
      after: changed,
      old: [problem(2, "x")],
      now: [problem(3, "x")],
      fresh: [],
    },
    {
      what: "none that is told of another place now",
      after: text,
      old: [problem(2, "x")],
      now: [problem(5, "x")],
      fresh: [],
    },
    {
      what: "none whose numbers alone changed in its place",
      after: shifted,
      old: [problem(2, "see line 1")],
      now: [problem(3, "see line 2")],
      fresh: [],
    },
    {
      what: "none whose numbers changed on a changed line",
      after: changed,
      old: [problem(2, "got 1")],
      now: [problem(2, "got 2")],
      fresh: [],
    },
    {
      what: "one with other numbers elsewhere",
      after: text,
      old: [problem(2, "got 1")],
      now: [problem(4, "got 2")],
      fresh: [0],
    },
    {
      what: "the second of two alike",
      after: text,
      old: [problem(2, "x")],
      now: [problem(2, "x"), problem(2, "x")],
      fresh: [1],
    },
    {
      what: "the one elsewhere, when the old one stands",
      after: shifted,
      old: [problem(2, "x")],
      now: [problem(1, "x"), problem(3, "x")],
      fresh: [0],
    },
    {
      what: "the one outside of the change, when one stands in it",
      after: changed,
      old: [problem(2, "x")],
      now: [problem(1, "x"), problem(3, "x")],
      fresh: [0],
    },
    {
      what: "one that became an error",
      after: text,
      old: [problem(2, "x", { severity: "warning" })],
      now: [problem(2, "x")],
      fresh: [0],
    },
    {
      what: "one of another source",
      after: text,
      old: [problem(2, "x", { source: "ts" })],
      now: [problem(2, "x", { source: "eslint" })],
      fresh: [0],
    },
    {
      what: "one of another code",
      after: text,
      old: [problem(2, "x", { code: 1 })],
      now: [problem(2, "x", { code: 2 })],
      fresh: [0],
    },
    {
      what: "none whose code is a number or its digits",
      after: text,
      old: [problem(2, "x", { code: 1 })],
      now: [problem(2, "x", { code: "1" })],
      fresh: [],
    },
    {
      what: "new ones in the order given",
      after: text,
      old: [],
      now: [problem(5, "b"), problem(1, "a")],
      fresh: [0, 1],
    },
    {
      what: "none on the empty line at the end",
      after: shifted,
      old: [problem(6, "'}' expected")],
      now: [problem(7, "'}' expected")],
      fresh: [],
    },
  ])("reports $what", ({ after, old, now, fresh }) => {
    expect(newProblems(old, now, lineMap(text, after))).toEqual(fresh.map((index) => now[index]));
  });

  const problems = fc.array(
    fc.record({
      line: fc.integer({ min: 0, max: 12 }),
      message: fc.constantFrom("x", "y 1", "y 2"),
      severity: fc.constantFrom("error", "warning"),
    }),
    { maxLength: 12 },
  );

  test("reports nothing for problems that only moved, and all when there were none", () => {
    fc.assert(
      fc.property(anyLines, anyLines, problems, problems, (before, after, old, extra) => {
        const map = lineMap(before, after);
        const moved = old.map((each) => ({ ...each, line: map.toAfter(each.line) ?? each.line }));
        expect(newProblems(old, moved, map)).toEqual([]);
        expect(newProblems([], extra, map)).toEqual(extra);
        expect(newProblems(old, [], map)).toEqual([]);
      }),
    );
  });

  test("reports at least as many as there are more of, and never one twice", () => {
    fc.assert(
      fc.property(anyLines, anyLines, problems, problems, (before, after, old, now) => {
        const fresh = newProblems(old, now, lineMap(before, after));
        expect(fresh.length).toBeGreaterThanOrEqual(now.length - old.length);
        expect(now.filter((each) => fresh.includes(each))).toEqual(fresh);
      }),
    );
  });
});
