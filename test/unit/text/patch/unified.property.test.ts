import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyHunks } from "../../../../src/text/patch/applyHunks.js";
import { parsePatch } from "../../../../src/text/patch/parsePatch.js";
import { filesOf, resultOf } from "./applyPatchText.js";

/** Texts whose lines look like lines of a patch, repeat themselves, and end in every way. */
const unit = fc.constantFrom(
  "a",
  "b",
  "}",
  " ",
  "\t",
  "+",
  "-",
  "-- ",
  "@@",
  "***",
  "\\ ",
  "--- a",
  "+++ b",
  "“",
  "\n",
  "\n",
  "\n",
  "\r\n",
  "\r",
);
const text = fc.string({ unit, maxLength: 60 });

/** A unified diff as another program writes it. */
function diff(before: string, after: string, context = 3): string {
  return createTwoFilesPatch("a/file", "b/file", before, after, "", "", { context });
}

function shuffled<T>(items: readonly T[], keys: readonly number[]): { item: T; index: number }[] {
  return items.map((item, index) => ({ item, index })).sort((a, b) => (keys[a.index] ?? 0) - (keys[b.index] ?? 0));
}

describe("a unified diff of two texts", () => {
  test("turns the one into the other, byte for byte", () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 4 }), (before, after, context) => {
        fc.pre(before !== after);
        expect(resultOf(before, diff(before, after, context))).toBe(after);
      }),
      { numRuns: 3000 },
    );
  });

  test("does so without context, too, by its line numbers", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        // For programs that write diffs a carriage return alone ends no line.
        fc.pre(before !== after && ![before, after].some((each) => /\r(?!\n)/.test(each)));
        // Lines that only come take the file's line ends: the patch has none of its lines to compare.
        const seen = (given: string): string => (before.includes("\r") ? given.replaceAll("\r\n", "\n") : given);
        expect(seen(resultOf(before, diff(before, after, 0)))).toBe(seen(after));
      }),
      { numRuns: 3000 },
    );
  });

  test("is refused, or told of, where it is cut off between two of its lines", () => {
    fc.assert(
      fc.property(text, text, fc.nat(), (before, after, at) => {
        fc.pre(before !== after);
        const lines = diff(before, after, 99).split("\n").slice(1, -1);
        const [, oldCount = "1", newCount = "1"] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))?/.exec(lines[2] ?? "") ?? [];
        const cut = lines.slice(0, 3 + (at % Math.max(1, lines.length - 3)));
        const body = cut.slice(3);
        const isWhole =
          body.filter((line) => /^[ -]/.test(line)).length === Number(oldCount) &&
          body.filter((line) => /^[ +]/.test(line)).length === Number(newCount);
        for (const end of ["", "\n"]) {
          const parsed = parsePatch(cut.join("\n") + end);
          const said = parsed.ok ? (parsed.notes[0] ?? "read") : parsed.error.message;
          expect(said === "read").toBe(isWhole);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("does so in a text with a byte order mark, which stays", () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (before, after, isInPatch) => {
        fc.pre(before !== after && after !== "");
        const mark = isInPatch && before !== "" ? "\uFEFF" : "";
        expect(resultOf(`\uFEFF${before}`, diff(mark + before, mark + after))).toBe(`\uFEFF${after}`);
      }),
      { numRuns: 1000 },
    );
  });

  test("means the same whatever the order of its hunks", () => {
    const line = fc.constantFrom("a", "b", "c", "}");
    const edit = fc.record({ at: fc.nat(199), drop: fc.nat(3), add: fc.array(line, { maxLength: 3 }) });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 200, maxLength: 200 }),
        fc.array(edit, { maxLength: 8 }),
        fc.array(fc.nat()),
        (lines, edits, keys) => {
          const after = [...lines];
          for (const { at, drop, add } of edits) {
            after.splice(at, drop, ...add);
          }
          fc.pre(lines.join() !== after.join());
          const before = `${lines.join("\n")}\n`;
          const [file] = filesOf(diff(before, `${after.join("\n")}\n`));
          const hunks = file?.kind === "update" ? file.hunks : [];
          const order = shuffled(hunks, keys);
          const straight = applyHunks(before, hunks);
          const mixed = applyHunks(
            before,
            order.map(({ item }) => item),
          );
          expect(straight.ok && straight.text).toBe(`${after.join("\n")}\n`);
          expect(mixed.ok && mixed.text).toBe(straight.ok && straight.text);
          // The ranges follow their hunks.
          expect(mixed.ok && mixed.ranges).toEqual(straight.ok && order.map(({ index }) => straight.ranges[index]));
        },
      ),
      { numRuns: 200 },
    );
  });

  test("keeps a file's own line ends when it knows none", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        lines,
        lines,
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.constantFrom("\n", "\r\n"),
        (before, after, own, sent) => {
          fc.pre(before.length > 1 && before.join() !== after.join());
          const patch = diff(`${before.join("\n")}\n`, `${after.join("\n")}\n`).replaceAll("\n", sent);
          expect(resultOf(before.join(own) + own, patch)).toBe(after.join(own) + own);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
