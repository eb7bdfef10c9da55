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

test("an input that is not quite JSON is repaired, and the note says how", () => {
  const calls = new ToolCalls();
  calls.add([{ index: 0, id: "c", function: { name: "write", arguments: '{"content":"a\nb"}}' } }]);
  expect(calls.events()).toEqual([
    {
      ...{ type: "call", id: "c", name: "write", input: { content: "a\nb" } },
      note: "The input was not quite JSON: line endings and tabs in strings were not escaped; a closing } too many was ignored.",
    },
  ]);
});

test("an input that ends too early is never completed", () => {
  const calls = new ToolCalls();
  calls.add([{ index: 0, id: "c", function: { name: "write", arguments: '{"content":"a\nb' } }]);
  expect(calls.events()).toMatchObject([{ input: {}, problem: expect.stringContaining("not JSON") as string }]);
});
