import { expect, test } from "vitest";
import { readyPattern } from "../../../../src/hosts/vscode/tasks/ready.js";

const CONTRIBUTED: Readonly<Record<string, unknown>> = {
  "tsc-watch": {
    background: { beginsPattern: { regexp: "Starting" }, endsPattern: { regexp: "Watching for file changes" } },
  },
  tsc: { pattern: "$tsc" },
};

test.each<[what: string, matcher: unknown, pattern: string | undefined]>([
  ["a name", "$tsc-watch", "Watching for file changes"],
  ["a definition", { background: { endsPattern: "^ready$" } }, "^ready$"],
  [
    "a definition with a base",
    { base: "$tsc-watch", background: { activeOnStart: true } },
    "Watching for file changes",
  ],
  ["the old name", { watching: { endsPattern: { regexp: "done" } } }, "done"],
  ["a list", ["$tsc", "$tsc-watch"], "Watching for file changes"],
  ["one that says nothing of it", "$tsc", undefined],
  ["one that nobody contributes", "$none", undefined],
  ["nothing", undefined, undefined],
  ["nonsense", { background: { endsPattern: 3 } }, undefined],
])("of %s", (_what, matcher, pattern) => {
  expect(readyPattern(matcher, (name) => CONTRIBUTED[name])).toBe(pattern);
});
