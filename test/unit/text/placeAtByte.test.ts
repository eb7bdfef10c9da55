import fc from "fast-check";
import { expect, test } from "vitest";
import { takePage } from "../../../src/text/page.js";
import { placeAtByte, type TextPlace } from "../../../src/text/placeAtByte.js";

async function* inChunks(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) {
    yield text.slice(at, at + size);
  }
}

/** Finds the mark in a text, given the place that ripgrep has for it. */
async function find(text: string, mark: string, size: number): Promise<TextPlace | undefined> {
  const before = text.slice(0, text.indexOf(mark));
  const start = before.lastIndexOf("\n") + 1;
  return placeAtByte(
    inChunks(text, size),
    before.slice(0, start).split("\n").length,
    Buffer.from(before.slice(start)).length,
  );
}

test("a place is the one at which a page shows it, whatever is before it and wherever chunks end", async () => {
  const part = fc.constantFrom("a", "é", "漢", "😀", "\n", "\r\n", "\r", "long words ");
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 30 }), fc.integer({ min: 1, max: 9 }), async (parts, size) => {
      const text = `${parts.join("")}#${"x".repeat(20)}\n`;
      const place = await find(text, "#", size);
      const { lines } = await takePage(inChunks(text, size), {
        offset: (place?.line ?? 0) - 1,
        maxBytes: Infinity,
        lineWindow: 1,
        column: place?.column ?? 0,
        countBudget: 0,
      });
      expect(lines[0]).toMatchObject({ text: "#", column: place?.column });
    }),
  );
});

test("a place at the end of the text is one, and behind it there is none", async () => {
  expect(await placeAtByte(inChunks("a\nbé", 2), 2, 3)).toEqual({ line: 2, column: 3 });
  expect(await placeAtByte(inChunks("a\nbé", 2), 2, 4)).toBeUndefined();
  expect(await placeAtByte(inChunks("a\nbé", 2), 3, 0)).toBeUndefined();
});

test("a replacement character is one byte where the bytes are not UTF-8", async () => {
  expect(await placeAtByte(inChunks("\uFFFD \uFFFD#", 2), 1, 3, false)).toEqual({ line: 1, column: 4 });
  expect(await placeAtByte(inChunks("\uFFFD \uFFFD#", 2), 1, 7)).toEqual({ line: 1, column: 4 });
});
