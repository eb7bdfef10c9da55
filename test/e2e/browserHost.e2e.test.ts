// The extension in the extension host of the browser, as on vscode.dev: the chat with a server of the user's own, the
// view, a command that is not there, a second tab.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OpenAiServer } from "../harness/openai-server";
import { poll } from "../harness/poll";
import { sampleFixture, startServer, type Server } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

const MODEL = "test-model";

let openAi: OpenAiServer;
let server: Server;
let window: Workbench;
let folder: string;

const greeting = (): string => readFileSync(join(folder, "src", "greet.ts"), "utf8");
const row = (words: string) => window.page.locator(".sidebar .monaco-list-row", { hasText: words }).first();

/** Opens the view and the chat, with the user's own model chosen there. */
async function work(tab: Workbench): Promise<void> {
  await tab.command("workbench.view.extension.toolhost");
  await tab.chat.open();
  await poll("the server's model in the chat", async () => {
    await tab.command("workbench.action.chat.open", {
      modelSelector: { vendor: "toolhost-servers", id: `local/${MODEL}` },
    });
    return tab.page.locator(".interactive-input-part").getByText(MODEL).last().isVisible();
  });
}

/** The results of calls that the model was told. */
const results = (): string[] =>
  (openAi.chats().at(-1)?.body?.messages ?? []).flatMap(({ role, content }) =>
    role === "tool" ? [typeof content === "string" ? content : JSON.stringify(content)] : [],
  );

beforeAll(async () => {
  openAi = await OpenAiServer.start({ models: [MODEL], forPages: true });
  server = await startServer({
    settings: {
      "remote.extensionKind": { "toolhost.toolhost": ["web"] },
      "files.autoSave": "off",
      "toolhost.models.servers": { local: { baseUrl: openAi.baseUrl } },
    },
  });
  folder = server.temporaryFolder("browser", sampleFixture);
  window = await openWorkbench(server, { folder });
  await work(window);
});

afterAll(() => openAi.stop());

describe("Toolhost in a browser", () => {
  it("@toolhost reads, searches and edits, is told what is not there, and shows what it changed", async () => {
    openAi.script(
      {
        calls: [
          { name: "grep", arguments: { pattern: "Hello" } },
          { name: "exec", arguments: { command: "ls" } },
        ],
      },
      { calls: [{ name: "read", arguments: { path: "src/greet.ts" } }] },
      { calls: [{ name: "edit", arguments: { path: "src/greet.ts", old_text: "Hello", new_text: "Bonjour" } }] },
      { text: "It greets in French now." },
    );
    await window.chat.ask("@toolhost Greet people in French", { model: MODEL });
    expect(await window.chat.waitForAnswer()).toContain("It greets in French now.");
    expect(greeting()).toContain("Bonjour, ");
    const [found, run] = results();
    expect(found).toContain("src/greet.ts");
    expect(run).toMatch(/^Error \((unavailable|unknown_tool)\): /);
    const tools = openAi.chats()[0]?.body?.tools?.map((tool) => tool.function.name);
    expect(tools).toContain("apply_patch");
    expect(tools).not.toContain("exec");
    expect(tools).not.toContain("web_fetch");
    await row("French").waitFor();
    await window.screenshot("browser-host-changed");
  });

  it("asks in the chat before it changes a protected file", async () => {
    await window.chat.newConversation();
    openAi.script(
      { calls: [{ name: "write", arguments: { path: ".vscode/tasks.json", content: "{}\n" } }] },
      { text: "Left alone." },
    );
    await window.chat.ask("@toolhost Add a task", { model: MODEL });
    const question = await window.chat.question();
    expect(question.text).toContain(".vscode/tasks.json");
    await window.screenshot("browser-host-question");
    await question.press("Don't Allow");
    await window.chat.waitForAnswer();
    expect(existsSync(join(folder, ".vscode", "tasks.json"))).toBe(false);
  });

  it("takes a change back after a reload", async () => {
    await window.reload();
    await window.command("workbench.view.extension.toolhost");
    await row("French").waitFor();
    await row("French").hover();
    await row("French").locator('.action-label[aria-label^="Undo"]').click();
    await poll("the greeting as it was", () => greeting().includes("Hello, "));
    await window.screenshot("browser-host-undone");
  });

  it("says of a command that needs a computer that it is not there", async () => {
    await window.command("toolhost.connectAgent");
    const { message } = await window.notification("does not work in a browser");
    expect(message).toContain("Connect an Outside Agent…");
  });

  it("changes nothing in a second tab with the same folder, and says where to go on", async () => {
    const second = await openWorkbench(server, { folder, beside: window });
    await work(second);
    openAi.script(
      { calls: [{ name: "edit", arguments: { path: "README.md", old_text: "Sample", new_text: "Other" } }] },
      { text: "Not here." },
    );
    await second.chat.ask("@toolhost Rename the sample", { model: MODEL });
    // Nobody is asked about what cannot be done.
    await second.chat.waitForAnswer();
    expect(results()[0]).toMatch(/^Error \(unavailable\): .*open in another tab/);
    expect(readFileSync(join(folder, "README.md"), "utf8")).toContain("Sample");
    await second.close();
  });
});
