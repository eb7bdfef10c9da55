// A fresh VS Code: no sign-in, no model of anybody's. What Toolhost does all the same.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench } from "../harness/workbench";

const STAND_IN = "No model (tools only)";

it("@toolhost lists and runs tools, asks before an edit, and says how to get a model", async () => {
  const server = await startServer({ model: false, settings: { "toolhost.permissionMode": "ask" } });
  const folder = server.temporaryFolder("sample", sampleFixture);
  const window = await openWorkbench(server, { folder });

  await window.chat.ask("@toolhost /tools", { model: STAND_IN });
  expect(await window.chat.waitForAnswer()).toContain("Search file contents");

  await window.chat.ask('@toolhost /run grep {"pattern": "Barbara"}', { model: STAND_IN });
  expect(await window.chat.waitForAnswer()).toContain("src/main.ts");

  const edit = JSON.stringify({ path: "src/greet.ts", old_text: "Hello", new_text: "Welcome" });
  await window.chat.ask(`@toolhost /run edit ${edit}`, { model: STAND_IN });
  const card = await window.chat.confirmation();
  expect(card.text).toContain("+  return `Welcome, ${name}`;");
  await card.allow();
  expect(await window.chat.waitForAnswer()).toContain("Edited src/greet.ts: 1 replacement at line 3.");
  expect(readFileSync(join(folder, "src/greet.ts"), "utf8")).toContain("Welcome");

  await window.chat.ask("@toolhost what does this do?", { model: STAND_IN });
  expect(await window.chat.waitForAnswer()).toContain("No language model is chosen");
  await window.screenshot("no-model");
});

it("works the same with Copilot Chat active but signed out", async () => {
  const server = await startServer({ model: false });
  const window = await openWorkbench(server, { folder: server.temporaryFolder("sample", sampleFixture), copilot: true });
  await poll("Copilot's own placeholder model", () => window.rig.run(async (vscode) => (await vscode.lm.selectChatModels({ vendor: "copilotcli" })).length > 0));
  await window.chat.ask('@toolhost /run grep {"pattern": "Barbara"}', { model: STAND_IN });
  expect(await window.chat.waitForAnswer()).toContain("src/main.ts");
});

it("the stand-in goes away when VS Code has a real model", async () => {
  const server = await startServer();
  const window = await openWorkbench(server, { folder: server.temporaryFolder("sample", sampleFixture) });
  await poll("only the real model", async () => {
    const vendors = await window.rig.run(async (vscode) => (await vscode.lm.selectChatModels()).map(({ vendor }) => vendor));
    return vendors.includes("toolhost-test") && !vendors.includes("toolhost");
  });
});
