import { expect, test } from "vitest";
import * as sdk from "../../../../src/doors/mcp/mcpSdk.js";
import { FormConfirm, type OpenForms } from "../../../../src/doors/mcp/formConfirm.js";

const QUESTION = { tool: "exec", title: "Run it", reasons: [], detail: { language: "bash", text: "it" }, derived: [] };
const { signal } = new AbortController();

function asks(open: OpenForms, responses?: Record<string, unknown>): FormConfirm {
  const otherwise = { ask: () => expect.unreachable("somebody else is asked") };
  return new FormConfirm({ sdk, open, responses, tool: "exec", otherwise });
}

test("an answer counts once, to the question that was shown, while at most a hundred wait", async () => {
  const open: OpenForms = new Map();
  const names: string[] = [];
  for (let count = 0; count < 150; count++) {
    const confirm = asks(open);
    await expect(confirm.ask(QUESTION, signal)).rejects.toThrow("the user is being asked");
    names.push(...Object.keys(confirm.form ?? {}));
  }
  expect([names.length, open.size]).toEqual([150, 100]);
  const yes = { action: "accept", content: { answer: "Allow once" } };
  const answerTo = (name = "", title = QUESTION.title): Promise<string> =>
    asks(open, { [name]: yes }).ask({ ...QUESTION, title }, signal);
  expect(await answerTo(names[149])).toBe("once");
  await expect(answerTo(names[149])).rejects.toThrow("the user is being asked");
  await expect(answerTo(names[148], "Run something else")).rejects.toThrow("the user is being asked");
  // Forgotten, and never shown.
  await expect(answerTo(names[0])).rejects.toThrow("the user is being asked");
  await expect(answerTo("permission-1")).rejects.toThrow("the user is being asked");
});
