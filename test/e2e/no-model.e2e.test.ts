// A fresh VS Code: no sign-in, no model of anybody's. What Toolhost does all the same.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../harness/poll";
import { SCRIPTED_MODEL } from "../harness/rig/protocol";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

const STAND_IN = "No model (tools only)";

describe("without Copilot Chat", () => {
  let window: Workbench;
  let folder: string;
  const greeting = (): string => readFileSync(join(folder, "src/greet.ts"), "utf8");

  beforeAll(async () => {
    const server = await startServer({ model: false, settings: { "toolhost.permissionMode": "ask" } });
    folder = server.temporaryFolder("sample", sampleFixture);
    window = await openWorkbench(server, { folder });
  });

  it("/undo needs no model", async () => {
    const before = greeting();
    await window.chat.ask("@toolhost /undo", { model: STAND_IN });
    expect(await window.chat.waitForAnswer()).toContain("Nothing to undo");
    const edit = JSON.stringify({ path: "src/greet.ts", old_text: "Hello, ${name}", new_text: "Hello, ${name}!" });
    await window.chat.ask(`@toolhost /run edit ${edit}`, { model: STAND_IN });
    await (await window.chat.confirmation()).allow();
    expect(await window.chat.waitForAnswer()).toContain("Edited src/greet.ts");
    await window.chat.ask("@toolhost /undo", { model: STAND_IN });
    expect(await window.chat.waitForAnswer()).toContain("src/greet.ts: restored");
    expect(greeting()).toBe(before);
  });

  it("@toolhost lists and runs tools, asks before an edit, and says how to get a model", async () => {
    await window.chat.newConversation();
    await window.chat.ask("@toolhost /tools", { model: STAND_IN });
    expect(await window.chat.waitForAnswer()).toContain("Files: ");

    await window.chat.ask('@toolhost /run grep {"pattern": "Barbara"}', { model: STAND_IN });
    expect(await window.chat.waitForAnswer()).toContain("src/main.ts");

    const edit = JSON.stringify({ path: "src/greet.ts", old_text: "Hello", new_text: "Welcome" });
    await window.chat.ask(`@toolhost /run edit ${edit}`, { model: STAND_IN });
    const card = await window.chat.confirmation();
    expect(card.text).toContain("+  return `Welcome, ${name}`;");
    await card.allow();
    expect(await window.chat.waitForAnswer()).toContain("Edited src/greet.ts: 1 replacement at line 3.");
    expect(greeting()).toContain("Welcome");

    await window.chat.ask("@toolhost what does this do?", { model: STAND_IN });
    expect(await window.chat.waitForAnswer()).toContain("No language model is chosen");
    await window.screenshot("no-model");
  });
});

describe("without a folder", () => {
  it("a command that needs one says so in a line, with a button that opens one", async () => {
    const model = `${SCRIPTED_MODEL.vendor}/${SCRIPTED_MODEL.id}`;
    const window = await openWorkbench(await startServer({ settings: { "toolhost.agent.model": model } }));
    void window.command("toolhost.runNextTask").catch(() => undefined);
    const told = await window.notification("no folder is open");
    expect(told.message).not.toMatch(/The user|\.toolhost/);
    expect(told.buttons).toEqual(["Open Folder…"]);
    await window.screenshot("no-folder");
    await told.click("Open Folder…");
    // VS Code's own question.
    await poll("the question which folder", async () => (await (await window.quickInput()).title()) === "Open Folder");
  });
});

it("works the same with Copilot Chat active but signed out", async () => {
  const server = await startServer({ model: false });
  const window = await openWorkbench(server, {
    folder: server.temporaryFolder("sample", sampleFixture),
    copilot: true,
  });
  await poll("Copilot's own placeholder model", () =>
    window.rig.run(async (vscode) => (await vscode.lm.selectChatModels({ vendor: "copilotcli" })).length > 0),
  );
  await window.chat.ask('@toolhost /run grep {"pattern": "Barbara"}', { model: STAND_IN });
  expect(await window.chat.waitForAnswer()).toContain("src/main.ts");
});
