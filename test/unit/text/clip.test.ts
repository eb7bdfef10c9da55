import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clipStart, excerpt, keepHeadAndTail, oneLine, shorten, splitParts } from "../../../src/text/clip.js";
import { isWellFormed } from "./isWellFormed.js";

/** Texts with line ends, characters outside the basic plane, and halves of them. */
const anyText = fc.string({
  unit: fc.constantFrom("a", "b", "\n", "\r\n", "ü", "日", "😀", "\ud83d", "\ude00"),
  maxLength: 60,
});
/** Texts with whole characters only. */
const soundText = fc.string({ unit: fc.constantFrom("a", "\n", "日", "😀", "👩🏽‍🚀"), maxLength: 60 });

describe("clipStart", () => {
  test.each([
    { text: "abc", max: 5, clipped: "abc" },
    { text: "abc", max: 3, clipped: "abc" },
    { text: "abc", max: 2, clipped: "ab" },
    { text: "abc", max: 0, clipped: "" },
    { text: "a😀b", max: 2, clipped: "a" },
    { text: "a😀b", max: 3, clipped: "a😀" },
    { text: "😀", max: 1, clipped: "" },
    // A half pair of its own is a unit like any other.
    { text: "\ude00abc", max: 0, clipped: "" },
    { text: "a\ude00bc", max: 1, clipped: "a" },
  ])("$text to $max", ({ text, max, clipped }) => {
    expect(clipStart(text, max)).toBe(clipped);
  });

  test("is a beginning of the text, as long as it may be and no whole character cut", () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, max) => {
        const clipped = clipStart(text, max);
        expect(text.startsWith(clipped)).toBe(true);
        expect(clipped.length).toBeLessThanOrEqual(max);
        expect(clipped.length).toBeGreaterThanOrEqual(Math.min(text.length, max) - 1);
      }),
    );
    fc.assert(fc.property(soundText, fc.nat(40), (text, max) => isWellFormed(clipStart(text, max))));
  });
});

test.each([
  { text: "abc", max: 3, short: "abc" },
  { text: "abcd", max: 3, short: "ab…" },
  { text: "a😀bc", max: 3, short: "a…" },
])("shorten $text to $max", ({ text, max, short }) => {
  expect(shorten(text, max)).toBe(short);
});

test.each([
  { text: "Reading a.ts", line: "Reading a.ts" },
  { text: " two\r\n\tlines ", line: "two lines" },
  { text: "a\u2028b\u0000c\u001b[31md", line: "a b c [31md" },
  { text: "gpj\u202e.exe", line: "gpj .exe" },
  { text: "日本 😀", line: "日本 😀" },
])("oneLine of $text", ({ text, line }) => {
  expect(oneLine(text)).toBe(line);
});

describe("excerpt", () => {
  test.each([
    { value: "short", max: 10, shown: '"short"' },
    { value: 'say "hi"\n', max: 20, shown: '"say \\"hi\\"\\n"' },
    { value: "a".repeat(12), max: 10, shown: '"aaaaaaaaaa" (and 2 more characters)' },
    { value: "", max: 10, shown: '""' },
  ])("$value", ({ value, max, shown }) => {
    expect(excerpt(value, max)).toBe(shown);
  });

  test("of 10 MB is a line", () => {
    expect(excerpt("x".repeat(10_000_000)).length).toBeLessThan(130);
  });
});

describe("splitParts", () => {
  test("cuts at line ends where there are some", () => {
    expect(splitParts("one\ntwo\nthree\n", 8)).toEqual(["one\ntwo\n", "three\n"]);
    expect(splitParts("", 8)).toEqual([""]);
    expect(splitParts("12345678", 8)).toEqual(["12345678"]);
  });

  test("keeps a line whole that fits in half a part, cuts one that does not", () => {
    expect(splitParts("a\nbcdefghi", 8)).toEqual(["a\nbcdefg", "hi"]);
  });

  test("parts joined are the text, each within the limit, no character split", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 20 }), (text, max) => {
        const parts = splitParts(text, max);
        expect(parts.join("")).toBe(text);
        expect(parts.every((part) => part.length <= max)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(soundText, fc.integer({ min: 2, max: 20 }), (text, max) =>
        splitParts(text, max).every((part) => isWellFormed(part)),
      ),
    );
  });

  test("comes to an end where a character is longer than a part", () => {
    expect(splitParts("a😀b", 1).join("")).toBe("a😀b");
  });
});

describe("keepHeadAndTail", () => {
  test("names what it left out", () => {
    expect(keepHeadAndTail("0123456789".repeat(10), 30)).toBe(
      "01234567890123456789\n[… 70 characters omitted …]\n0123456789",
    );
    expect(keepHeadAndTail("short", 30)).toBe("short");
  });

  test.each([0, -5])("shows nothing but the count when there is no room: %i", (max) => {
    expect(keepHeadAndTail("abc", max)).toBe("\n[… 3 characters omitted …]\n");
  });

  test("head, tail and count add up, and no character is cut", () => {
    fc.assert(
      fc.property(soundText, fc.integer({ min: 0, max: 40 }), (text, max) => {
        const kept = keepHeadAndTail(text, max);
        expect(isWellFormed(kept)).toBe(true);
        const [, head = "", count = "", tail = ""] =
          /^([\s\S]*)\n\[… (\d+) characters omitted …\]\n([\s\S]*)$/.exec(kept) ?? [];
        if (text.length > max) {
          expect(head.length + Number(count) + tail.length).toBe(text.length);
          expect(head.length + tail.length).toBeLessThanOrEqual(max);
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        } else {
          expect(kept).toBe(text);
        }
      }),
    );
  });
});
