// Questions of a model to the user of its client, as forms.
import { access } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { PersonQuestion } from "../../../src/ports/person.js";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";
import { connect, REVISIONS, type FillIn, type Form } from "./mcpRig.js";
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

  test("that shows forms is asked by one whether a call may run, with all that it does", async () => {
    const folder = await tempFolder();
    const forms: Form[] = [];
    const answers: ReturnType<FillIn>[] = [
      { action: "decline" },
      { action: "cancel" },
      { action: "accept", content: { answer: "Do not allow" } },
      { action: "accept", content: { answer: "yes" } },
      { action: "accept", content: {} },
      { action: "accept", content: { answer: "Allow once" } },
      { action: "decline" },
      { action: "accept", content: { answer: "Allow in this session" } },
    ];
    const fillIn: FillIn = (form) => {
      forms.push(form);
      return answers[forms.length - 1] ?? expect.unreachable("another form");
    };
    const { text } = await connect(cli, folder, [], revision, {}, { fillIn });
    const make = { command: "install -d made" };
    // Only the choice itself is a no: some clients decline, close or accept forms that nobody has seen.
    const unseen =
      /^Error \(denied\): exec needs the user's permission, and the form that asks for it came back without one of its choices\. Nothing was done\..*\nHint: .*--allow 'exec\(command: install -d made\)'/s;
    for (const answer of answers.slice(0, 5)) {
      const isNo = answer.action === "accept" && answer.content?.["answer"] === "Do not allow";
      expect([answer, await text("exec", make)]).toEqual([
        answer,
        expect.stringMatching(isNo ? /^Error \(denied\): exec: the user said no/ : unseen),
      ]);
    }
    await expect(access(join(folder, "made"))).rejects.toThrow("ENOENT");
    expect(forms).toHaveLength(5);
    expect(forms[0]?.message).toMatch(/^Test Client: /);
    expect(forms[0]?.message).toContain("install -d made");
    expect(forms[0]?.requestedSchema).toMatchObject({
      properties: { answer: { enum: ["Allow once", "Allow in this session", "Do not allow"] } },
      required: ["answer"],
    });
    expect(await text("exec", make)).not.toContain("Error");
    await access(join(folder, "made"));
    // A yes counted once; one for the session counts for what it named.
    expect(await text("exec", make)).toMatch(unseen);
    const again = { command: "install -d other" };
    expect(await text("exec", again)).not.toContain("Error");
    expect(await text("exec", again)).not.toContain("Error");
    expect(forms).toHaveLength(8);
  });

  test("that cannot show its forms is told what would allow the call", async () => {
    const fillIn = (): never => {
      throw new Error("no window to show it in");
    };
    const { text } = await connect(cli, await tempFolder(), [], revision, {}, { fillIn });
    // The SDK's client of 2026 does not call again where a form fails.
    const told = await text("exec", { command: "install -d made" }).catch((error: unknown) => String(error));
    expect(told).toMatch(
      revision === "2026-07-28" ? /no window to show it in/ : /^Error \(denied\): exec needs the user's.*--allow/s,
    );
  });

  test("is asked by a form also under another system's name for the tool", async () => {
    const forms: Form[] = [];
    const { text } = await connect(
      cli,
      await tempFolder(),
      [],
      revision,
      {},
      {
        fillIn: (form) => {
          forms.push(form);
          return { action: "decline" };
        },
      },
    );
    expect(await text("bash", { command: "install -d made" })).toMatch(
      /^Error \(denied\): exec needs the user's permission/,
    );
    expect(forms).toHaveLength(1);
  });

  test("is not asked by a form about what only a window or a terminal may be asked, nor about a part of a call", async () => {
    const folder = await tempFolder({ ".env": "API_KEY=value-of-it-1\n", "copy.txt": "value-of-it-1\n" });
    const fillIn = (): never => expect.unreachable("a form");
    const { text } = await connect(cli, folder, ["--tools", "all"], revision, {}, { fillIn });
    const [handle = ""] = /⟦secret .*?⟧/.exec(await text("read", { path: "copy.txt" })) ?? [];
    const calls: [string, Record<string, unknown>][] = [
      ["read", { path: ".env" }],
      ["write", { path: ".mcp.json", content: "{}" }],
      ["exec", { command: "rm -rf ." }],
      ["exec", { command: `install -d ${"a".repeat(13_000)}` }],
      ["show_secret", { handle }],
      ["pipe", { tool_name: "exec", tool_input: { command: "install -d made" }, path: "made.json" }],
    ];
    for (const [name, input] of calls) {
      const refused = name === "pipe" ? /^Error \(inner_tool_error\): exec failed \(denied\)/ : /^Error \(denied\)/;
      expect(await text(name, input), name).toMatch(refused);
    }
    await expect(access(join(folder, "made"))).rejects.toThrow("ENOENT");
  });

  test.each([
    ["--no-forms", ["--no-forms"], {}],
    ["a command line that an agent started", [], { TOOLHOST_AGENT: "1" }],
  ])("is asked by no form with %s", async (_, args, env) => {
    const fillIn = (): never => expect.unreachable("a form");
    const { text } = await connect(cli, await tempFolder(), args, revision, env, { fillIn });
    expect(await text("exec", { command: "install -d made" })).toContain("--allow");
  });
});
