import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareCodeUnits, nearestNames } from "../../../src/text/nearest.js";

const FIELDS = ["path", "old_text", "new_text", "replace_all", "expected_count"];

describe("nearestNames", () => {
  test.each<{ what: string; name: string; among: string[]; near: string[] }>([
    { what: "a letter missing", name: "pth", among: FIELDS, near: ["path"] },
    { what: "a letter too many", name: "paath", among: FIELDS, near: ["path"] },
    { what: "a wrong letter", name: "pach", among: FIELDS, near: ["path"] },
    { what: "two neighbours swapped", name: "gerp", among: ["grep", "read", "edit"], near: ["grep"] },
    { what: "another case", name: "GREP", among: ["grep", "ls"], near: ["grep"] },
    { what: "camelCase for snake_case", name: "replaceAll", among: FIELDS, near: ["replace_all"] },
    { what: "dashes for underscores", name: "expected-count", among: FIELDS, near: ["expected_count"] },
    { what: "a longer name that holds a known one", name: "target_file_path", among: FIELDS, near: ["path"] },
    { what: "a shorter name inside a known one", name: "count", among: FIELDS, near: ["expected_count"] },
    { what: "nothing alike", name: "temperature", among: FIELDS, near: [] },
    { what: "two letters with nothing in common", name: "ab", among: ["cd", "xy"], near: [] },
    { what: "an empty name", name: "", among: FIELDS, near: [] },
    { what: "a name of separators only", name: "___", among: ["a", "id", "path"], near: [] },
    { what: "no candidates", name: "path", among: [], near: [] },
    {
      what: "the nearest first, then by name",
      name: "text",
      among: ["next", "test", "texts", "context"],
      near: ["next", "test", "texts"],
    },
  ])("$what: $name", ({ name, among, near }) => {
    expect(nearestNames(name, among)).toEqual(near);
  });

  test("gives at most as many as asked for", () => {
    expect(nearestNames("read", ["reads", "reed", "road", "head"], 2)).toHaveLength(2);
  });

  test("does not compare hostile long names, and no candidate of such length is suggested", () => {
    const hostile = "x".repeat(10_000_000);
    expect(nearestNames(hostile, FIELDS)).toEqual([]);
    expect(nearestNames("path", [hostile, "path_"])).toEqual(["path_"]);
  });

  test("suggests only names that exist, each once", () => {
    const name = fc.string({ maxLength: 80 });
    fc.assert(
      fc.property(name, fc.uniqueArray(name, { maxLength: 8 }), (wanted, among) => {
        const near = nearestNames(wanted, among);
        expect(near.length).toBeLessThanOrEqual(3);
        expect(new Set(near).size).toBe(near.length);
        expect(near.every((candidate) => among.includes(candidate))).toBe(true);
      }),
    );
  });

  test("finds any name of four letters or more again after one slip", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."abcdefgh"), minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(letters, fc.nat(), fc.constantFrom("drop", "double", "swap"), (name, at, slip) => {
        const index = at % (name.length - 1);
        const [before, here, next, after] = [
          name.slice(0, index),
          name.charAt(index),
          name.charAt(index + 1),
          name.slice(index + 2),
        ];
        const mistyped = before + { drop: next, double: here + here + next, swap: next + here }[slip] + after;
        expect(nearestNames(mistyped, [name])).toEqual([name]);
      }),
    );
  });
});

test("compareCodeUnits sorts alike on every machine", () => {
  expect(["b", "B", "a", "ä", "z", "_", "10", "9"].sort(compareCodeUnits)).toEqual([
    "10",
    "9",
    "B",
    "_",
    "a",
    "b",
    "z",
    "ä",
  ]);
  expect(compareCodeUnits("a", "a")).toBe(0);
});
