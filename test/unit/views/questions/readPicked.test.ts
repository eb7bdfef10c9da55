import { expect, test } from "vitest";
import { readPicked } from "../../../../src/views/questions/readPicked.js";

test.each([
  { chosen: ["SQLite"], typed: "", words: "" },
  { chosen: ["SQLite"], typed: " lite ", words: "" },
  { chosen: ["SQLite", "None"], typed: "and a cache", words: "and a cache" },
  { chosen: [], typed: "sqlite", words: "sqlite" },
  { chosen: [], typed: "", words: "" },
])("$chosen with $typed typed: $words", ({ chosen, typed, words }) => {
  expect(readPicked(chosen, typed)).toEqual({ chosen, words });
});
