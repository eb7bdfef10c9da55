import { expect, test } from "vitest";
import { proseMarkdown } from "../../../src/text/prose.js";

test.each([
  ["one line", "> one line"],
  ["two\nlines", "> two\\\n> lines"],
  ["two\n\nparagraphs", "> two\n>\n> paragraphs"],
  ["  indented  twice", "> \u00a0\u00a0indented\u00a0\u00a0twice"],
  ["[press](command:x) **now**", "> \\[press\\]\u2060\\(command\\:x\\) \\*\\*now\\*\\*"],
  ["# no heading\n```\nno code", "> \\# no heading\\\n> \\`\\`\\`\\\n> no code"],
])("%j is %j", (text, markdown) => {
  expect(proseMarkdown(text)).toBe(markdown);
});

test("icons stay text", () => {
  expect(proseMarkdown("$(warning)")).not.toMatch(/\$\\?\(warning/);
});
