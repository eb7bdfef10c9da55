import { diffArrays } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LineHunk, lineHunks } from "../../../../src/text/diff/lineHunks.js";

/** Rebuilds the new lines from the old ones and the hunks, and checks that these are in order and apart. */
function apply(before: string[], after: string[], hunks: LineHunk[]): string[] {
  const result: string[] = [];
  let done = -1;
  for (const { start, end, newStart, newEnd } of hunks) {
    expect(start).toBeGreaterThan(done);
    expect(end - start + newEnd - newStart).toBeGreaterThan(0);
    result.push(...before.slice(Math.max(0, done), start));
    expect(result.length).toBe(newStart);
    result.push(...after.slice(newStart, newEnd));
    done = end;
  }
  return [...result, ...before.slice(Math.max(0, done))];
}

function sizeOf(hunks: LineHunk[]): number {
  return hunks.reduce((sum, { start, end, newStart, newEnd }) => sum + end - start + newEnd - newStart, 0);
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `line ${index}`);
}

describe("lineHunks", () => {
  test("leads from the old lines to the new ones by the fewest lines", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const hunks = lineHunks(before, after);
        expect(apply(before, after, hunks)).toEqual(after);
        const least = diffArrays(before, after).reduce(
          (sum, part) => sum + (part.added || part.removed ? part.count : 0),
          0,
        );
        expect(sizeOf(hunks)).toBe(least);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    {
      what: "a text rewritten",
      before: numbered(30_000),
      after: numbered(30_000).map((line) => `new ${line}`),
      hunks: 1,
    },
    {
      what: "every other line changed",
      before: numbered(20_000),
      after: numbered(20_000).map((line, at) => (at % 2 ? line : `new ${line}`)),
      hunks: 10_000,
    },
    {
      what: "every third line of many alike gone",
      before: [...numbered(30_000).flatMap((line) => [line, "}", ""]), "a", "}", "", "}", "b"],
      after: [...numbered(30_000).flatMap((line, at) => (at % 3 ? [line, "}", ""] : [])), "A", "}", "", "}", "B"],
      hunks: 10_002,
    },
    { what: "the order turned around", before: numbered(20_000), after: numbered(20_000).reverse(), hunks: 2 },
    {
      what: "lines that tell nothing",
      before: numbered(20_000).map((_, at) => `${at % 7}`),
      after: numbered(20_000).map((_, at) => `${(at * at) % 11}`),
      hunks: 1,
    },
    { what: "nothing", before: numbered(100_000), after: numbered(100_000), hunks: 0 },
  ])("stays bounded and right with $what", ({ before, after, hunks }) => {
    const found = lineHunks(before, after);
    expect(apply(before, after, found)).toEqual(after);
    expect(found).toHaveLength(hunks);
    expect(lineHunks(before, after)).toEqual(found);
  });
});
