// The order of hooks, failing hooks, tests that are to fail, and what `vi` replaces: as in Vitest.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

const order: string[] = [];
const note = (what: string) => (): void => void order.push(what);

describe("hooks", () => {
  beforeAll(note("all"));
  beforeEach(note("each 1"));
  beforeEach(note("each 2"));
  afterEach(note("after each 1"));
  afterEach(note("after each 2"));
  afterAll(note("after all 1"));
  afterAll(note("after all 2"));
  describe("inside", () => {
    beforeEach(note("inner each"));
    afterEach(note("inner after each"));
    test("passes: a test with hooks around it", () => {
      onTestFinished(note("finished 1"));
      onTestFinished(note("finished 2"));
      order.push("test");
    });
  });
});

test("passes: hooks run in Vitest's order", () => {
  expect(order).toEqual([
    ...["all", "each 1", "each 2", "inner each", "test", "inner after each", "after each 2", "after each 1"],
    ...["finished 2", "finished 1", "after all 2", "after all 1"],
  ]);
});

const fail = (): never => {
  throw new Error("a hook that fails");
};

describe("fails: what goes before all", () => {
  beforeAll(fail);
  test("does not run then", () => undefined);
});
describe("fails: what comes after all", () => {
  afterAll(fail);
  test("passes: what it comes after", () => undefined);
});
describe("with each", () => {
  afterEach(fail);
  test("fails: for what comes after it", () => undefined);
});
test("fails: for what comes once it has finished", () => onTestFinished(fail));
test.fails("fails: a test that is to fail and passes", () => undefined);
test.fails("passes: a test that is to fail and does", () => expect(1).toBe(2));

test("passes: spies see calls and give back what was there", () => {
  const it = { of: (value: number): number => value };
  const spy = vi.spyOn(it, "of").mockImplementation((value) => value + 1);
  expect(it.of(1)).toBe(2);
  expect(spy.mock.calls).toEqual([[1]]);
  expect(spy).toHaveBeenCalledTimes(1);
  spy.mockRestore();
  expect(it.of(1)).toBe(1);
});

test("passes: variables of the environment come back as they were", () => {
  vi.stubEnv("TOOLHOST_SELF", "1");
  vi.stubEnv("TOOLHOST_SELF", "2");
  expect(process.env["TOOLHOST_SELF"]).toBe("2");
  vi.unstubAllEnvs();
  expect(process.env).not.toHaveProperty("TOOLHOST_SELF");
});

test("passes: timers wait until they are run", () => {
  const ran: string[] = [];
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  setTimeout(() => {
    ran.push("first");
    setTimeout(() => ran.push("set by the first"), 10);
  }, 10);
  expect(ran).toEqual([]);
  vi.runAllTimers();
  expect(ran).toEqual(["first", "set by the first"]);
});

test("passes: the time is what it is set to, and afterwards real", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000 });
  expect(Date.now()).toBe(1_000);
  vi.setSystemTime(5_000);
  expect(Date.now()).toBe(5_000);
  vi.useRealTimers();
  expect(Date.now()).toBeGreaterThan(1_000_000_000_000);
});
