import { expect, test } from "vitest";
import { isShownByVscode } from "../../../../src/doors/chat/shownByVscode.js";
import { tools } from "../../../../src/tools/index.js";
import { toolLike } from "../../core/someTool.js";

const registered = toolLike({ name: "count_lines", expose: "default" });
const pipeline = { available: () => [...tools.filter(({ name }) => name !== "grep"), registered] };

test.each([
  { tool: "read", isShown: true },
  { tool: "todo", isShown: false }, // No tool of VS Code's.
  { tool: "grep", isShown: false }, // Turned off.
  { tool: "count_lines", isShown: false }, // Registered later: VS Code would refuse the call.
  { tool: "nope", isShown: false },
])("VS Code shows $tool: $isShown", ({ tool, isShown }) => {
  expect(isShownByVscode(pipeline, tool)).toBe(isShown);
});
