import { expect, it } from "vitest";
import { isNamed, nameAt, nameParts, placesInLine } from "../../../src/text/symbolNames.js";
import { TextPlaces } from "../../../src/text/textPlaces.js";

it("splits names as people write them", () => {
  expect(["Router.match", "Router::match", "Router->match", "a/Router#match(path: string)"].map(nameParts)).toEqual([
    ["Router", "match"],
    ["Router", "match"],
    ["Router", "match"],
    ["a", "Router", "match"],
  ]);
  expect(nameParts("Router.#count")).toEqual(["Router", "#count"]);
  expect(nameParts(" . ")).toEqual([]);
});

it("compares names from their end", () => {
  const symbol = { name: "match", container: ["web", "Router"] };
  expect([["match"], ["Router", "match"], ["web", "Router", "match"]].map((parts) => isNamed(parts, symbol))).toEqual([
    true,
    true,
    true,
  ]);
  expect(
    [["web", "match"], ["x", "web", "Router", "match"], ["Router"], []].map((parts) => isNamed(parts, symbol)),
  ).toEqual([false, false, false, false]);
  expect(isNamed(["Deep", "Er", "x"], { name: "x", container: ["Deep.Er"] })).toBe(true);
});

it("finds the last name of a text in a line, whole names only", () => {
  expect(placesInLine("const matches = router.match(match);", "match")).toEqual([24, 30]);
  expect(placesInLine("const matches = router.match(match);", "router.match(")).toEqual([24]);
  expect(placesInLine("größe = größeres;", "größe")).toEqual([1]);
  expect(placesInLine("x", "()")).toEqual([]);
  expect(nameAt("router.match()", 9)).toBe("match");
  expect(nameAt("router.match()", 7)).toBeUndefined();
});

it("converts offsets and places", () => {
  const places = new TextPlaces("ab\r\nc\rd\n");
  expect([0, 3, 4, 6, 8].map((offset) => places.at(offset))).toEqual([
    { line: 1, column: 1 },
    { line: 1, column: 4 },
    { line: 2, column: 1 },
    { line: 3, column: 1 },
    { line: 4, column: 1 },
  ]);
  expect([1, 2, 3, 4, 5].map((line) => places.line(line))).toEqual(["ab", "c", "d", "", undefined]);
  expect(places.offset({ line: 3, column: 2 })).toBe(7);
  expect(
    [
      { line: 5, column: 1 },
      { line: 1, column: 9 },
      { line: 1, column: 0 },
    ].map((place) => places.offset(place)),
  ).toEqual([undefined, undefined, undefined]);
});
