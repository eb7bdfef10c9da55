import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { merge3 } from "../../../../src/text/diff/merge.js";
import { splitLines } from "../../../../src/text/splitLines.js";
import { anyLines, anyText } from "../arbitraries.js";

describe("merge3 joins", () => {
  test.each([
    {
      what: "changes of lines apart",
      base: "1\n2\n3\n",
      ours: "one\n2\n3\n",
      theirs: "1\n2\nthree\n",
      merged: "one\n2\nthree\n",
    },
    {
      what: "an insert and a deletion",
      base: "1\n2\n3\n4\n",
      ours: "1\nnew\n2\n3\n4\n",
      theirs: "1\n2\n3\n",
      merged: "1\nnew\n2\n3\n",
    },
    {
      what: "the same change on both sides",
      base: "1\n2\n3\n",
      ours: "1\nX\n3\n",
      theirs: "1\nX\n3\n",
      merged: "1\nX\n3\n",
    },
    {
      what: "the same change beside others",
      base: "1\n2\n3\n4\n5\n",
      ours: "0\n1\n2\nX\n4\n5\n",
      theirs: "1\n2\nX\n4\n5\n6\n",
      merged: "0\n1\n2\nX\n4\n5\n6\n",
    },
    {
      what: "line endings as they are",
      base: "1\r\n2\r\n3",
      ours: "1\r\nX\n2\r\n3",
      theirs: "1\r\n2\r\nY",
      merged: "1\r\nX\n2\r\nY",
    },
    { what: "a final newline", base: "1\n2\n3", ours: "0\n2\n3", theirs: "1\n2\n3\n", merged: "0\n2\n3\n" },
    { what: "a text emptied on one side", base: "1\n", ours: "1\n", theirs: "", merged: "" },
  ])("$what", ({ base, ours, theirs, merged }) => {
    expect(merge3(base, ours, theirs)).toEqual({ ok: true, text: merged });
    expect(merge3(base, theirs, ours)).toEqual({ ok: true, text: merged });
  });
});

describe("merge3 refuses", () => {
  test.each([
    {
      what: "one line changed in two ways",
      base: "1\n2\n3\n",
      ours: "0\n1\nX\n3\n",
      theirs: "1\nY\n3\n",
      conflicts: [{ start: 3, end: 3, base: "2\n", ours: "X\n", theirs: "Y\n" }],
    },
    {
      what: "lines next to each other",
      base: "1\n2\n3\n4\n",
      ours: "1\nX\n3\n4\n",
      theirs: "1\n2\nY\n4\n",
      conflicts: [{ start: 2, end: 3, base: "2\n3\n", ours: "X\n3\n", theirs: "2\nY\n" }],
    },
    {
      what: "a change in lines that the user deleted",
      base: "1\n2\n3\n4\n",
      ours: "1\n4\n",
      theirs: "1\n2\nY\n4\n",
      conflicts: [{ start: 2, end: 1, base: "2\n3\n", ours: "", theirs: "2\nY\n" }],
    },
    {
      what: "two inserts at one place",
      base: "1\n2\n",
      ours: "1\nX\n2\n",
      theirs: "1\nY\n2\n",
      conflicts: [{ start: 2, end: 2, base: "", ours: "X\n", theirs: "Y\n" }],
    },
    {
      what: "an insert right before a changed line",
      base: "1\n2\n3\n",
      ours: "1\nX\n2\n3\n",
      theirs: "1\nY\n3\n",
      conflicts: [{ start: 2, end: 3, base: "2\n", ours: "X\n2\n", theirs: "Y\n" }],
    },
    {
      what: "changes that a change of the other side joins",
      base: "1\n2\n3\n4\n5\n",
      ours: "1\nA\n3\nB\n5\n",
      theirs: "1\n2\nX\n4\n5\n",
      conflicts: [{ start: 2, end: 4, base: "2\n3\n4\n", ours: "A\n3\nB\n", theirs: "2\nX\n4\n" }],
    },
    {
      what: "the user's new line endings throughout",
      base: "1\n2\n",
      ours: "1\r\n2\r\n",
      theirs: "1\nY\n",
      conflicts: [{ start: 1, end: 2, base: "1\n2\n", ours: "1\r\n2\r\n", theirs: "1\nY\n" }],
    },
  ])("$what", ({ base, ours, theirs, conflicts }) => {
    expect(merge3(base, ours, theirs)).toEqual({ ok: false, conflicts, total: conflicts.length });
  });

  test("with bounded conflicts, however many and long they are", () => {
    const line = (mark: string): string => `${mark}${"x".repeat(2_000)}\n`;
    const side = (mark: string): string =>
      Array.from({ length: 100 }, (_, index) => `${line(mark)}${index}\n`).join("");
    const merge = merge3(side("a"), side("b"), side("c"));
    expect(merge).toMatchObject({ ok: false, total: 100 });
    expect(JSON.stringify(merge).length).toBeLessThan(60_000);
  });

  test("texts too different to compare, as one conflict", () => {
    const mixed = (factor: number): string =>
      Array.from({ length: 20_000 }, (_, at) => `${(at * at * factor) % 13}\n`).join("");
    expect(merge3(mixed(1), mixed(2), mixed(3))).toMatchObject({ ok: false, total: 1 });
  });
});

describe("merge3", () => {
  test.each([
    { what: "any texts", texts: anyText },
    { what: "texts of lines", texts: anyLines },
  ])("a side that changed nothing, or the same, leaves the other: $what", ({ texts }) => {
    fc.assert(
      fc.property(texts, texts, (base, changed) => {
        expect(merge3(base, base, changed)).toEqual({ ok: true, text: changed });
        expect(merge3(base, changed, base)).toEqual({ ok: true, text: changed });
        expect(merge3(base, changed, changed)).toEqual({ ok: true, text: changed });
      }),
    );
  });

  test("both sides are alike, and the lines joined stay lines", () => {
    const texts = fc.oneof(anyText, anyLines);
    fc.assert(
      fc.property(texts, texts, texts, (base, ours, theirs) => {
        const merge = merge3(base, ours, theirs);
        const turned = merge3(base, theirs, ours);
        expect(turned.ok).toBe(merge.ok);
        if (merge.ok && turned.ok) {
          expect(turned.text).toBe(merge.text);
          const known = new Set([base, ours, theirs].flatMap(splitLines));
          expect(splitLines(merge.text).filter((line) => !known.has(line))).toEqual([]);
        }
        for (const { start, end, ours: lines } of merge.ok ? [] : merge.conflicts) {
          expect(
            splitLines(ours)
              .slice(start - 1, end)
              .join(""),
          ).toBe(lines);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("edits apart from each other all arrive", () => {
    /** What happens to each block of the base: the line in its middle stays, so that no two edits touch. */
    const edits = fc.array(
      fc.tuple(fc.constantFrom("ours", "theirs", "none"), fc.constantFrom("change", "delete", "insert")),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(edits, (blocks) => {
        const side = (...sides: string[]): string =>
          blocks
            .map(([by, edit], index) => {
              const old = `old ${index}\n`;
              const edited = { change: `new ${index}\n`, delete: "", insert: `${old}more ${index}\n` }[edit];
              return `kept ${index}\n${sides.includes(by) ? edited : old}`;
            })
            .join("");
        expect(merge3(side(), side("ours"), side("theirs"))).toEqual({ ok: true, text: side("ours", "theirs") });
      }),
    );
  });

  test("no line that the user wrote is dropped", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "}", ""), { maxLength: 20 });
    const typed = fc.array(fc.nat({ max: 20 }), { maxLength: 5 });
    fc.assert(
      fc.property(lines, lines, typed, (base, theirs, places) => {
        const ours: string[] = [...base];
        for (const [index, place] of places.entries()) {
          ours.splice(Math.min(place, ours.length), 0, `typed ${index}`);
        }
        const join = (all: string[]): string => all.map((line) => `${line}\n`).join("");
        const merge = merge3(join(base), join(ours), join(theirs));
        const typedIn = (all: string[]): string[] => all.filter((line) => line.startsWith("typed"));
        expect(merge.ok ? typedIn(merge.text.split("\n")) : typedIn(ours)).toEqual(typedIn(ours));
      }),
      { numRuns: 1_000 },
    );
  });
});
