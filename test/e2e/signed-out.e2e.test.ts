// What runs on a model of the user's own without a GitHub account, and what VS Code asks for first: as the README says.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { repository } from "../../scripts/paths.mjs";
import { SERVERS_VENDOR } from "../../src/names/contributed.js";
import { OpenAiServer } from "../harness/openai-server";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

const MODEL = "story-teller";

let window: Workbench;
let openAi: OpenAiServer;

beforeAll(async () => {
  openAi = await OpenAiServer.start({ models: [MODEL] });
  const server = await startServer({
    model: false,
    settings: { "toolhost.models.servers": { local: { baseUrl: openAi.baseUrl, models: [MODEL] } } },
  });
  window = await openWorkbench(server, { folder: server.temporaryFolder("signed-out", sampleFixture) });
  await poll("the model", () =>
    window.rig.run(async (vscode, vendor) => (await vscode.lm.selectChatModels({ vendor })).length > 0, SERVERS_VENDOR),
  );
});
afterAll(() => openAi.stop());

/** Sends a message with the user's own model. The command may wait for the answer. */
const ask = (query: string): void =>
  void window
    .command("workbench.action.chat.open", { query, modelSelector: { vendor: SERVERS_VENDOR }, mode: "agent" })
    .catch(() => undefined);

it("@toolhost answers with the user's own model, and nobody asks for an account", async () => {
  openAi.script({ text: "No account needed." });
  ask("@toolhost hello");
  await poll("the answer", async () => (await window.chat.lastAnswerText()).includes("No account needed."));
  expect(await window.page.locator(".monaco-dialog-box").count()).toBe(0);
});

it("Copilot's agent asks for an account first here, as the pages on models say", async () => {
  for (const page of ["README.md", "docs/models.md", "docs/extension-page.md"]) {
    expect(readFileSync(join(repository, page), "utf8"), page).toMatch(
      /Copilot's agent[^.]*(?:\.[^.]*)?sign-in\s+dialog/,
    );
  }
  const chats = openAi.chats().length;
  await window.chat.newConversation();
  ask("hello");
  const dialog = window.page.locator(".monaco-dialog-box", { hasText: "Sign in to use GitHub Copilot" });
  await dialog.waitFor();
  await window.screenshot("signed-out-copilot");
  expect(openAi.chats()).toHaveLength(chats);
});
