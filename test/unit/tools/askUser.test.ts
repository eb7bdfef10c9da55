import { describe, expect, test } from "vitest";
import type { PersonAnswer, PersonQuestion } from "../../../src/ports/person.js";
import { failed, openWorkspace, result, type WorkspaceOptions } from "./workspace.js";

const WITHOUT = "Decide yourself if that is safe; otherwise end your turn with the question.";

/** Calls ask_user, as the agent of a person who answers this. */
async function ask(input: object, answer?: PersonAnswer, options: WorkspaceOptions = {}) {
  const { pipeline } = await openWorkspace({}, options);
  const asked: PersonQuestion[] = [];
  const outcome = await pipeline.invoke("ask_user", input, {
    ...{ door: "cli", session: "s", signal: new AbortController().signal, authority: "model", planOnly: true },
    ...(answer && {
      person: { answer: (question) => Promise.resolve(asked.push(question)).then(() => answer) },
    }),
  });
  return { outcome, asked };
}

describe("the answer to a question", () => {
  const question = "Which store?";
  test.each<{ what: string; answer?: PersonAnswer; text: string; data: object }>([
    {
      what: "a choice",
      answer: { chosen: ["SQLite"], words: "" },
      text: "The user chose: SQLite",
      data: { answered: true, chosen: ["SQLite"], words: "" },
    },
    {
      what: "several choices and words",
      answer: { chosen: ["a, b", "c"], words: "And test it." },
      text: "The user chose: a, b; c\nThe user answered: And test it.",
      data: { answered: true, chosen: ["a, b", "c"], words: "And test it." },
    },
    {
      what: "own words",
      answer: { chosen: [], words: "Neither." },
      text: "The user answered: Neither.",
      data: { answered: true, chosen: [], words: "Neither." },
    },
    {
      what: "none of the choices",
      answer: { chosen: [], words: "" },
      text: "The user chose none of these.",
      data: { answered: true, chosen: [], words: "" },
    },
    {
      what: "none",
      answer: "unanswered",
      text: `[The user did not answer. ${WITHOUT}]`,
      data: { answered: false, chosen: [], words: "" },
    },
    {
      what: "none, where nobody can be asked",
      text: `[Nobody can be asked here. ${WITHOUT}]`,
      data: { answered: false, chosen: [], words: "" },
    },
  ])("$what is told to the model, also in a turn that only looks and in an untrusted workspace", async (row) => {
    for (const trusted of [true, false]) {
      const { outcome, asked } = await ask({ question, choices: ["SQLite", "a, b", "c"] }, row.answer, { trusted });
      expect(result(outcome)).toMatchObject({ text: row.text, data: row.data });
      expect(asked).toHaveLength(row.answer === undefined ? 0 : 1);
    }
  });

  test("is asked for with what the model wrote, and nothing else", async () => {
    const { asked } = await ask(
      { question, choices: [{ label: "SQLite", description: "One file." }, { label: "None" }], several: true },
      "unanswered",
    );
    expect(asked).toEqual([
      { question, choices: [{ label: "SQLite", description: "One file." }, { label: "None" }], several: true },
    ]);
    expect((await ask({ question, choices: [] }, "unanswered")).asked).toEqual([
      { question, choices: [], several: false },
    ]);
  });

  test.each([
    { input: {}, message: "question: required" },
    { input: { question: " " }, message: "question: must not be blank" },
    { input: { question, choices: Array(7).fill("a") }, message: "choices: " },
    { input: { question, choices: [{ description: "x" }] }, message: "choices[0].label: required" },
  ])("is not asked for when $input is wrong", async ({ input, message }) => {
    const { outcome, asked } = await ask(input, "unanswered");
    expect(failed(outcome).message).toContain(message);
    expect(asked).toEqual([]);
  });
});

test("a tool that asks on behalf of a call asks the same person", async () => {
  const { pipeline } = await openWorkspace();
  const outcome = await pipeline.invoke(
    "pipe",
    { tool_name: "ask_user", tool_input: { question: "Why?" }, path: "answer.json" },
    {
      ...{ door: "cli", session: "s", signal: new AbortController().signal, authority: "model" },
      person: { answer: () => Promise.resolve({ chosen: [], words: "Because." }) },
    },
  );
  expect(outcome.ok && outcome.text).toContain("Because.");
});
