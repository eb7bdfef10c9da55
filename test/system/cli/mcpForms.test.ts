// Questions of a model to the user of its client, as forms.
import { describe, expect, test } from "vitest";
import type { PersonQuestion } from "../../../src/ports/person.js";
import { contentOf, tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";
import { connect, REVISIONS, type Form } from "./mcpRig.js";
import { openWindow } from "./mcpWindowRig.js";

const cli = builtCli();
const TOOLS = ["--tools", "ask_user,exec"];
const CHOICES = [{ label: "Red", description: "like a rose" }, { label: "Blue" }];

describe.each(REVISIONS)("a client of revision %s", (revision) => {
  test("that shows forms gets a question as one, and its model the answer", async () => {
    const forms: Form[] = [];
    const answers = [
      { action: "accept" as const, content: { choice: "Blue", words: " but dark " } },
      { action: "accept" as const, content: { choice1: true, choice2: true } },
      { action: "accept" as const, content: { words: "None of them" } },
      { action: "accept" as const, content: { choice: "Green" } },
      { action: "decline" as const },
      { action: "cancel" as const },
    ];
    const { text } = await connect(
      cli,
      await tempFolder(),
      TOOLS,
      revision,
      {},
      {
        fillIn: (form) => {
          forms.push(form);
          return answers[forms.length - 1] ?? { action: "cancel" };
        },
      },
    );
    const question = { question: "Which color?", choices: CHOICES };
    expect(await text("ask_user", question)).toBe("The user chose: Blue\nThe user answered: but dark");
    expect(await text("ask_user", { ...question, several: true })).toBe("The user chose: Red; Blue");
    expect(await text("ask_user", { question: "Which color?" })).toBe("The user answered: None of them");
    // What was not among the choices is none.
    expect(await text("ask_user", question)).toBe("The user chose none of these.");
    expect(await text("ask_user", question)).toContain("The user did not answer.");
    expect(await text("ask_user", question)).toContain("The user did not answer.");
    expect(forms).toHaveLength(6);
    expect(forms[0]).toMatchObject({
      message: "Which color?\n- Red: like a rose",
      requestedSchema: { properties: { choice: { type: "string", enum: ["Red", "Blue"] }, words: { type: "string" } } },
    });
    expect(forms[1]?.requestedSchema.properties).toMatchObject({ choice1: { type: "boolean", title: "Red" } });
    expect(forms[2]?.requestedSchema).toMatchObject({ properties: { words: {} }, required: ["words"] });
  });

  test("that shows forms is not asked in a window, whose own user is", async () => {
    const questions: string[] = [];
    const person = {
      answer: async ({ question }: PersonQuestion) => {
        questions.push(question);
        return { chosen: [], words: "In the window" };
      },
    };
    const { folder } = await openWindow({}, { person });
    const { text } = await connect(...([cli, folder, TOOLS, revision, {}] as const), {
      fillIn: () => expect.unreachable("a form"),
    });
    expect(await text("ask_user", { question: "Which color?" })).toBe("The user answered: In the window");
    expect(questions).toEqual(["Which color?"]);
  });

  test("that shows none is told that nobody can be asked", async () => {
    const { text } = await connect(cli, await tempFolder(), TOOLS, revision);
    expect(await text("ask_user", { question: "Which color?" })).toContain("Nobody can be asked here.");
  });

  test("is never asked by a form whether its own call is allowed", async () => {
    const folder = await tempFolder({ ".env": "KEY=value-1\n" });
    const forms: Form[] = [];
    const { text } = await connect(
      cli,
      folder,
      ["--tools", "all"],
      revision,
      {},
      {
        fillIn: (form) => {
          forms.push(form);
          return { action: "accept", content: { choice: "Allow Once", words: "yes", allow: true } };
        },
      },
    );
    const calls: [string, Record<string, unknown>][] = [
      ["exec", { command: "install -d made" }],
      ["read", { path: ".env" }],
      ["read", { path: "/etc/hostname" }],
      ["write", { path: ".mcp.json", content: "{}" }],
      ["show_secret", { id: "1" }],
    ];
    for (const [name, input] of calls) {
      expect(await text(name, input), name).toMatch(/^Error \((denied|not_found|invalid_input)\)/);
    }
    expect(forms).toEqual([]);
    await expect(contentOf(folder, "made")).rejects.toThrow("ENOENT");
  });
});
