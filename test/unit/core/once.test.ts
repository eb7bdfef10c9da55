import { expect, test } from "vitest";
import { loadOnce, onceForAll } from "../../../src/core/once.js";

test("what is loaded is loaded once, also for those who wait for it together", async () => {
  let loads = 0;
  const load = loadOnce(() => Promise.resolve(++loads));
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect(await load()).toBe(1);
});

test("what could not be loaded is loaded again with the next call", async () => {
  const answers = [Promise.reject(new Error("EMFILE")), Promise.resolve("loaded")];
  const load = loadOnce(() => answers.shift() ?? Promise.reject(new Error("loaded twice")));
  await expect(load()).rejects.toThrow("EMFILE");
  expect(await load()).toBe("loaded");
  expect(await load()).toBe("loaded");
});

test("what failed once is not begun again, and fails the same way", () => {
  let begun = 0;
  const open = onceForAll(() => {
    throw new Error(`failed the ${++begun}. time`);
  });
  expect(open).toThrow("failed the 1. time");
  expect(open).toThrow("failed the 1. time");
  expect(onceForAll(() => undefined)()).toBeUndefined();
});
