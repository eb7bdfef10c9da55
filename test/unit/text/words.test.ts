import { describe, expect, test } from "vitest";
import { count, listed, messageOf, namedLines } from "../../../src/text/words.js";

test("things are counted in the singular and the plural", () => {
  expect([count(0, "line"), count(1, "line"), count(2, "line"), count(2, "match", "matches")]).toEqual([
    "0 lines",
    "1 line",
    "2 lines",
    "2 matches",
  ]);
});

describe("names are listed", () => {
  test.each([
    { names: [], most: 2, text: "" },
    { names: ["a"], most: 2, text: "a" },
    { names: ["a", "b"], most: 2, text: "a and b" },
    { names: ["a", "b", "c"], most: 2, text: "a and 2 more files" },
    { names: ["a", "b", "c"], most: 3, text: "a, b and c" },
    { names: ["a", "b", "c", "d"], most: 3, text: "a, b and 2 more files" },
    { names: ["a", "b", "c", "d"], most: undefined, text: "a, b, c and d" },
  ])("$names, $most at most", ({ names, most, text }) => {
    expect(listed(names, most)).toBe(text);
  });
});

test("lines are named, of many the first", () => {
  expect([namedLines([3]), namedLines([3, 7]), namedLines([1, 2, 3], 2)]).toEqual([
    "line 3",
    "lines 3, 7",
    "lines 1, 2 and 1 more",
  ]);
});

test("anything that was thrown has a message", () => {
  expect([messageOf(new TypeError("no")), messageOf("no"), messageOf(undefined)]).toEqual(["no", "no", "undefined"]);
});
