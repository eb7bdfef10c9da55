import { describe, expect, test } from "vitest";
import { failed, result } from "../../tools/workspace.js";
import { open, PATHS, text, WELL, onDocument } from "./kinds.js";

const path = PATHS.prompt("one");
const BODY = "Say it.";
const prompt = (front: string): string => `---\n${front}\n---\n\n${BODY}\n`;

test("a prompt is read with all that its front matter says, ours and VS Code's", async () => {
  const workspace = await open({ [path]: WELL.prompt("one"), [PATHS.prompt("two")]: "Only words.\n" }, "memory");
  expect(result(await onDocument(workspace, "prompt", "read", { name: "one" })).data).toMatchObject({
    path,
    problem: null,
    body: BODY,
    fields: { description: "What one is for.", mode: "agent", model: "some-model", tools: ["a", "b"] },
  });
  expect(result(await onDocument(workspace, "prompt", "read", { name: "two" })).data).toMatchObject({
    problem: null,
    body: "Only words.",
    fields: {},
  });
});

describe("front matter that is none of a prompt is told, with its field, and the other prompts are listed", () => {
  test.each<{ front: string; problem: RegExp }>([
    { front: "description: 7", problem: /^description: expected string/ },
    { front: "description: ''", problem: /^description: / },
    { front: "description: |\n  two\n  lines", problem: /^description: must be one line/ },
    { front: "agent-modification: maybe", problem: /^agent-modification: expected boolean/ },
    { front: "agent-modification: 0", problem: /^agent-modification: expected boolean/ },
    { front: "- a list", problem: /not a list of fields/ },
    { front: "a: [", problem: /not valid YAML/ },
  ])("$front", async ({ front, problem }) => {
    const workspace = await open({ [path]: prompt(front), [PATHS.prompt("well")]: WELL.prompt("well") }, "memory");
    expect(result(await onDocument(workspace, "prompt", "list", {})).data).toMatchObject({
      prompts: [
        { name: "well", problem: null },
        { name: "one", path, problem: expect.stringMatching(problem) as string },
      ],
    });
    expect(result(await onDocument(workspace, "prompt", "read", { name: "one" })).data).toMatchObject({
      problem: expect.stringMatching(problem) as string,
      fields: null,
    });
    expect(
      failed(
        await onDocument(workspace, "prompt", "edit", {
          name: "well",
          patches: [{ start_line: 1, end_line: 6, content: `---\n${front}\n---` }],
        }),
      ),
    ).toMatchObject({
      type: "invalid_input",
      message: expect.stringContaining("would be malformed: ") as string,
    });
    expect(await text(workspace, PATHS.prompt("well"))).toBe(WELL.prompt("well"));
  });
});

describe("a prompt that its user locked stays, however the lock is spelled", () => {
  test.each(["false", "False", "no", "No", "off", "'false'", '"no"', "no # do not touch"])(
    "agent-modification: %s",
    async (spelled) => {
      const file = prompt(`agent-modification: ${spelled}`);
      const workspace = await open({ [path]: file }, "memory");
      expect(result(await onDocument(workspace, "prompt", "read", { name: "one" })).data).toMatchObject({
        problem: null,
        fields: { "agent-modification": false },
      });
      expect(result(await onDocument(workspace, "prompt", "list", {})).data).toMatchObject({
        prompts: [{ agent_modification: false }],
      });
      for (const [tool, input] of [
        ["edit", { patches: [{ start_line: 99, end_line: 0, content: "x" }] }],
        ["write", { body: "x", on_conflict: "overwrite" }],
        ["delete", {}],
      ] as const) {
        expect(failed(await workspace.call(`prompt_${tool}`, { name: "one", ...input })).type).toBe("protected");
      }
      expect(await text(workspace, path)).toBe(file);
    },
  );

  test("also where something else is wrong with it", async () => {
    for (const [front, below] of [
      ["agent-modification: no\ndescription: 7", BODY],
      ["agent-modification: false", ""],
    ] as const) {
      const file = `---\n${front}\n---\n${below}\n`;
      const workspace = await open({ [path]: file }, "memory");
      expect(result(await onDocument(workspace, "prompt", "read", { name: "one" })).data).toMatchObject({
        problem: expect.any(String) as string,
      });
      for (const [tool, input] of [
        ["edit", { patches: [{ start_line: 2, end_line: 2, content: "description: d" }] }],
        ["write", { body: "x", on_conflict: "overwrite" }],
        ["delete", {}],
      ] as const) {
        expect(failed(await workspace.call(`prompt_${tool}`, { name: "one", ...input })).type).toBe("protected");
      }
      expect(await text(workspace, path)).toBe(file);
    }
  });

  test.each(["true", "yes", "on", "'true'"])("and agent-modification: %s is none", async (spelled) => {
    const workspace = await open({ [path]: prompt(`agent-modification: ${spelled}`) }, "memory");
    result(await onDocument(workspace, "prompt", "write", { name: "one", body: "New.", on_conflict: "overwrite" }));
    expect(await text(workspace, path)).toBe(`---\nagent-modification: ${spelled}\n---\n\nNew.\n`);
  });
});
