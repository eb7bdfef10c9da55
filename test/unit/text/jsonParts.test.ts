import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonParts } from "../../../src/text/jsonParts.js";

const textOf = (value: unknown): string => [...jsonParts(value)].join("");

test("the parts are what JSON.stringify gives, for any value", () => {
  fc.assert(
    fc.property(
      fc.anything({
        withDate: true,
        withBoxedValues: true,
        withSparseArray: true,
        withNullPrototype: true,
        maxDepth: 12,
      }),
      (value) => {
        let expected: string | undefined;
        try {
          expected = JSON.stringify(value, undefined, 2);
        } catch {
          expect(() => textOf(value)).toThrow();
          return;
        }
        expect(textOf(value)).toBe(expected ?? "null");
      },
    ),
  );
});

describe("as JSON.stringify:", () => {
  let deep: unknown = { end: ["a\nb", {}] };
  for (let level = 0; level < 20; level++) {
    deep = level % 2 === 0 ? [deep, "line\nfeed"] : { deep, none: undefined };
  }
  const cases: [name: string, value: unknown][] = [
    ["nothing", undefined],
    ["empty", [[], {}]],
    ["deep", deep],
    [
      "a date, and what says itself what it is",
      { at: new Date(0), own: { toJSON: (name: string) => `field ${name}` } },
    ],
    ["fields that have no JSON", { a: undefined, b: () => 1, c: Symbol("c"), d: [undefined, () => 1] }],
    ["numbers that JSON has not", [Number.NaN, Infinity, -0]],
    ["half a character", ["\ud800", { "\udc00": 1 }]],
    ["a field __proto__", JSON.parse('{"__proto__": {"a": 1}}')],
  ];
  test.each(cases)("%s", (_name, value) => {
    expect(textOf(value)).toBe(JSON.stringify(value, undefined, 2) ?? "null");
  });
});

test("parts are short, however long the list", () => {
  const parts = [...jsonParts({ rows: Array.from({ length: 20_000 }, (_, id) => ({ id, name: "a name" })) })];
  expect(parts.length).toBeGreaterThan(20);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(40_000);
});

test("a value that holds itself is an error", () => {
  const loop: Record<string, unknown> = {};
  loop["self"] = { list: [loop] };
  expect(() => textOf(loop)).toThrow(TypeError);
});
