import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyLinePatches, type LinePatch } from "../../../../src/text/diff/linePatches.js";
import { endingOf, splitLines } from "../../../../src/text/splitLines.js";
import { anyText } from "../arbitraries.js";

function patch(start_line: number, end_line: number, content: string): LinePatch {
  return { start_line, end_line, content };
}

/** A text's lines without their endings. */
function bare(text: string): string[] {
  return splitLines(text).map((line) => line.slice(0, line.length - endingOf(line).length));
}

describe("applyLinePatches", () => {
  test.each([
    { what: "nothing", text: "a\nb\n", patches: [], result: "a\nb\n" },
    { what: "a line replaced", text: "a\nb\nc\n", patches: [patch(2, 2, "B")], result: "a\nB\nc\n" },
    { what: "one line by several", text: "a\nb\n", patches: [patch(1, 1, "x\ny\nz")], result: "x\ny\nz\nb\n" },
    { what: "a range deleted", text: "a\nb\nc\n", patches: [patch(1, 2, "")], result: "c\n" },
    { what: "every line deleted", text: "a\nb\n", patches: [patch(1, 2, "")], result: "" },
    { what: "a range by one empty line", text: "a\nb\nc\n", patches: [patch(1, 2, "\n")], result: "\nc\n" },
    { what: "an insert before a line", text: "a\nb\n", patches: [patch(2, 0, "x")], result: "a\nx\nb\n" },
    { what: "one empty line put in", text: "a\nb\n", patches: [patch(2, 0, "")], result: "a\n\nb\n" },
    {
      what: "one empty line put in, with its ending",
      text: "a\nb\n",
      patches: [patch(2, 0, "\n")],
      result: "a\n\nb\n",
    },
    { what: "one ending at the content's end as no line", text: "a\n", patches: [patch(1, 1, "x\n")], result: "x\n" },
    { what: "only one of them", text: "a\n", patches: [patch(1, 1, "x\n\n")], result: "x\n\n" },
    {
      what: "the original numbers for all",
      text: "a\nb\nc\n",
      patches: [patch(1, 1, "x\ny"), patch(3, 3, "z")],
      result: "x\ny\nb\nz\n",
    },
    { what: "patches in any order", text: "a\nb\nc\n", patches: [patch(3, 3, "z"), patch(1, 1, "")], result: "b\nz\n" },
    {
      what: "inserts at one line in their order",
      text: "a\n",
      patches: [patch(1, 0, "1"), patch(1, 0, "2"), patch(1, 0, "3")],
      result: "1\n2\n3\na\n",
    },
    {
      what: "an insert and what replaces its line",
      text: "a\nb\n",
      patches: [patch(2, 2, "B"), patch(2, 0, "x")],
      result: "a\nx\nB\n",
    },
    {
      what: "an insert behind a range",
      text: "a\nb\nc\n",
      patches: [patch(1, 2, "x"), patch(3, 0, "y")],
      result: "x\ny\nc\n",
    },
    { what: "an append", text: "a\n", patches: [patch(2, 0, "b")], result: "a\nb\n" },
    {
      what: "an append from far past the end, by a range",
      text: "a\n",
      patches: [patch(90, 99, "b")],
      result: "a\nb\n",
    },
    {
      what: "appends in the order of their lines",
      text: "a\n",
      patches: [patch(9, 0, "c"), patch(5, 0, "b")],
      result: "a\nb\nc\n",
    },
    { what: "a range up to past the end", text: "a\nb\nc\n", patches: [patch(2, 999, "x")], result: "a\nx\n" },
    { what: "no final newline where there was none", text: "a\nb", patches: [patch(2, 2, "x\n")], result: "a\nx" },
    { what: "an append without a final newline", text: "a\nb", patches: [patch(3, 0, "c")], result: "a\nb\nc" },
    { what: "the last line gone without a final newline", text: "a\nb", patches: [patch(2, 2, "")], result: "a" },
    {
      what: "an empty last line, which only its ending shows",
      text: "a\n\nb",
      patches: [patch(3, 3, "")],
      result: "a\n\n",
    },
    { what: "an empty text", text: "", patches: [patch(1, 0, "a\nb")], result: "a\nb" },
    { what: "an empty text, with the content's final newline", text: "", patches: [patch(1, 1, "a\n")], result: "a\n" },
    {
      what: "CRLF",
      text: "a\r\nb\r\n",
      patches: [patch(1, 1, "x\ny"), patch(3, 0, "z\n")],
      result: "x\r\ny\r\nb\r\nz\r\n",
    },
    { what: "CRLF without a final newline", text: "a\r\nb", patches: [patch(3, 0, "c")], result: "a\r\nb\r\nc" },
    {
      what: "content in CRLF for a text in LF",
      text: "a\nb\n",
      patches: [patch(1, 1, "x\r\ny\r\n")],
      result: "x\ny\nb\n",
    },
    {
      what: "mixed endings as they are beside",
      text: "a\r\nb\nc\n",
      patches: [patch(1, 1, "x\ny"), patch(3, 3, "z")],
      result: "x\r\ny\r\nb\nz\n",
    },
    {
      what: "\\r and an empty line as two lines",
      text: "a\rb\n\nc\n",
      patches: [patch(2, 2, "")],
      result: "a\r\r\nc\n",
    },
    { what: "dollars as they are", text: "a\n", patches: [patch(1, 1, "$& $1")], result: "$& $1\n" },
  ])("gives $what", ({ text, patches, result }) => {
    expect(applyLinePatches(text, patches)).toEqual({ ok: true, text: result });
  });

  test.each([
    {
      patches: [patch(0, 0, "x")],
      kind: "invalid_range",
      at: [0],
      says: "patches[0]: start_line 0 is not a line number: lines count from 1.",
    },
    {
      patches: [patch(1, 1, "x"), patch(1.5, 2, "x")],
      kind: "invalid_range",
      at: [1],
      says: "patches[1]: start_line 1.5 is not",
    },
    { patches: [patch(NaN, 2, "x")], kind: "invalid_range", at: [0], says: "start_line NaN is not" },
    {
      patches: [patch(1, -1, "x")],
      kind: "invalid_range",
      at: [0],
      says: "end_line -1 is neither a line number nor 0",
    },
    { patches: [patch(1, Infinity, "x")], kind: "invalid_range", at: [0], says: "end_line Infinity is neither" },
    {
      patches: [patch(3, 2, "x")],
      kind: "invalid_range",
      at: [0],
      says: "end_line 2 is before start_line 3. Give 0 to insert",
    },
    { patches: [patch(4, 4, "")], kind: "past_end", at: [0], says: "line 4 cannot be deleted: the text has 3 lines." },
    {
      patches: [patch(2, 3, "x"), patch(1, 2, "y")],
      kind: "overlap",
      at: [0, 1],
      says: "patches[0] (lines 2–3) and patches[1] (lines 1–2) overlap. Make them one patch.",
    },
    { patches: [patch(1, 9, "x"), patch(2, 2, "y"), patch(5, 5, "z")], kind: "overlap", at: [0, 1], says: "overlap" },
    {
      patches: [patch(2, 0, "x"), patch(1, 2, "y")],
      kind: "overlap",
      at: [0, 1],
      says: "patches[0] (insert before line 2) and patches[1] (lines 1–2)",
    },
    {
      patches: [patch(2, 2, "x"), patch(3, 3, "z"), patch(2, 2, "x")],
      kind: "overlap",
      at: [0, 2],
      says: "patches[0] (lines 2–2) and patches[2]",
    },
  ])("refuses $says", ({ patches, kind, at, says }) => {
    const result = applyLinePatches("a\nb\nc\n", patches);
    expect(result).toMatchObject({ ok: false, error: { kind, patches: at } });
    expect(result.ok ? "" : result.error.message).toContain(says);
  });

  test("an empty line behind one that gets its ending only now stays a line", () => {
    expect(applyLinePatches("\ra\na", [patch(1, 2, "x\n"), patch(4, 0, "\n")])).toEqual({
      ok: true,
      text: "x\ra\r\r\n",
    });
  });

  test("does what patching a list of lines does, and keeps every other line's ending", () => {
    const content = fc.array(fc.constantFrom("x", "y", ""), { minLength: 1, maxLength: 3 });
    const pieces = fc.array(fc.record({ kept: fc.nat({ max: 2 }), replaced: fc.nat({ max: 2 }), content }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(anyText, pieces, fc.boolean(), (text, all, isTurned) => {
        const lines = bare(text);
        const expected: string[] = [];
        const patches: LinePatch[] = [];
        let at = 0;
        for (const { kept, replaced, content: added } of all) {
          expected.push(...lines.slice(at, at + kept), ...added);
          // A content is its lines, each ended: an empty one cannot be mistaken for a deletion.
          patches.push(
            patch(at + kept + 1, replaced === 0 ? 0 : at + kept + replaced, added.map((line) => `${line}\n`).join("")),
          );
          at += kept + replaced;
        }
        expected.push(...lines.slice(at));
        // Turned around, only what is at a place of its own keeps its meaning.
        const places = new Set(patches.map(({ start_line }) => start_line));
        const given = isTurned && places.size === patches.length ? patches.toReversed() : patches;
        const result = applyLinePatches(text, given);
        expect(result.ok).toBe(true);
        const after = result.ok ? result.text : "";
        expect(bare(after)).toEqual(expected);
        if (text !== "" && expected.at(-1) !== undefined && expected.at(-1) !== "") {
          expect(endingOf(after) !== "").toBe(endingOf(text) !== "");
        }
        if (!text.includes("\r")) {
          expect(after).not.toContain("\r");
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("takes any numbers", () => {
    const number = fc.oneof(fc.integer({ min: -2, max: 8 }), fc.double());
    const patches = fc.array(fc.record({ start_line: number, end_line: number, content: anyText }), { maxLength: 4 });
    fc.assert(
      fc.property(anyText, patches, (text, all) => {
        const result = applyLinePatches(text, all);
        expect(result.ok || result.error.patches.every((index) => index in all)).toBe(true);
      }),
    );
  });

  test("takes a hundred thousand patches of a hundred thousand lines", () => {
    const text = "a\n".repeat(100_000);
    const patches = Array.from({ length: 100_000 }, (_, index) => patch(100_000 - index, 100_000 - index, "b"));
    expect(applyLinePatches(text, patches)).toEqual({ ok: true, text: "b\n".repeat(100_000) });
  });
});
