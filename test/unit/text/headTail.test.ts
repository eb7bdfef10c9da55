import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HeadTail, headTail } from "../../../src/text/headTail.js";
import { isInsidePair, splitLines } from "../../../src/text/splitLines.js";
import { anyChunks, anyText } from "./arbitraries.js";

describe("headTail", () => {
  test.each([
    { what: "a short text whole", text: "abc\n", head: 2, tail: 2, shown: "abc\n", leftOut: undefined },
    { what: "nothing", text: "", head: 0, tail: 0, shown: "", leftOut: undefined },
    {
      what: "whole lines",
      text: "one\ntwo\nthree\nfour\nfive\n",
      head: 6,
      tail: 8,
      shown: "one\n[… 15 characters in 3 lines left out …]\nfive\n",
      leftOut: { characters: 15, lines: 3 },
    },
    {
      what: "parts of a long line",
      text: "abcdefghij",
      head: 3,
      tail: 2,
      shown: "abc\n[… 5 characters in 1 line left out …]\nij",
      leftOut: { characters: 5, lines: 1 },
    },
    {
      what: "a head alone",
      text: "a\nb\nc",
      head: 2,
      tail: 0,
      shown: "a\n[… 3 characters in 2 lines left out …]\n",
      leftOut: { characters: 3, lines: 2 },
    },
    {
      what: "a tail alone",
      text: "a\nb\nc",
      head: 0,
      tail: 1,
      shown: "[… 4 characters in 2 lines left out …]\nc",
      leftOut: { characters: 4, lines: 2 },
    },
    {
      what: "neither",
      text: "a",
      head: 0,
      tail: 0,
      shown: "[… 1 character in 1 line left out …]\n",
      leftOut: { characters: 1, lines: 1 },
    },
    {
      what: "characters of two code units whole",
      text: "😀😀😀😀",
      head: 3,
      tail: 3,
      shown: "😀\n[… 4 characters in 1 line left out …]\n😀",
      leftOut: { characters: 4, lines: 1 },
    },
    {
      what: "\\r\\n whole",
      text: "a\r\nb\r\n\r\nc",
      head: 2,
      tail: 2,
      shown: "a\n[… 7 characters in 3 lines left out …]\nc",
      leftOut: { characters: 7, lines: 3 },
    },
  ])("keeps $what", ({ text, head, tail, shown, leftOut }) => {
    const result = headTail(text, { head, tail });
    expect(result).toEqual({ text: shown, characters: text.length, lines: splitLines(text).length, leftOut });
  });

  const limits = fc.record({ head: fc.nat({ max: 12 }), tail: fc.nat({ max: 12 }) });

  test("says exactly what it left out, and cuts no pair", () => {
    fc.assert(
      fc.property(anyText, limits, (text, { head: headLimit, tail: tailLimit }) => {
        const { text: shown, characters, lines, leftOut } = headTail(text, { head: headLimit, tail: tailLimit });
        expect([characters, lines]).toEqual([text.length, splitLines(text).length]);
        if (!leftOut) {
          expect(shown).toBe(text);
          return;
        }
        const [start = "", tail = ""] = shown.split(/\[….*…\]\n/);
        const headLength = text.length - tail.length - leftOut.characters;
        const head = text.slice(0, headLength);
        expect([head, `${head}\n`]).toContain(start);
        expect(text.endsWith(tail)).toBe(true);
        expect([head.length <= headLimit, tail.length <= tailLimit]).toEqual([true, true]);
        // A cut takes away half at most, for a line's sake, and one code unit for a pair's.
        expect([head.length >= headLimit / 2 - 1, tail.length >= tailLimit / 2 - 1]).toEqual([true, true]);
        expect([isInsidePair(text, headLength), isInsidePair(text, text.length - tail.length)]).toEqual([false, false]);
        expect(leftOut.lines).toBe(splitLines(text.slice(headLength, text.length - tail.length)).length);
      }),
      { numRuns: 1_000 },
    );
  });

  test("gives the same for a text in chunks, wherever they end", () => {
    const chunked = anyText.chain((text) => fc.tuple(fc.constant(text), anyChunks(text)));
    fc.assert(
      fc.property(chunked, limits, ([text, chunks], sizes) => {
        const stream = new HeadTail(sizes);
        for (const chunk of chunks) {
          stream.push(chunk);
        }
        expect(stream.finish()).toEqual(headTail(text, sizes));
        expect(stream.finish()).toEqual(headTail(text, sizes));
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    { what: "large", size: 65_536 },
    { what: "odd", size: 4_099 },
    { what: "tiny", size: 7 },
  ])("gives the same for a long text in $what chunks", ({ size }) => {
    const text = Array.from({ length: 20_000 }, (_, index) => `${index} 😀 output\r\n`).join("");
    const stream = new HeadTail({ head: 1_000, tail: 1_000 });
    for (let at = 0; at < text.length; at += size) {
      stream.push(text.slice(at, at + size));
    }
    const result = stream.finish();
    expect(result).toEqual(headTail(text, { head: 1_000, tail: 1_000 }));
    expect(result.text.length).toBeLessThan(2_100);
  });

  test.each([1, 10, 11, 4_000, 5_000, 100_000])("keeps as much as it may of one line in chunks of %d", (size) => {
    const stream = new HeadTail({ head: 10, tail: 10 });
    for (let at = 0; at < 100_000; at += size) {
      stream.push("x".repeat(Math.min(size, 100_000 - at)));
    }
    expect(stream.finish().text).toBe(
      `${"x".repeat(10)}\n[… 99980 characters in 1 line left out …]\n${"x".repeat(10)}`,
    );
  });

  test.each([
    { what: "what is no number", head: NaN, tail: -1, shown: "[… 4 characters in 2 lines left out …]\n" },
    { what: "no limit", head: Infinity, tail: 0, shown: "a\nb\n" },
    { what: "fractions", head: 2.9, tail: 0.5, shown: "a\n[… 2 characters in 1 line left out …]\n" },
  ])("takes limits that are $what", ({ head, tail, shown }) => {
    expect(headTail("a\nb\n", { head, tail }).text).toBe(shown);
  });
});
