// A user's own OpenAI-compatible server: added by the command, picked in VS Code's model picker, used by @toolhost and by Copilot's agent.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OpenAiServer } from "../harness/openai-server";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

const KEY = "right-key-123456";
const MODEL = "story-teller";

/** Chooses a model below the chat's input, as a user does. */
async function pickModel({ chat, page }: Workbench, name: string): Promise<void> {
  await chat.open();
  const widget = page.locator(".action-widget-dropdown").first();
  const entry = widget.locator(".monaco-list-row", { hasText: name });
  await poll(`${name} in the model picker`, async () => {
    await page.locator(".interactive-input-part .model-picker-item .model-picker-name").click();
    await widget.waitFor();
    // What was not used lately is folded away: the search looks there, too.
    await page.keyboard.insertText(name);
    // The list is made when it opens: models that come later are in the next one.
    const found = await entry.first().waitFor({ timeout: 2_000 }).then(() => true, () => false);
    if (!found) await page.keyboard.press("Escape");
    return found;
  });
  await entry.first().click();
  await page.locator(".interactive-input-part").getByText(name).last().waitFor();
}

describe("a server of the user's own", () => {
  let window: Workbench;
  let openAi: OpenAiServer;

  beforeAll(async () => {
    openAi = await OpenAiServer.start({ key: KEY, models: [MODEL, "second-model", "text-embedding-1"] });
    const server = await startServer();
    window = await openWorkbench(server, { folder: server.temporaryFolder("sample", sampleFixture), copilot: true });
  });

  afterAll(() => openAi.stop());

  it("is added by the command, which tries it first and says what is wrong", async () => {
    const done = window.command("toolhost.models.addServer");
    await (await window.quickInput()).pick("Another server");
    await poll("the address", async () => (await (await window.quickInput()).title()).includes("Address"));
    const address = await window.quickInput();
    await address.type("localhost");
    await poll("why it is refused", async () => (await address.message()).includes("has to be an address such as"));
    await address.type(`${openAi.baseUrl}/`);
    await address.accept();
    await poll("the name", async () => (await (await window.quickInput()).title()).includes("Name"));
    await (await window.quickInput()).type("tales");
    await (await window.quickInput()).accept();
    await poll("the key", async () => (await (await window.quickInput()).title()).includes("Key of tales"));
    await (await window.quickInput()).type("wrong-key-123456");
    await (await window.quickInput()).accept();
    const dialog = await window.dialog();
    expect(dialog.message).toBe("tales cannot be used yet.");
    expect(dialog.detail).toMatch(/^tales \(127\.0\.0\.1:\d+\) did not accept the key\. It says: Incorrect API key provided: \[key\]\./);
    await window.screenshot("model-server-wrong-key");
    await dialog.click("Change Key…");
    await poll("the key again", async () => (await (await window.quickInput()).title()).includes("Key of tales"));
    await (await window.quickInput()).type(KEY);
    await (await window.quickInput()).accept();
    await poll("its models", async () => (await (await window.quickInput()).title()).includes("tales has 2 models"));
    await window.screenshot("model-server-models");
    await (await window.quickInput()).accept();
    await done;
    const setting = await window.rig.run((vscode) => vscode.workspace.getConfiguration().inspect("toolhost.models.servers")?.globalValue);
    expect(setting).toEqual({ tales: { baseUrl: openAi.baseUrl } });
    expect(JSON.stringify(setting)).not.toContain(KEY);
  });

  it("has its models in VS Code's model picker, and answers @toolhost with a tool call", async () => {
    await pickModel(window, MODEL);
    openAi.script(
      { text: "Let me look.", calls: [{ id: "c1", name: "toolhost_grep", arguments: ['{"pattern"', ':"Barbara"}'] }], when: "toolhost_grep" },
      { text: ["It is in ", "`src/main.ts`."], when: "toolhost_grep", chunkBytes: 11, usage: { prompt_tokens: 900, completion_tokens: 12 } },
    );
    await window.chat.ask("@toolhost where is Barbara?", { model: MODEL });
    const answer = await window.chat.waitForAnswer();
    expect(answer).toContain("It is in src/main.ts.");
    await window.screenshot("model-server-toolhost");
    const [, second] = openAi.chats().filter(({ body }) => body?.tools?.some(({ function: { name } }) => name === "toolhost_grep"));
    expect(second?.body?.model).toBe(MODEL);
    expect(second?.headers.authorization).toBe(`Bearer ${KEY}`);
    const result = second?.body?.messages.find(({ role }) => role === "tool");
    expect(result).toMatchObject({ tool_call_id: "c1", content: expect.stringContaining("src/main.ts") as string });
  });

  it("answers Copilot's agent with a tool call", async () => {
    await window.chat.newConversation();
    await pickModel(window, MODEL);
    openAi.script(
      { text: "I will read it.", calls: [{ id: "c1", name: "toolhost_read", arguments: ['{"path":"src/greet.ts"}'] }], when: "toolhost_read" },
      { text: "It greets by name.", when: "toolhost_read" },
    );
    await window.chat.ask("What does the greeting do?", { model: MODEL });
    expect(await window.chat.waitForAnswer()).toContain("It greets by name.");
    await window.screenshot("model-server-copilot");
    const requests = openAi.chats().filter(({ body }) => body?.tools?.some(({ function: { name } }) => name === "toolhost_read"));
    expect(requests[0]?.body?.messages[0]?.role).toBe("system");
    expect(requests[1]?.body?.messages.find(({ role }) => role === "tool")).toMatchObject({ tool_call_id: "c1", content: expect.stringContaining("Hello, ${name}") as string });
    for (const { function: tool } of requests[0]?.body?.tools ?? []) {
      expect(tool.parameters).toMatchObject({ type: "object", properties: expect.anything() as object });
    }
  });

  it("is asked again when it has too many requests, in both chats", async () => {
    const busy = { status: 429, headers: { "retry-after-ms": "50" }, body: { error: { message: "Busy" } }, when: "toolhost_read" };
    for (const who of ["", "@toolhost "]) {
      await window.chat.newConversation();
      openAi.script(busy, busy, { text: `Here at last, ${who}.`, when: "toolhost_read" });
      await window.chat.ask(`${who}hello`, { model: MODEL });
      expect(await window.chat.waitForAnswer()).toContain("Here at last");
    }
  });

  it("says in the chat that the key is wrong, and that it is down, with the next step", async () => {
    for (const who of ["@toolhost ", ""]) {
      await window.chat.newConversation();
      openAi.script();
      openAi.configure({ key: "another-key-1" });
      await window.chat.ask(`${who}hello`, { model: MODEL });
      expect(await window.chat.waitForAnswer()).toContain("did not accept the key");
      await window.screenshot(`model-server-401-${who === "" ? "copilot" : "toolhost"}`);
      openAi.configure({ key: KEY });
      await openAi.stop();
      await window.chat.ask(`${who}hello again`, { model: MODEL });
      const answer = await window.chat.waitForAnswer();
      await window.screenshot(`model-server-down-${who === "" ? "copilot" : "toolhost"}`);
      await openAi.restart();
      expect(answer).toMatch(/Nothing answers at tales.*the server is not running.*toolhost.models.servers/);
    }
  });

  it("is removed with its key and its models", async () => {
    const done = window.command("toolhost.models.removeServer");
    await (await window.quickInput()).pick("tales");
    await done;
    await poll("no model of it", () => window.rig.run(async (vscode) => (await vscode.lm.selectChatModels({ vendor: "toolhost-servers" })).length === 0));
    expect(await window.rig.run((vscode) => vscode.workspace.getConfiguration().inspect("toolhost.models.servers")?.globalValue ?? null)).toBeNull();
  });
});
