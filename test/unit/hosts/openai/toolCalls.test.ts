import { expect, test } from "vitest";
import { ModelError } from "../../../../src/features/models/modelError.js";
import { ToolCalls } from "../../../../src/hosts/openai/toolCalls.js";

test.each<{ what: string; fragment: (index: number) => object }>([
  { what: "calls", fragment: (index) => ({ index, id: `c${index}`, function: { name: "read", arguments: "{}" } }) },
  { what: "an input", fragment: () => ({ index: 0, function: { arguments: "x".repeat(10_000) } }) },
  { what: "a name", fragment: () => ({ index: 0, function: { name: "x".repeat(10_000) + "y" } }) },
])("$what without end are given up on", ({ fragment }) => {
  const calls = new ToolCalls();
  const endless = (): void => {
    for (let index = 0; index < 5_000; index++) {
      calls.add([fragment(index)]);
    }
  };
  expect(endless).toThrow(ModelError);
  expect(endless).toThrow("do not end");
});
