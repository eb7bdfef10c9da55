// Toolhost: Add Tool… in the window: steps with a way back, a trial behind the question that every call has, and the
// file at its new entry.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../harness/poll";
import type { QuickInput } from "../harness/quick-input";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

const FILE = ".toolhost/tools.json";

let window: Workbench;
let folder: string;

beforeAll(async () => {
  const server = await startServer({ settings: { "workbench.colorTheme": "Default Light Modern" } });
  folder = server.temporaryFolder("sample", sampleFixture);
  window = await openWorkbench(server, { folder });
});

/** Waits for a step by its title. */
async function at(step: string): Promise<QuickInput> {
  const input = await window.quickInput();
  await poll(`the step ${step}`, async () => (await input.title().catch(() => "")) === `Add Tool (${step})`);
  return input;
}

async function pick(step: string, label: string): Promise<void> {
  await (await at(step)).pick(label);
}

async function type(step: string, text: string): Promise<void> {
  const input = await at(step);
  await input.type(text);
  await input.accept();
}

describe("Toolhost: Add Tool…", () => {
  it("asks in steps, tries the tool, and opens the file at its entry", async () => {
    void window.command("toolhost.tools.add").catch(() => undefined);
    await pick("1/2", FILE);
    await pick("2/2", "A Command");
    const name = await at("3/7");
    await name.type("read");
    await poll("the name to be refused", async () =>
      (await name.message()).includes("Toolhost has a tool with this name, or with a very similar one."),
    );
    await window.screenshot("add-tool-name-refused");
    await type("3/7", "greet");
    await type("4/7", "Say hello.");
    await at("5/7");
    await window.screenshot("add-tool-command");
    await (await at("5/7")).back();
    await type("4/7", "Say hello to somebody. Use it to begin a talk.");
    await type("5/7", "printf 'Hello %s%s' {who} {loud?!}");
    await pick("6/11", "Text");
    await type("7/11", "Whom to greet.");
    await pick("8/11", "Yes");
    await type("9/11", "Say it loudly.");
    await window.screenshot("add-tool-extras");
    await (await at("10/11")).accept();
    await at("11/11");
    await poll("the entry to be shown", async () => (await editorText()).includes('"name": "greet"'));
    await window.screenshot("add-tool-review");
    await pick("11/11", "Try It First");
    await type("12/13", "Bob");
    await type("13/13", "true");
    const question = await window.dialog();
    expect(question.message).toContain("printf 'Hello %s%s' Bob '!'");
    await question.click("Allow Once");
    await poll("what the trial gave", async () => (await editorText()).includes("Hello Bob!"));
    const keep = await window.quickInput();
    await poll("the last question", async () => (await keep.title().catch(() => "")) === "Add Tool");
    await window.screenshot("add-tool-trial");
    expect(existsSync(join(folder, FILE))).toBe(false);
    await keep.pick("Add It");
    await window.notification(`greet is added to ${FILE}, which is approved with it.`);
    expect(JSON.parse(readFileSync(join(folder, FILE), "utf8"))).toEqual({
      tools: [
        {
          ...{ name: "greet", description: "Say hello to somebody. Use it to begin a talk.", command: "printf" },
          args: ["Hello %s%s", "{who}", "{loud?!}"],
          parameters: {
            properties: {
              who: { type: "string", description: "Whom to greet." },
              loud: { type: "boolean", description: "Say it loudly." },
            },
            required: ["who"],
          },
        },
      ],
    });
    await poll("the file at the entry", async () => (await editorText()).includes('"command": "printf"'));
    await window.screenshot("add-tool-added");
  });

  it("keeps the answers of somebody who leaves", async () => {
    void window.command("toolhost.tools.add").catch(() => undefined);
    await pick("1/2", FILE);
    await pick("2/2", "A Command");
    await type("3/7", "say_bye");
    await (await at("4/7")).cancel();
    await (await window.notification("say_bye was not added. Your answers are kept")).click("Continue");
    const again = await window.quickInput();
    await again.pick("Continue with say_bye");
    await type("4/7", "Say bye.");
    await type("5/7", "echo bye");
    await (await at("6/7")).accept();
    await pick("7/7", "Add It");
    await window.notification("say_bye is added");
    const { tools } = JSON.parse(readFileSync(join(folder, FILE), "utf8")) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(["greet", "say_bye"]);
  });
});

/** The text of the active editor. */
async function editorText(): Promise<string> {
  return (await window.page.locator(".editor-instance .view-lines").last().innerText()).replaceAll("\u00a0", " ");
}
