import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ValueFinder } from "../../../../src/text/secrets/values.js";

test("finds every value, as a search for each of them does", () => {
  const letters = fc.stringMatching(/^[ab1é]{0,60}$/);
  const values = fc.uniqueArray(fc.stringMatching(/^[ab1é]{0,6}1[abé]$/), { minLength: 0, maxLength: 6 });
  fc.assert(
    fc.property(values, fc.array(letters), (wanted, texts) => {
      const text = texts.join("") + wanted.join(" ");
      const found = new ValueFinder(wanted).find(text);
      const expected: { start: number; value: string }[] = [];
      const longest = [...wanted].sort((a, b) => b.length - a.length);
      for (let at = 0; at < text.length;) {
        const value = longest.find((each) => text.startsWith(each, at));
        if (value !== undefined) {
          expected.push({ start: at, value });
        }
        at += value?.length ?? 1;
      }
      expect(found).toEqual(expected);
    }),
  );
});

test("a value of letters alone is no part of a word", () => {
  const finder = new ValueFinder(["correcthorse"]);
  expect(finder.find("incorrecthorses correcthorse")).toEqual([{ start: 16, value: "correcthorse" }]);
});

test("a value of digits alone is no part of a number", () => {
  const finder = new ValueFinder(["481516"]);
  expect(finder.find("1481516 4815162 x481516")).toEqual([{ start: 17, value: "481516" }]);
});
