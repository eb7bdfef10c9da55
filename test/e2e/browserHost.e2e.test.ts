// The extension in the extension host of the browser, as on vscode.dev: the chat, the view, the palette, a second tab.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../harness/poll";
import { sampleFixture, startServer, type Server } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { resultTexts } from "./answers";

let server: Server;
let window: Workbench;
let folder: string;

const greeting = (): string => readFileSync(join(folder, "src", "greet.ts"), "utf8");
const changes = (): Promise<string[]> =>
  window.page
    .locator(".sidebar .pane", { has: window.page.locator('.pane-header[aria-label^="Changes"]') })
    .locator(".monaco-list-row")
    .evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-label") ?? ""));

beforeAll(async () => {
  server = await startServer({
    settings: { "remote.extensionKind": { "toolhost.toolhost": ["web"] }, "files.autoSave": "off" },
  });
  folder = server.temporaryFolder("browser", sampleFixture);
  window = await openWorkbench(server, { folder });
  // Rows are shown while the view is visible, in whatever host they are made.
  await window.command("workbench.view.extension.toolhost");
});

describe("Toolhost in a browser", () => {
  it("@toolhost reads, searches and edits, is told what is not there, and shows what it changed", async () => {
    await window.chat.open();
    await window.model.script([
      {
        calls: [
          { name: "toolhost_grep", input: { pattern: "Hello" } },
          { name: "toolhost_exec", input: { command: "ls" } },
        ],
      },
      { calls: [{ name: "toolhost_read", input: { path: "src/greet.ts" } }] },
      { calls: [{ name: "toolhost_edit", input: { path: "src/greet.ts", old_text: "Hello", new_text: "Bonjour" } }] },
      { text: "It greets in French now." },
    ]);
    await window.chat.ask("@toolhost Greet people in French");
    expect(await window.chat.waitForAnswer()).toContain("It greets in French now.");
    expect(greeting()).toContain("Bonjour, ");
    const requests = await window.model.requests();
    const [found, run] = resultTexts(requests);
    expect(found).toContain("src/greet.ts");
    expect(run).toMatch(/^Error \((unavailable|unknown_tool)\): /);
    const tools = requests[0]?.tools ?? [];
    expect(tools).toContain("toolhost_apply_patch");
    expect(tools).not.toContain("toolhost_exec");
    expect(tools).not.toContain("toolhost_web_fetch");
    await poll("the turn in the view", async () => (await changes()).some((row) => row.includes("French")));
    await window.screenshot("browser-host-changed");
  });

  it("asks before it overwrites a file it has not read", async () => {
    await window.chat.newConversation();
    await window.model.script([
      { calls: [{ name: "toolhost_write", input: { path: "docs/notes.md", content: "# Notes\n" } }] },
      { text: "Left alone." },
    ]);
    await window.chat.ask("@toolhost Clear my notes");
    const question = await window.chat.question();
    expect(question.text).toContain("docs/notes.md");
    await window.screenshot("browser-host-question");
    await question.press("Don't Allow");
    await window.chat.waitForAnswer();
    expect(readFileSync(join(folder, "docs", "notes.md"), "utf8")).toContain("TODO");
  });

  it("takes a change back after a reload", async () => {
    await window.reload();
    await window.command("workbench.view.extension.toolhost");
    await poll("the turn in the view, after the reload", async () =>
      (await changes()).some((row) => row.includes("French")),
    );
    const row = window.page.locator(".sidebar .monaco-list-row", { hasText: "French" }).first();
    await row.hover();
    await row.locator('.action-label[aria-label^="Undo"]').click();
    await poll("the greeting as it was", () => greeting().includes("Hello, "));
    await window.screenshot("browser-host-undone");
  });

  it("says of a command that needs a computer that it is not there", async () => {
    await window.command("toolhost.connectAgent");
    const notice = await window.notification("does not work in a browser");
    expect(JSON.stringify(notice)).toContain("Connect an Outside Agent…");
  });

  it("changes nothing in a second tab with the same folder, and says where to go on", async () => {
    const second = await openWorkbench(server, { folder, beside: window });
    await second.chat.open();
    await second.model.script([
      { calls: [{ name: "toolhost_edit", input: { path: "README.md", old_text: "Sample", new_text: "Other" } }] },
      { text: "Not here." },
    ]);
    await second.chat.ask("@toolhost Rename the sample");
    await second.chat.waitForAnswer();
    const [refused] = resultTexts(await second.model.requests());
    expect(refused).toMatch(/^Error \(unavailable\): .*open in another tab/);
    expect(readFileSync(join(folder, "README.md"), "utf8")).toContain("Sample");
    await second.close();
  });
});
