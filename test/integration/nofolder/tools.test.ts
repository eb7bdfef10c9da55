// A window with no folder: every tool says so, and what to do.
import assert from "node:assert/strict";
import { toolText } from "../tool";

for (const [tool, input] of [
  ["read", { path: "a.txt" }],
  ["grep", { pattern: "x" }],
  ["ls", {}],
  ["edit", { path: "a.txt", old_text: "a", new_text: "b" }],
  ["memory_write", { key: "k", value: "x" }],
  ["memory_list", {}],
  ["memory_search", { query: "x" }],
] as const) {
  it(`${tool} asks for a folder`, async () => {
    assert.match(
      await toolText(tool, input),
      /^Error \(unavailable\): .*no folder is open\.\nHint: The user must open a folder first/,
    );
  });
}
