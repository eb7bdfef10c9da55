// From no model at all to an answer of the user's own server, and what is left when that server goes away.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OpenAiServer } from "../harness/openai-server";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

const STAND_IN = "No model (tools only)";
const MODEL = "story-teller";
const GREP = '@toolhost /run grep {"pattern": "Barbara"}';

describe("the first model server", () => {
  let window: Workbench;
  /** Of the same user, with a chat of its own. */
  let second: Workbench;
  let openAi: OpenAiServer;

  beforeAll(async () => {
    openAi = await OpenAiServer.start({ models: [MODEL, "second-model"] });
    const server = await startServer({ model: false });
    const folder = server.temporaryFolder("sample", sampleFixture);
    window = await openWorkbench(server, { folder });
    second = await openWorkbench(server, { folder: server.temporaryFolder("other", sampleFixture), beside: window });
  });

  afterAll(() => openAi.stop());

  const press = async ({ chat }: Workbench, title: string): Promise<void> =>
    chat.press(chat.lastAnswer.locator(".chat-command-button", { hasText: title }).locator(".monaco-button").first());
  const models = ({ rig }: Workbench): Promise<string[]> =>
    rig.run(async (vscode) => (await vscode.lm.selectChatModels()).map(({ vendor, id }) => `${vendor} ${id}`));
  const searches = async ({ chat }: Workbench): Promise<void> => {
    await chat.ask(GREP, { model: null });
    await poll("what was found", async () => (await chat.waitForAnswer()).includes("src/main.ts"));
  };

  it("takes two questions from the answer that there is no model, and the chat uses its model at once", async () => {
    await second.chat.ask("@toolhost /tools", { model: STAND_IN });
    expect(await second.chat.waitForAnswer()).toContain("Files: ");

    await window.chat.ask("@toolhost what does this do?", { model: STAND_IN });
    expect(await window.chat.waitForAnswer()).toContain("Toolhost: Add Model Server…");
    await window.screenshot("first-server-no-model");
    await press(window, "Add Model Server…");
    await (await window.quickInput()).pick("Another server");
    await poll("the address", async () => (await (await window.quickInput()).title()).includes("Address"));
    await (await window.quickInput()).type(openAi.baseUrl);
    await (await window.quickInput()).accept();
    const told = await window.notification("local is added.");
    expect(told.message).toBe(
      `local is added. The chat now uses ${MODEL}; another model can be picked below its input.`,
    );
    expect(told.buttons).toEqual(["Choose Models…"]);
    expect(await window.page.locator(".quick-input-widget:visible").count()).toBe(0);
    await window.screenshot("first-server-added");

    openAi.script({ text: "It greets people." });
    // The message can be shown before the cursor is back.
    await poll("the cursor in the chat's input", () =>
      window.chat.input.evaluate((editor) => editor.contains(document.activeElement)),
    );
    await window.page.keyboard.insertText("what does this do?");
    await window.page.keyboard.press("Enter");
    await poll("the answer", async () => (await window.chat.lastAnswerText()).includes("It greets people."));
    await window.screenshot("first-server-answer");
  });

  it("leaves tools working in chats that still have no model, and offers its model there", async () => {
    // Windows of this server hear nothing of each other's settings.
    await second.changeSetting("toolhost.models.servers", { local: { baseUrl: openAi.baseUrl } });
    await poll("its models in the other window", async () =>
      (await models(second)).some((model) => model.endsWith(MODEL)),
    );
    await searches(second);
    await second.chat.ask("@toolhost and in words?", { model: null });
    expect(await second.chat.waitForAnswer()).toContain("No language model is chosen in this chat");
    await second.screenshot("first-server-other-chat");
    openAi.script({ text: "In words, then." });
    await press(second, `Use ${MODEL}`);
    await poll("the words in the input", async () =>
      (await second.chat.input.innerText()).replaceAll("\u00a0", " ").includes("and in words?"),
    );
    await second.page.keyboard.press("Enter");
    await poll("the answer", async () => (await second.chat.lastAnswerText()).includes("In words, then."));
  });

  it("keeps tools working when the chosen model is no longer on the server's list", async () => {
    openAi.configure({ models: ["second-model", "third-model"] });
    // Any change of the setting makes it ask anew.
    await window.changeSetting("toolhost.models.servers", {
      local: { baseUrl: openAi.baseUrl, headers: { "x-test": "1" } },
    });
    await poll("the new list", async () => (await models(window)).some((model) => model.endsWith("third-model")));
    await searches(window);
  });

  it("keeps tools working when the server is down as the window starts", async () => {
    await openAi.stop();
    await window.reload();
    await searches(window);
    await window.chat.ask("@toolhost hello?", { model: null });
    const answer = await window.chat.waitForAnswer();
    await window.screenshot("first-server-down");
    expect(answer).not.toContain("Language model unavailable");
    await openAi.restart();
  });

  it("keeps tools working when the server is removed again", async () => {
    const done = window.command("toolhost.models.removeServer");
    await (await window.quickInput()).pick("local");
    await done;
    await poll("no model of it", async () => (await models(window)).every((model) => model.startsWith("toolhost ")));
    await searches(window);
    await window.screenshot("first-server-removed");
    await window.chat.newConversation();
    await searches(window);
    // In the other window, where a chat has its model.
    await second.changeSetting("toolhost.models.servers", undefined);
    await searches(second);
    await second.chat.ask("@toolhost and now?", { model: null });
    expect(await second.chat.waitForAnswer()).toMatch(/no longer|not there any more/);
    await second.screenshot("first-server-removed-elsewhere");
  });
});
