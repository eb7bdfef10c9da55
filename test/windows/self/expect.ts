// What must pass and what must fail of the part of Vitest that runs there. Vitest itself says the same of this file.
import { describe, expect, test } from "vitest";
import { setTimeout as delay } from "node:timers/promises";

const thrower = (): never => {
  throw new Error("one reason");
};
const nothing = (): undefined => undefined;
const resolved = Promise.resolve(1);
const rejected = (): Promise<never> => Promise.reject(new Error("one reason"));
const number: unknown = expect.any(Number);
const withC: unknown = expect.stringMatching(/c/);
const unheard = (expectation: unknown): { toBeUnheardOf: () => unknown } => expectation as never;

describe.each([
  ["toBe", (): void => expect(1).toBe(2), (): void => expect(1).toBe(1)],
  ["toBe of equal objects", (): void => expect({}).toBe({}), (): void => expect({}).not.toBe({})],
  [
    "toEqual",
    (): void => expect({ a: 1 }).toEqual({ a: 2 }),
    (): void => expect({ a: 1, b: undefined }).toEqual({ a: 1 }),
  ],
  [
    "toStrictEqual",
    (): void => expect({ a: 1, b: undefined }).toStrictEqual({ a: 1 }),
    (): void => expect({ a: 1 }).toStrictEqual({ a: 1 }),
  ],
  [
    "toMatchObject",
    (): void => expect({ a: 1 }).toMatchObject({ b: 1 }),
    (): void => expect({ a: 1, b: 2 }).toMatchObject({ a: 1 }),
  ],
  ["toThrow of nothing", (): void => expect(nothing).toThrow(), (): void => expect(nothing).not.toThrow()],
  ["toThrow of another", (): void => expect(thrower).toThrow("another"), (): void => expect(thrower).toThrow("one")],
  ["toThrow of a class", (): void => expect(thrower).toThrow(TypeError), (): void => expect(thrower).toThrow(Error)],
  [
    "resolves",
    (): Promise<void> => expect(resolved).resolves.toBe(2),
    (): Promise<void> => expect(resolved).resolves.toBe(1),
  ],
  [
    "rejects where it resolves",
    (): Promise<void> => expect(resolved).rejects.toThrow(),
    (): Promise<void> => expect(rejected()).rejects.toThrow("one"),
  ],
  [
    "resolves where it rejects",
    (): Promise<void> => expect(rejected()).resolves.toBe(1),
    (): Promise<void> => expect(rejected()).rejects.toThrow(),
  ],
  [
    "stringContaining",
    (): void => expect("ab").toEqual(expect.stringContaining("c")),
    (): void => expect("ab").toEqual(expect.stringContaining("a")),
  ],
  [
    "stringMatching",
    (): void => expect({ a: "b" }).toEqual({ a: withC }),
    (): void => expect("b").toEqual(expect.stringMatching(/b/)),
  ],
  [
    "arrayContaining",
    (): void => expect([1]).toEqual(expect.arrayContaining([2])),
    (): void => expect([1, 2]).toEqual(expect.arrayContaining([2])),
  ],
  [
    "objectContaining",
    (): void => expect({ a: 1 }).toEqual(expect.objectContaining({ a: 2 })),
    (): void => expect({ a: 1, b: 2 }).toEqual(expect.objectContaining({ a: 1 })),
  ],
  ["any", (): void => expect({ a: "1" }).toEqual({ a: number }), (): void => expect({ a: 1 }).toEqual({ a: number })],
] as const)("%s", (_, wrong, right) => {
  test("fails: ", wrong);
  test("passes: ", right);
});

test("fails: a matcher that there is not", () => unheard(expect(1)).toBeUnheardOf());
test("fails: a polled matcher that there is not", () => unheard(expect.poll(() => 1)).toBeUnheardOf());
test("fails: a polled value that does not come", () => expect.poll(() => 1).toBe(2));
test("fails: what is not to be reached", () => expect.unreachable());
test("fails: a promise that rejects", rejected);
test("fails: a promise that is never kept", () => new Promise(() => undefined));
test("passes: though a timer throws", async () => {
  setTimeout(thrower, 0);
  await delay(100);
});
test("passes: though what none waits for is not so", async () => {
  void expect(resolved).resolves.toBe(2);
  await delay(100);
});
