import { expect, test } from "vitest";
import { settingsAsTools } from "../../../../src/features/custom/settingsText.js";
import { parseJsonc } from "../../../../src/text/jsonc.js";

const NAMES = { tools: "toolhost.tools", openapi: "toolhost.openapi.services" };
const read = (text: string): string | undefined => settingsAsTools(text, NAMES);

test.each([
  ["one setting", '{"toolhost.tools": [1]}', { tools: [1] }],
  [
    "both, with others between, comments, and a comma at the end",
    '// mine\n{\n  "a": {"toolhost.tools": 0}, /* x */\n  "toolhost.openapi.services": [{"spec": "s"}], // {\n' +
      '  "b": "}",\r\n  "toolhost.tools" :\n    [\n      // one\n      {"name": "n"},\n    ],\n}\n',
    { openapi: [{ spec: "s" }], tools: [{ name: "n" }] },
  ],
  ["from the first line on", '\n{\n"a": 1,\n"toolhost.tools":[{"name": 1}]\n}', { tools: [{ name: 1 }] }],
  ["side by side", '{"toolhost.tools":[],"toolhost.openapi.services":[]}', { tools: [], openapi: [] }],
  ["of another type", '{"toolhost.tools":7}', { tools: 7 }],
])("%s: each value keeps its line and column", (_title, text, value) => {
  const made = read(text) ?? "";
  expect(parseJsonc(made)).toEqual(value);
  for (const word of ['"spec"', '"name"', "[", "7"]) {
    const at = made.indexOf(word);
    if (at !== -1) {
      expect(text.slice(at, at + word.length)).toBe(word);
      expect(made.slice(0, at).split(/\r?\n/)).toHaveLength(text.slice(0, at).split(/\r?\n/).length);
    }
  }
});

test.each([
  ["no such setting", '{"a": 1}'],
  ["none at the top", '{"a": {"toolhost.tools": []}}'],
  ["one given twice", '{"toolhost.tools": [], "toolhost.tools": []}'],
  ["a list", "[]"],
  ["nothing", ""],
  ["a key without its value", '{"toolhost.tools"'],
])("%s: it cannot be told", (_title, text) => {
  expect(read(text)).toBeUndefined();
});
