import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inputHash, PreparedCalls, type PreparedCall } from "../../../../src/core/pipeline/preparedCalls.js";
import { isRecord } from "../../../../src/core/jsonSchema.js";
import { nested, sample } from "../someTool.js";

const call = (plan: unknown): PreparedCall => ({
  question: { tool: "edit", title: "Editing", reasons: [], detail: { language: "diff", text: "" }, derived: [] },
  tool: sample,
  plan,
  reasons: [],
});

describe("inputHash", () => {
  test.each<{ what: string; a: unknown; b: unknown; same: boolean }>([
    { what: "another order of fields", a: { x: 1, y: { p: 1, q: 2 } }, b: { y: { q: 2, p: 1 }, x: 1 }, same: true },
    { what: "another order of entries", a: [1, 2], b: [2, 1], same: false },
    { what: "another value", a: { x: 1 }, b: { x: "1" }, same: false },
    { what: "another field", a: { x: 1 }, b: { y: 1 }, same: false },
    { what: "a field more", a: { x: 1 }, b: { x: 1, y: null }, same: false },
    { what: "no input", a: undefined, b: {}, same: false },
    { what: "null for none", a: undefined, b: null, same: false },
    { what: "an array for an object", a: { 0: 1 }, b: [1], same: false },
    { what: "a field __proto__", a: JSON.parse('{"__proto__":1}'), b: {}, same: false },
    { what: "numbers as names", a: { 2: "b", 1: "a" }, b: { 1: "a", 2: "b" }, same: true },
    { what: "text that looks like fields", a: { x: '1,"y":2' }, b: { x: 1, y: 2 }, same: false },
  ])("of $what: $same", async ({ a, b, same }) => {
    expect((await inputHash(a)) === (await inputHash(b))).toBe(same);
  });

  test("is the same for equal JSON and differs for different JSON", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (a, b) => {
        expect(await inputHash(JSON.parse(JSON.stringify(a)))).toBe(await inputHash(a));
        const equal = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
        expect((await inputHash(a)) === (await inputHash(b))).toBe(equal);
      }),
    );
  });

  test("of what is no JSON is found never again, and no crash", async () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    for (const odd of [nested(100_000), circle, { x: 1n }]) {
      expect(await inputHash(odd)).not.toBe(await inputHash(odd));
    }
  });
});

/** The value with its objects as sorted pairs, so that equal ones are equal JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  return isRecord(value)
    ? {
        pairs: Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, item]) => [key, sorted(item)]),
      }
    : value;
}

describe("PreparedCalls", () => {
  test("gives a call once", async () => {
    const calls = new PreparedCalls();
    await calls.keep("s", "edit", { a: 1, b: 2 }, call("plan"));
    expect((await calls.take("s", "edit", { b: 2, a: 1 }))?.plan).toBe("plan");
    expect(await calls.take("s", "edit", { a: 1, b: 2 })).toBeUndefined();
  });

  test.each([
    { what: "another session", session: "t", tool: "edit", input: { a: 1 } },
    { what: "another tool", session: "s", tool: "write", input: { a: 1 } },
    { what: "another input", session: "s", tool: "edit", input: { a: 2 } },
  ])("is not given for $what", async ({ session, tool, input }) => {
    const calls = new PreparedCalls();
    await calls.keep("s", "edit", { a: 1 }, call("plan"));
    expect(await calls.take(session, tool, input)).toBeUndefined();
    expect(await calls.take("s", "edit", { a: 1 })).toBeDefined();
  });

  test("names that join to the same text are not mixed up", async () => {
    const calls = new PreparedCalls();
    await calls.keep('s","edit', "x", {}, call("plan"));
    expect(await calls.take("s", 'edit","x', {})).toBeUndefined();
  });

  test("the last one shown is the one answered", async () => {
    const calls = new PreparedCalls();
    await calls.keep("s", "edit", {}, call("first"));
    await calls.keep("s", "edit", {}, call("second"));
    expect((await calls.take("s", "edit", {}))?.plan).toBe("second");
    expect(await calls.take("s", "edit", {})).toBeUndefined();
  });

  test("forgets the oldest of very many", async () => {
    const calls = new PreparedCalls();
    for (let index = 0; index < 65; index++) {
      await calls.keep("s", "edit", { index }, call(index));
    }
    expect(await calls.take("s", "edit", { index: 0 })).toBeUndefined();
    expect((await calls.take("s", "edit", { index: 1 }))?.plan).toBe(1);
  });

  describe("is bounded by what it holds", () => {
    const text = (length: number): string => "x".repeat(length);
    test.each<{ what: string; plan: (index: number) => unknown }>([
      { what: "texts", plan: () => ({ before: { text: text(200_000) }, after: text(200_000) }) },
      { what: "bytes", plan: () => [{ before: { bytes: new Uint8Array(800_000) } }] },
      { what: "what its question shows", plan: () => undefined },
      { what: "very many small parts", plan: () => Array.from({ length: 50_000 }, (_, line) => ({ line })) },
    ])("$what", async ({ what, plan }) => {
      const calls = new PreparedCalls(2_000_000);
      const question = {
        ...call(0).question,
        detail: { language: "diff", text: what.startsWith("what") ? text(400_000) : "" },
        derived: [],
      };
      for (let index = 0; index < 5; index++) {
        await calls.keep("s", "edit", { index }, { question, reasons: [], tool: sample, plan: plan(index) });
      }
      const kept = await Promise.all(
        [0, 1, 2, 3, 4].map(async (index) => (await calls.take("s", "edit", { index })) !== undefined),
      );
      expect(kept.at(-1)).toBe(true);
      expect(kept[0]).toBe(false);
      expect(kept.filter(Boolean).length).toBeLessThanOrEqual(2);
    });

    test("the one shown last is kept whatever its size, and makes room again when it is taken", async () => {
      const calls = new PreparedCalls(1_000_000);
      await calls.keep("s", "edit", { index: 0 }, call("small"));
      await calls.keep("s", "edit", { index: 1 }, call(text(10_000_000)));
      expect(await calls.take("s", "edit", { index: 0 })).toBeUndefined();
      expect(await calls.take("s", "edit", { index: 1 })).toBeDefined();
      for (let index = 0; index < 60; index++) {
        await calls.keep("s", "edit", { index }, call("small"));
      }
      expect(await calls.take("s", "edit", { index: 0 })).toBeDefined();
    });

    test("a plan that is shown again counts once, and one with a circle ends", async () => {
      const calls = new PreparedCalls(1_500_000);
      await calls.keep("s", "edit", { index: 0 }, call("small"));
      for (let times = 0; times < 10; times++) {
        await calls.keep("s", "edit", { index: 1 }, call(text(500_000)));
      }
      const circle: Record<string, unknown> = {};
      circle["self"] = circle;
      await calls.keep("s", "edit", { index: 2 }, call(circle));
      expect((await calls.take("s", "edit", { index: 0 }))?.plan).toBe("small");
      expect((await calls.take("s", "edit", { index: 2 }))?.plan).toBe(circle);
    });
  });
});
