// Which calls may reach files beyond those that a rule leaves.
import { expect, test } from "vitest";
import { reachesBeyond } from "../../../../src/core/permission/rules/beyond.js";
import type { GatedTouch } from "../../../../src/core/permission/touches.js";

test.each<[string, readonly GatedTouch[] | undefined, string, string]>([
  ["that says nothing of what it touches", undefined, "maybe", "maybe"],
  ["of a tool of others", [{ kind: "external", by: ["server", "tool"] }], "maybe", "maybe"],
  ["of a program that only reads", [{ kind: "program" }], "maybe", "no"],
  ["that touches nothing", [], "no", "no"],
])("a call %s", (_, touches, read, write) => {
  expect(reachesBeyond({ access: "read", patterns: [] }, touches)).toBe(read);
  expect(reachesBeyond({ access: "write", patterns: [] }, touches)).toBe(write);
});
