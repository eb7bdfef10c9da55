import { describe, expect, test } from "vitest";
import { repairJson } from "../../../src/text/repairJson.js";

describe("repairs what leaves no doubt", () => {
  test.each([
    {
      text: '{"a":"x\ny\r\n\tz"}',
      value: { a: "x\ny\r\n\tz" },
      note: "line endings and tabs in strings were not escaped",
    },
    { text: '{"a":{"b":1}}}', value: { a: { b: 1 } }, note: "a closing } too many was ignored" },
    { text: '{"a":[1]}\n]', value: { a: [1] }, note: "a closing ] too many was ignored" },
    {
      text: '{"a":"x\n\\"}"}}',
      value: { a: 'x\n"}' },
      note: "line endings and tabs in strings were not escaped; a closing } too many was ignored",
    },
  ])("$text", ({ text, value, note }) => {
    expect(repairJson(text)).toEqual({ value, note: `The input was not quite JSON: ${note}.` });
  });
});

describe("leaves the rest", () => {
  test.each([
    '{"a":1}',
    '{"a":"x\ny',
    '{"a":"x\ny"',
    '{"a":1}{"b":2}',
    '{"a":1}} and more',
    '{"a":1,}',
    "{a:1}",
    "}",
    "",
    '{"edits":[{"x":1}}]}',
    '{"a":"x\u0000"}',
  ])("%j", (text) => {
    expect(repairJson(text)).toBeUndefined();
  });

  test("a million brackets with a letter behind them", () => {
    expect(repairJson(`{"a":1}${"]".repeat(1_000_000)}x`)).toBeUndefined();
  });
});
