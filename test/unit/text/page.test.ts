import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { takePage, utf8Length, type Page, type PageRequest } from "../../../src/text/page.js";
import { isWellFormed } from "./isWellFormed.js";

const WHOLE: PageRequest = { offset: 0, maxBytes: 1_000_000, lineWindow: 1_000, column: 1, countBudget: 1_000_000 };

async function* chunksOf(parts: readonly string[]): AsyncGenerator<string> {
  yield* parts;
}

function page(text: string | readonly string[], request: Partial<PageRequest> = {}): Promise<Page> {
  return takePage(chunksOf(typeof text === "string" ? [text] : text), { ...WHOLE, ...request });
}

/** The same page by splitting the whole text, as anyone would write it who had the memory. */
function naivePage(text: string, { offset, maxLines = Infinity, maxBytes, lineWindow, column }: PageRequest): Page {
  const all = text.split(/\r\n|\n|\r/);
  if (all.at(-1) === "") {
    all.pop();
  }
  const lines: Page["lines"] = [];
  let bytes = 0;
  let stoppedBy: Page["stoppedBy"];
  for (const [index, line] of all.entries()) {
    if (index < offset) {
      continue;
    }
    const shown = line.length <= lineWindow ? line : whole(line.slice(column - 1, column - 1 + lineWindow));
    bytes += utf8Length(shown) + 1;
    if (lines.length >= maxLines) {
      stoppedBy = "lines";
      break;
    }
    if (lines.length > 0 && bytes > maxBytes) {
      stoppedBy = "bytes";
      break;
    }
    const first = line.length <= lineWindow ? 1 : column;
    lines.push({ number: index + 1, text: shown, column: first, end: first - 1 + shown.length, length: line.length });
  }
  return { lines, totalLines: all.length, more: stoppedBy !== undefined, stoppedBy };
}

function whole(window: string): string {
  return window.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [...cuts].map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
  return [...places, text.length].map((place, index) => text.slice(places[index - 1] ?? 0, place));
}

describe("takePage", () => {
  test.each([
    { what: "empty text", text: "", lines: [], totalLines: 0 },
    { what: "a line without an end", text: "a", lines: ["a"], totalLines: 1 },
    { what: "a final newline is no line", text: "a\n", lines: ["a"], totalLines: 1 },
    { what: "an empty line is one", text: "\n", lines: [""], totalLines: 1 },
    { what: "every way to end a line", text: "a\nb\r\nc\rd", lines: ["a", "b", "c", "d"], totalLines: 4 },
    { what: "CR LF turned round ends two lines", text: "a\n\rb", lines: ["a", "", "b"], totalLines: 3 },
    { what: "other separators end none", text: "a\u2028b\fc\vd", lines: ["a\u2028b\fc\vd"], totalLines: 1 },
  ])("$what", async ({ text, lines, totalLines }) => {
    const result = await page(text);
    expect(result.lines.map((line) => line.text)).toEqual(lines);
    expect(result).toMatchObject({ totalLines, more: false, stoppedBy: undefined });
  });

  test.each([
    { what: "a page inside", request: { offset: 1, maxLines: 2 }, numbers: [2, 3], more: true, stoppedBy: "lines" },
    {
      what: "a page to the end",
      request: { offset: 3, maxLines: 2 },
      numbers: [4, 5],
      more: false,
      stoppedBy: undefined,
    },
    { what: "past the end", request: { offset: 9 }, numbers: [], more: false, stoppedBy: undefined },
    { what: "exactly at the end", request: { offset: 5 }, numbers: [], more: false, stoppedBy: undefined },
    { what: "as many bytes as fit", request: { maxBytes: 9 }, numbers: [1, 2, 3], more: true, stoppedBy: "bytes" },
    {
      what: "the first line however long",
      request: { offset: 1, maxBytes: 1 },
      numbers: [2],
      more: true,
      stoppedBy: "bytes",
    },
    {
      what: "bytes that fit to the end",
      request: { maxBytes: 15 },
      numbers: [1, 2, 3, 4, 5],
      more: false,
      stoppedBy: undefined,
    },
  ])("$what", async ({ request, numbers, more, stoppedBy }) => {
    const result = await page("l1\nl2\nl3\nl4\nl5\n", request);
    expect(result.lines.map(({ number }) => number)).toEqual(numbers);
    expect(result).toMatchObject({ totalLines: 5, more, stoppedBy });
  });

  test("bytes are counted in UTF-8", async () => {
    expect((await page("日本\n日本\n日本", { maxBytes: 14 })).lines).toHaveLength(2);
  });

  test.each([
    { what: "from its start", column: 1, text: "abcd" },
    { what: "from a column", column: 4, text: "defg" },
    { what: "at its end", column: 9, text: "ij" },
    { what: "past its end", column: 99, text: "" },
  ])("a long line is a window $what", async ({ column, text }) => {
    const result = await page(["abc", "defghi", "j\nxy"], { lineWindow: 4, column });
    expect(result.lines).toEqual([
      { number: 1, text, column, end: column - 1 + text.length, length: 10 },
      { number: 2, text: "xy", column: 1, end: 2, length: 2 },
    ]);
  });

  test.each([
    { what: "at its end", column: 1, text: "abc<S>", at: 1, end: 9 },
    { what: "at its start", column: 6, text: "<S>jk", at: 4, end: 11 },
    { what: "at both", column: 5, lineWindow: 2, text: "<S>", at: 4, end: 9 },
    { what: "not, since it ends before it", column: 10, text: "jklmno", at: 10, end: 15 },
    { what: "not, since it begins behind it", column: 1, lineWindow: 3, text: "abc", at: 1, end: 3 },
    { what: "not, since it begins with it", column: 4, text: "<S>", at: 4, end: 9 },
  ])("a secret that a window would cut $what is a handle", async ({ column, text, at, end, lineWindow = 6 }) => {
    // Only what comes before it makes it a secret.
    const masked = (window: string): { start: number; end: number; handle: string }[] => {
      const start = window.indexOf("abcSECRET");
      return start === -1 ? [] : [{ start: start + 3, end: start + 9, handle: "<S>" }];
    };
    for (const chunks of [["abcSECRETjklmno"], ["abcSEC", "RETjklmno"], [..."abcSECRETjklmno"]]) {
      const { lines } = await page(chunks, { lineWindow, column, masked });
      expect(lines).toEqual([{ number: 1, text, column: at, end, length: 15 }]);
    }
  });

  test("windows put together are the line", async () => {
    const line = "ab😀cd😀😀e".repeat(5);
    let read = "";
    for (let column = 1; column <= line.length;) {
      const [shown] = (await page(line, { lineWindow: 7, column })).lines;
      const text = shown?.text ?? "";
      expect(isWellFormed(text)).toBe(true);
      read += text;
      column += text.length;
    }
    expect(read).toBe(line);
  });

  describe("counting behind the page", () => {
    test("is given up past the budget", async () => {
      const result = await page(["a\nb\nc\n", "d\n".repeat(50), "e\n"], { maxLines: 2, countBudget: 20 });
      expect(result).toMatchObject({ totalLines: undefined, more: true, stoppedBy: "lines" });
    });

    test("costs nothing for what lies before the page", async () => {
      expect(
        (await page(["x\n".repeat(50), "a\nb\n", "c\n"], { offset: 50, maxLines: 1, countBudget: 20 })).totalLines,
      ).toBe(53);
    });

    test("says that nothing follows when the page ends with the text", async () => {
      // The whole text is one chunk, longer than the budget, as for an unsaved document.
      const text = "line\n".repeat(10);
      expect(await page(text, { offset: 9, maxLines: 1, countBudget: 20 })).toMatchObject({
        totalLines: 10,
        more: false,
      });
      expect(await page(["line\n".repeat(10), ""], { offset: 8, maxLines: 2, countBudget: 0 })).toMatchObject({
        more: false,
      });
      expect(await page(["a\r", "\n"], { maxLines: 1, countBudget: 0 })).toMatchObject({ totalLines: 1, more: false });
      expect(await page(["a\r", "\nb"], { maxLines: 1, countBudget: 0 })).toMatchObject({ more: true });
    });

    test("reads no further than it must", async () => {
      async function* endless(): AsyncGenerator<string> {
        for (;;) {
          yield "line\n".repeat(100);
        }
      }
      const result = await takePage(endless(), { ...WHOLE, maxLines: 3, countBudget: 1_000 });
      expect(result.lines).toHaveLength(3);
      expect(result).toMatchObject({ totalLines: undefined, more: true });
    });
  });

  test("is the page that splitting the whole text gives, wherever its chunks are cut", async () => {
    const unit = fc.constantFrom("a", "bc", "\n", "\r", "\r\n", "日", "😀", "\ud83d");
    const request = fc.record({
      offset: fc.nat(4),
      maxLines: fc.option(fc.nat(4), { nil: undefined }),
      maxBytes: fc.integer({ min: 1, max: 40 }),
      lineWindow: fc.integer({ min: 2, max: 8 }),
      column: fc.integer({ min: 1, max: 10 }),
      countBudget: fc.constant(1_000),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit, maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        request,
        async (text, cuts, wanted) => {
          expect(await page(cutAt(text, cuts), wanted)).toEqual(naivePage(text, wanted));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test("with a small budget it knows less and never says anything wrong", async () => {
    const unit = fc.constantFrom("a", "\n", "\r", "\r\n");
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit, maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.nat(3),
        fc.nat(5),
        async (text, cuts, maxLines, countBudget) => {
          const wanted = { ...WHOLE, maxLines, countBudget };
          const truth = naivePage(text, wanted);
          const told = await page(cutAt(text, cuts), wanted);
          expect(told).toEqual({ ...truth, totalLines: told.totalLines === undefined ? undefined : truth.totalLines });
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
