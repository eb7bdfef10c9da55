import fc from "fast-check";
import { expect, test } from "vitest";
import { readLines } from "../../../src/text/readLines.js";

async function* chunked(text: string, sizes: readonly number[]): AsyncGenerator<string> {
  for (let from = 0, index = 0; from < text.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    yield text.slice(from, from + size);
    from += size;
  }
}

const lines = fc.array(fc.stringMatching(/^[a-cé]{0,6}$/), { maxLength: 12 });
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });

test("every page begins where the one before says, wherever the chunks end, and together they are the text", async () => {
  await fc.assert(
    fc.asyncProperty(
      lines,
      sizes,
      fc.integer({ min: 8, max: 30 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom("\n", "\r\n"),
      async (all, parts, room, most, ending) => {
        const text = all.map((line) => `${line}${ending}`).join("");
        const read: string[] = [];
        for (let first: number | undefined = 1; first !== undefined;) {
          const page = await readLines(chunked(text, parts), { first, most }, room);
          expect(page.lines.length).toBeLessThanOrEqual(most);
          expect(page.isCut).toBe(false);
          expect(page.lines.join("\n").length).toBeLessThanOrEqual(room);
          read.push(...page.lines);
          expect(page.next ?? read.length + 1).toBe(read.length + 1);
          expect(page.total ?? all.length).toBe(all.length);
          first = page.next;
        }
        expect(read).toEqual(all);
      },
    ),
  );
});

test.each([
  { text: "", first: 1, gives: { lines: [], isCut: false, next: undefined, total: 0 } },
  { text: "a", first: 1, gives: { lines: ["a"], isCut: false, next: undefined, total: 1 } },
  { text: "a\n", first: 2, gives: { lines: [], isCut: false, next: undefined, total: 1 } },
  { text: "a\n\nb", first: 2, gives: { lines: ["", "b"], isCut: false, next: undefined, total: 3 } },
  { text: "0123456789\nb", first: 1, gives: { lines: ["01234567"], isCut: true, next: 2, total: undefined } },
  { text: "a\n0123456789", first: 1, gives: { lines: ["a"], isCut: false, next: 2, total: undefined } },
])("$text from line $first", async ({ text, first, gives }) => {
  expect(await readLines(chunked(text, [3]), { first, most: undefined }, 8)).toEqual(gives);
});
