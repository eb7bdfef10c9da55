import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Outcome } from "../../../../src/core/outcome.js";
import { MAX_PART, toParts, type TokenBudget } from "../../../../src/doors/lm/parts.js";

const ok = (text: string): Outcome => ({ ok: true, text });

/** A tokenizer that makes one token of so many characters, and counts how often it is asked. */
function budget(tokens: number, charactersPerToken: number): TokenBudget & { asked: () => number } {
  let asked = 0;
  return {
    tokens,
    count: async (text) => {
      asked += 1;
      return Math.ceil(text.length / charactersPerToken);
    },
    asked: () => asked,
  };
}

describe("toParts", () => {
  test("gives a short text as it is", async () => {
    expect(await toParts(ok("a.ts"), undefined)).toEqual({ texts: ["a.ts"], media: [] });
    expect(await toParts(ok(""), undefined)).toEqual({ texts: [""], media: [] });
  });

  test("gives a long text in parts that Copilot does not put into a file, and that joined are the text", async () => {
    const line = fc.string({ unit: fc.constantFrom("a", "😀", "日", " "), maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 80, maxLength: 200 }), async (lines) => {
        const text = lines.join("\n");
        const { texts } = await toParts(ok(text), undefined);
        expect(texts.join("")).toBe(text);
        expect(texts.every((part) => part.length <= MAX_PART)).toBe(true);
      }),
      { numRuns: 20 },
    );
    expect(MAX_PART).toBe(8_192);
  });

  test("passes media on, and no data", async () => {
    const media = [{ mimeType: "image/png", bytes: new Uint8Array([1]) }];
    expect(await toParts({ ok: true, text: "image", data: { secret: 1 }, media }, undefined)).toEqual({
      texts: ["image"],
      media,
    });
  });

  test("says first that and why a call failed, then the next step", async () => {
    const error = { type: "not_found", message: "a.ts: there is no such file.", hint: "Did you mean b.ts?" } as const;
    expect(await toParts({ ok: false, error }, undefined)).toEqual({
      texts: ["Error (not_found): a.ts: there is no such file.\nHint: Did you mean b.ts?"],
      media: [],
    });
  });
});

describe("within a token budget", () => {
  const long = `${"head ".repeat(2_000)}${"tail ".repeat(2_000)}`;

  test("a text that surely fits is not counted", async () => {
    const plenty = budget(60_000, 4);
    expect((await toParts(ok(long), plenty)).texts.join("")).toBe(long);
    expect(plenty.asked()).toBe(0);
  });

  test("a text that fits when counted is left whole", async () => {
    const enough = budget(5_000, 4);
    expect((await toParts(ok(long), enough)).texts.join("")).toBe(long);
    expect(enough.asked()).toBe(1);
  });

  test.each([
    { tokens: 2_000, perToken: 4 },
    { tokens: 500, perToken: 4 },
    { tokens: 500, perToken: 1 },
    { tokens: 300, perToken: 0.5 },
  ])(
    "of $tokens tokens, head and tail stay and what is left out is told: $perToken characters a token",
    async ({ tokens, perToken }) => {
      const small = budget(tokens, perToken);
      const text = (await toParts(ok(long), small)).texts.join("");
      expect(await small.count(text)).toBeLessThanOrEqual(tokens);
      expect(text).toMatch(/^head [\s\S]*\n\[… \d+ characters omitted …\]\n[\s\S]*tail $/);
      expect(small.asked()).toBeLessThanOrEqual(4);
    },
  );

  test("fits also where the tail costs more than the head", async () => {
    const uneven: TokenBudget = { tokens: 1_000, count: async (text) => text.replaceAll(/[^a-z ]/g, "____").length };
    const text = (await toParts(ok(`${"head ".repeat(2_000)}${"日本".repeat(5_000)}`), uneven)).texts.join("");
    expect(await uneven.count(text)).toBeLessThanOrEqual(1_000);
  });

  test("an error's type and hint outlive a tight budget", async () => {
    const error = { type: "not_found", message: `a.ts: ${"x".repeat(5_000)}`, hint: "Use ls." } as const;
    const text = (await toParts({ ok: false, error }, budget(100, 4))).texts.join("");
    expect(text).toMatch(/^Error \(not_found\): a\.ts: x+/);
    expect(text).toMatch(/Hint: Use ls\.$/);
  });

  test.each([0, -1, 1])("of %i tokens leaves the count alone", async (tokens) => {
    expect((await toParts(ok(long), budget(tokens, 4))).texts).toEqual([`\n[… ${long.length} characters omitted …]\n`]);
  });

  test("that cannot be counted is judged by length: the tool has already run, and its result is not lost", async () => {
    const broken = (tokens: number): TokenBudget => ({ tokens, count: () => Promise.reject(new Error("model gone")) });
    expect((await toParts(ok(long), broken(5_000))).texts.join("")).toBe(long);
    const cut = (await toParts(ok(long), broken(1_000))).texts.join("");
    expect(cut).toMatch(/^head .*\n\[… \d+ characters omitted …\]\n.*tail $/);
    expect(cut.length).toBeLessThan(4_200);
  });
});
