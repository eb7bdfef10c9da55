import { describe, expect, test } from "vitest";
import { closeOpenCalls } from "../../../src/agent/loop.js";
import type { ModelContent, ModelMessage } from "../../../src/ports/models.js";

const call = (id: string): ModelContent => ({ type: "call", id, name: "toolhost_read", input: {} });
const result = (id: string): ModelContent => ({ type: "result", id, text: `result of ${id}` });
const unknown = (id: string): ModelContent => ({ type: "result", id, text: "(The turn ended before this call did.)" });
const text: ModelContent = { type: "text", text: "I look." };
const model = (...content: ModelContent[]): ModelMessage => ({ role: "assistant", content });
const user = (...content: ModelContent[]): ModelMessage => ({ role: "user", content });

describe("a turn that broke off is made whole", () => {
  test.each<{ what: string; added: ModelMessage[]; whole: ModelMessage[] }>([
    { what: "before anything was said", added: [], whole: [] },
    { what: "while text came", added: [model(text)], whole: [model(text)] },
    { what: "before its calls ran", added: [model(text, call("1"))], whole: [model(text, call("1")), user(unknown("1"))] },
    { what: "with no call ended", added: [model(call("1")), user()], whole: [model(call("1")), user(unknown("1"))] },
    { what: "with one of two calls ended", added: [model(call("1"), call("2")), user(result("1"))], whole: [model(call("1"), call("2")), user(result("1"), unknown("2"))] },
    { what: "after its calls", added: [model(call("1")), user(result("1"))], whole: [model(call("1")), user(result("1"))] },
    {
      what: "in its second round",
      added: [model(call("1")), user(result("1")), model(call("2")), user()],
      whole: [model(call("1")), user(result("1")), model(call("2")), user(unknown("2"))],
    },
  ])("$what", ({ added, whole }) => {
    expect(closeOpenCalls(added)).toEqual(whole);
  });
});
