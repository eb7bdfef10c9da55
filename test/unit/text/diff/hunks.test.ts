import { expect, test } from "vitest";
import { compare, withoutHunks } from "../../../../src/text/diff/hunks.js";

test("a text of any number of lines is made without some of its hunks", () => {
  const text = (...changed: number[]): string =>
    Array.from({ length: 300_000 }, (_, line) => `${line}${changed.includes(line) ? " new" : ""}\n`).join("");
  const compared = compare(text(), text(3, 299_000));
  const [first, second] = compared.hunks;
  expect(withoutHunks(compared, (hunk) => hunk === first) === text(299_000)).toBe(true);
  expect(withoutHunks(compared, (hunk) => hunk === second) === text(3)).toBe(true);
  expect(withoutHunks(compared, () => true) === text()).toBe(true);
});
