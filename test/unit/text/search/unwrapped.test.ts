import { expect, test } from "vitest";
import { remarkOnWrapping, unwrapped } from "../../../../src/text/search/unwrapped.js";

test.each<[string, ReturnType<typeof unwrapped>]>([
  ["/listening/", { pattern: "listening", shape: "/…/", ignoreCase: false }],
  ["/on port \\d+/gi", { pattern: "on port \\d+", shape: "/…/gi", ignoreCase: true }],
  ["/a/b/", { pattern: "a/b", shape: "/…/", ignoreCase: false }],
  ['"ready"', { pattern: "ready", shape: '"…"', ignoreCase: false }],
  ["'ready'", { pattern: "ready", shape: "'…'", ignoreCase: false }],
  ["`ready`", { pattern: "ready", shape: "`…`", ignoreCase: false }],
  ["/usr/bin", undefined],
  ["/etc/xyz", undefined],
  ["ready", undefined],
  ['"ready', undefined],
  ['"ready"i', undefined],
  ["//", undefined],
  ["/", undefined],
  ["", undefined],
])("%s", (pattern, expected) => {
  expect(unwrapped(pattern)).toEqual(expected);
});

test("what to write instead", () => {
  expect(remarkOnWrapping("/ready/i")).toBe("/…/i is matched as it is: write (?i)ready.");
  expect(remarkOnWrapping("ready")).toBeUndefined();
});
