import { expect, test } from "vitest";
import type { Preview, Tool } from "../../../../src/core/contract.js";
import { makeQuestion } from "../../../../src/core/pipeline/question.js";

const TOOL = { name: "exec", summary: () => "Run it" } as unknown as Tool;
const ASK: Parameters<typeof makeQuestion>[2] = {
  decision: "ask",
  reasons: [],
  rule: "",
  matched: [],
  everyTime: false,
  derived: [],
};
const mask = (text: string): string => text.replaceAll("value", "⟦secret⟧");

function asked(preview: Preview<unknown>): ReturnType<typeof makeQuestion> {
  return makeQuestion(TOOL, {}, ASK, preview, mask);
}

test("secrets are masked in a command and in all that it did when it was tried", () => {
  const title = "What it changed";
  const outcome = [
    { title, language: "diff", text: "+a value" },
    { title, language: "text", text: "the value" },
  ];
  expect(asked({ language: "bash", text: "echo value", plan: undefined, outcome })).toMatchObject({
    detail: { language: "bash", text: "echo ⟦secret⟧" },
    outcome: [
      { title, language: "diff", text: "+a ⟦secret⟧" },
      { title, language: "text", text: "the ⟦secret⟧" },
    ],
  });
});

test("a diff that is written as it is shown is not", () => {
  const question = asked({ language: "diff", text: "+a value", plan: undefined });
  expect(question.detail.text).toBe("+a value");
  expect(question).not.toHaveProperty("outcome");
});
