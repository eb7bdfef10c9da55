import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unifiedDiff } from "../../../../src/text/diff/diff.js";

const UNENDED = "\n\\ No newline at end of file";

interface Side {
  kept: string[];
  start: number;
}

/** A text's lines with their newlines. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

/** Applies a unified diff the way `patch` does, trusting its line numbers alone; throws when they lie. */
function apply(before: string, diff: string): string {
  const lines = linesOf(before);
  const result: string[] = [];
  let taken = 0;
  for (const hunk of diff === "" ? [] : diff.split(/^(?=@@ )/m)) {
    const [header = "", ...rest] = hunk.replace(/\n$/, "").split("\n");
    const body: string[] = [];
    for (const line of rest) {
      if (line === "\\ No newline at end of file") {
        body.push((body.pop() ?? "").replace(/\n$/, ""));
      } else {
        body.push(`${line}\n`);
      }
    }
    const [, oldStart = "", oldLines = "", newStart = "", newLines = ""] =
      /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(header) ?? [];
    const side = (mark: string, start: string, count: string): Side => ({
      kept: body.filter((line) => line.startsWith(" ") || line.startsWith(mark)).map((line) => line.slice(1)),
      start: Number(start) + (count === "0" ? 1 : 0),
    });
    const old = side("-", oldStart, oldLines);
    const changed = side("+", newStart, newLines);
    result.push(...lines.slice(taken, old.start - 1));
    taken = old.start - 1;
    expect(lines.slice(taken, taken + old.kept.length)).toEqual(old.kept);
    expect(result.length).toBe(changed.start - 1);
    expect([old.kept.length, changed.kept.length]).toEqual([Number(oldLines), Number(newLines)]);
    result.push(...changed.kept);
    taken += old.kept.length;
  }
  return [...result, ...lines.slice(taken)].join("");
}

describe("unifiedDiff", () => {
  test.each([
    { what: "nothing", before: "a\nb", after: "a\nb", diff: "" },
    { what: "a line", before: "a\nb\nc\n", after: "a\nB\nc\n", diff: "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c" },
    { what: "the only line", before: "a", after: "b", diff: `@@ -1,1 +1,1 @@\n-a${UNENDED}\n+b${UNENDED}` },
    { what: "an empty text filled", before: "", after: "a\n", diff: "@@ -0,0 +1,1 @@\n+a" },
    { what: "a final newline", before: "a", after: "a\n", diff: `@@ -1,1 +1,1 @@\n-a${UNENDED}\n+a` },
    { what: "a line ending", before: "a\r\nb\n", after: "a\nb\n", diff: "@@ -1,2 +1,2 @@\n-a\r\n+a\n b" },
    {
      what: "three lines around a change far down",
      before: [..."abcdefghij"].join("\n"),
      after: [..."abcdeXghij"].join("\n"),
      diff: "@@ -3,7 +3,7 @@\n c\n d\n e\n-f\n+X\n g\n h\n i",
    },
  ])("shows $what", ({ before, after, diff }) => {
    expect(unifiedDiff(before, after)).toBe(diff);
  });

  test("changes far apart are hunks of their own", () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    const changed = lines.map((line, index) => (index === 10 || index === 80 ? "changed" : line));
    expect(unifiedDiff(lines.join("\n"), changed.join("\n")).match(/^@@/gm)).toHaveLength(2);
  });

  test("applied to the text before gives the text after", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "b", "c", "\n", "\n", "\r\n", "-", "+", " ", "@"),
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(apply(before, unifiedDiff(before, after))).toBe(after);
      }),
      { numRuns: 500 },
    );
  });

  test("applied to a big text with random edits gives the text after", () => {
    const edit = fc.record({
      at: fc.nat(4_999),
      drop: fc.nat(3),
      add: fc.array(fc.constantFrom("x", "y", ""), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 5 }), (edits) => {
        const before = Array.from({ length: 5_000 }, (_, index) => `line ${index % 97}`);
        const after = [...before];
        for (const { at, drop, add } of edits) {
          after.splice(at, drop, ...add);
        }
        expect(apply(before.join("\n"), unifiedDiff(before.join("\n"), after.join("\n")))).toBe(after.join("\n"));
      }),
      { numRuns: 20 },
    );
  });

  test("is right also where the least difference would take too long", () => {
    const numbered = (factor: number): string =>
      Array.from({ length: 30_000 }, (_, index) => String((index * factor) % 30_011)).join("\n");
    const [before, after] = [`same\n${numbered(7)}\nend`, `same\n${numbered(13)}\nend`];
    expect(apply(before, unifiedDiff(before, after))).toBe(after);
  });
});
