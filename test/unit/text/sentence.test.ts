import { expect, test } from "vitest";
import { firstSentence } from "../../../src/text/sentence.js";

test.each([
  { text: "One. Two.", first: "One." },
  { text: "One of src/a.ts. Two.", first: "One of src/a.ts." },
  { text: "Over\ntwo lines. More.", first: "Over\ntwo lines." },
  { text: "No end", first: "No end" },
  { text: "", first: "" },
])("firstSentence of $text", ({ text, first }) => {
  expect(firstSentence(text)).toBe(first);
});
