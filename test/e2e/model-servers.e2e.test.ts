// A user's own OpenAI-compatible server: added by the command, picked in VS Code's model picker, used by @toolhost and
// by Copilot's agent.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OpenAiServer } from "../harness/openai-server";
import { poll } from "../harness/poll";
import { sampleFixture, startServer, type Server } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

const KEY = "right-key-123456";
const WRONG_KEY = "wrong-key-123456";
const MODEL = "story-teller";
const MODELS = [MODEL, "second-model", "text-embedding-1"];

/** A line of a stack, or where our code lies. */
const STACK = /\n\s*at |\.js:\d+|file:\/\//;

/** Is in a request of `@toolhost`, whose tools have their own names. */
const OWN_TOOL = '"name":"read"';

/** Goes into no links: our own folder is linked there, with this test in it. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}

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
    const found = await entry
      .first()
      .waitFor({ timeout: 2_000 })
      .then(
        () => true,
        () => false,
      );
    if (!found) await page.keyboard.press("Escape");
    return found;
  });
  await entry.first().click();
  await page.locator(".interactive-input-part").getByText(name).last().waitFor();
}

describe("a server of the user's own", () => {
  let window: Workbench;
  let openAi: OpenAiServer;
  let server: Server;

  beforeAll(async () => {
    openAi = await OpenAiServer.start({ key: KEY, models: MODELS });
    server = await startServer();
    window = await openWorkbench(server, { folder: server.temporaryFolder("sample", sampleFixture), copilot: true });
  });

  afterAll(() => openAi.stop());

  /** Answers the open input box. */
  async function enter(titled: string, text: string): Promise<void> {
    await poll(`the question for ${titled}`, async () => (await (await window.quickInput()).title()).includes(titled));
    await (await window.quickInput()).type(text);
    await window.screenshot(`model-server-add-${titled.toLowerCase().replaceAll(/\W+/g, "-")}`);
    await (await window.quickInput()).accept();
  }

  const focusedButton = (): Promise<string> =>
    window.page.locator(".monaco-dialog-box .monaco-button:focus").innerText();
  const inputIsGone = async (): Promise<boolean> =>
    (await window.page.locator(".quick-input-widget:visible").count()) === 0;

  it("is added by the command, which tries it first and says what is wrong", async () => {
    const done = window.command("toolhost.models.addServer");
    await poll("the kinds of servers", async () => (await (await window.quickInput()).items()).length === 7);
    await window.screenshot("model-server-add-kind");
    await (await window.quickInput()).pick("Another server");
    await poll("the address", async () => (await (await window.quickInput()).title()).includes("Address"));
    const address = await window.quickInput();
    await address.type("localhost");
    await poll("why it is refused", async () => (await address.message()).includes("must be an address such as"));
    // An address at which nothing answers.
    await enter("Address", openAi.baseUrl.replace("127.0.0.1", "127.0.0.9"));
    const down = await window.dialog();
    expect(await inputIsGone()).toBe(true);
    expect(down.message).toBe("local is not added yet.");
    expect(down.detail).toMatch(
      /^Nothing answers at local \(127\.0\.0\.9:\d+\): the server is not running, or listens elsewhere\. Start it\. Check the address\.$/,
    );
    expect([...down.buttons].sort()).toEqual(["Add It Anyway", "Cancel", "Change Address…", "Enter Key…", "Try Again"]);
    expect(await focusedButton()).toBe("Try Again");
    await window.screenshot("model-server-add-down");
    await down.click("Change Address…");
    await enter("Address", `${openAi.baseUrl}/`);
    const keyless = await window.dialog();
    expect(keyless.detail).toMatch(/^local \(127\.0\.0\.1:\d+\) requires a key\. .*Enter one\.$/);
    expect([...keyless.buttons].sort()).toEqual(["Add It Anyway", "Cancel", "Change Address…", "Enter Key…"]);
    expect(await focusedButton()).toBe("Enter Key…");
    await window.screenshot("model-server-add-no-key");
    await keyless.click("Enter Key…");
    await enter("Key of local", WRONG_KEY);
    const dialog = await window.dialog();
    expect(await inputIsGone()).toBe(true);
    expect(dialog.detail).toMatch(
      /^local \(127\.0\.0\.1:\d+\) did not accept the key\. It says: Incorrect API key provided: \[key\]\. Check it, or enter another\.$/,
    );
    expect([...dialog.buttons].sort()).toEqual(["Add It Anyway", "Cancel", "Change Address…", "Change Key…"]);
    expect(await focusedButton()).toBe("Change Key…");
    await window.screenshot("model-server-add-wrong-key");
    await window.page.keyboard.press("Enter");
    await enter("Key of local", KEY);
    await done;
    const added = await window.notification("local is added.");
    expect(added.message).toBe(
      `local is added. The chat now uses ${MODEL}; another model can be picked below its input.`,
    );
    expect(added.buttons).toEqual(["Choose Models…"]);
    await window.chat.open();
    await window.page.locator(".interactive-input-part").getByText(MODEL).last().waitFor();
    await window.screenshot("model-server-added");
    const setting = await window.rig.run(
      (vscode) => vscode.workspace.getConfiguration().inspect("toolhost.models.servers")?.globalValue,
    );
    expect(setting).toEqual({ local: { baseUrl: openAi.baseUrl } });
    // VS Code asks for them when it hears of the setting: not in the middle of what comes next.
    await poll("its models in VS Code", () =>
      window.rig.run(
        (vscode, vendor) => vscode.lm.selectChatModels({ vendor }).then((models) => models.length === 2),
        "toolhost-servers",
      ),
    );
  });

  it("is left when the user does not wait for it", async () => {
    openAi.configure({ models: { hang: true, body: "" } });
    const done = window.command("toolhost.models.addServer");
    await (await window.quickInput()).pick("Another server");
    await enter("Address", openAi.baseUrl);
    await (await window.dialog()).click("Enter Key…");
    openAi.script();
    await enter("Key of local-2", KEY);
    await poll(
      "that it is asked",
      async () => (await (await window.quickInput()).title()) === "Asking local-2 for its models…",
    );
    await window.screenshot("model-server-add-asking");
    await (await window.quickInput()).cancel();
    await done;
    await poll("the request's end", () =>
      openAi.requests().some(({ path, aborted }) => path.endsWith("/models") && aborted),
    );
    expect(
      await window.rig.run((vscode) =>
        Object.keys(vscode.workspace.getConfiguration().get("toolhost.models.servers") as object),
      ),
    ).toEqual(["local"]);
    openAi.configure({ models: MODELS });
  });

  it("has its models in VS Code's model picker, and answers @toolhost with a tool call", async () => {
    await pickModel(window, MODEL);
    openAi.script(
      {
        text: "Let me look.",
        calls: [{ id: "c1", name: "grep", arguments: ['{"pattern"', ':"Barbara"}'] }],
        when: OWN_TOOL,
      },
      {
        text: ["It is in ", "`src/main.ts`."],
        finish: "length",
        when: OWN_TOOL,
        chunkBytes: 11,
        usage: { prompt_tokens: 900, completion_tokens: 12 },
      },
    );
    await window.chat.ask("@toolhost where is Barbara?", { model: MODEL });
    const answer = await window.chat.waitForAnswer();
    expect(answer).toContain("It is in src/main.ts.");
    await window.screenshot("model-server-toolhost");
    // The reason, which VS Code could not have told.
    expect(answer).toContain("The answer reached the provider's length limit and ends here.");
    const [first, second, ...more] = openAi
      .chats()
      .filter(({ body }) => body?.tools?.some(({ function: { name } }) => name === "grep"));
    expect(first?.body?.messages[0]?.role).toBe("system");
    expect(more).toEqual([]);
    expect(second?.body?.model).toBe(MODEL);
    expect(second?.headers.authorization).toBe(`Bearer ${KEY}`);
    const result = second?.body?.messages.find(({ role }) => role === "tool");
    expect(result).toMatchObject({ tool_call_id: "c1", content: expect.stringContaining("src/main.ts") as string });
  });

  it("answers Copilot's agent with a tool call", async () => {
    await window.chat.newConversation();
    await pickModel(window, MODEL);
    openAi.script(
      {
        text: "I will read it.",
        calls: [{ id: "c1", name: "toolhost_read", arguments: ['{"path":"src/greet.ts"}'] }],
        when: "toolhost_read",
      },
      { text: "It greets by name.", when: "toolhost_read" },
    );
    await window.chat.ask("What does the greeting do?", { model: MODEL });
    expect(await window.chat.waitForAnswer()).toContain("It greets by name.");
    await window.screenshot("model-server-copilot");
    const requests = openAi
      .chats()
      .filter(({ body }) => body?.tools?.some(({ function: { name } }) => name === "toolhost_read"));
    expect(requests[0]?.body?.messages[0]?.role).toBe("system");
    expect(requests[1]?.body?.messages.find(({ role }) => role === "tool")).toMatchObject({
      tool_call_id: "c1",
      content: expect.stringContaining("Hello, ${name}") as string,
    });
    for (const { function: tool } of requests[0]?.body?.tools ?? []) {
      expect(tool.parameters).toMatchObject({ type: "object", properties: expect.anything() as object });
    }
  });

  it("is asked again when it has too many requests, in both chats", async () => {
    const busy = { status: 429, headers: { "retry-after-ms": "50" }, body: { error: { message: "Busy" } } };
    for (const { who, when } of [
      { who: "", when: "toolhost_read" },
      { who: "@toolhost ", when: OWN_TOOL },
    ]) {
      await window.chat.newConversation();
      openAi.script({ ...busy, when }, { ...busy, when }, { text: "Here at last.", when });
      await window.chat.ask(`${who}hello`, { model: MODEL });
      expect(await window.chat.waitForAnswer()).toContain("Here at last");
      expect(openAi.chats().filter(({ body }) => JSON.stringify(body).includes(when))).toHaveLength(3);
    }
  });

  it("says in the chat that the key is wrong, and that it is down, with the next step", async () => {
    for (const who of ["@toolhost ", ""]) {
      await window.chat.newConversation();
      openAi.script();
      openAi.configure({ key: "another-key-1" });
      await window.chat.ask(`${who}hello`, { model: MODEL });
      const refused = await window.chat.waitForAnswer();
      expect(refused).toMatch(
        /local \(127\.0\.0\.1:\d+\) did not accept the key\. It says: Incorrect API key provided: \[key\]\. Set it with the command/,
      );
      expect(refused).not.toMatch(STACK);
      await window.screenshot(`model-server-401-${who === "" ? "copilot" : "toolhost"}`);
      if (who !== "") {
        await window.chat.press(window.chat.lastAnswer.getByRole("button", { name: "Set Key…" }));
        const key = await window.quickInput();
        expect(await key.items()).toContainEqual(expect.stringContaining("local"));
        await key.cancel();
      }
      openAi.configure({ key: KEY });
      await openAi.stop();
      await window.chat.ask(`${who}hello again`, { model: MODEL });
      const answer = await window.chat.waitForAnswer();
      await window.screenshot(`model-server-down-${who === "" ? "copilot" : "toolhost"}`);
      await openAi.restart();
      expect(answer).toMatch(/Nothing answers at local.*the server is not running.*toolhost.models.servers/);
      expect(answer).not.toMatch(STACK);
    }
  });

  it("gets another key by the command, and none when it is removed", async () => {
    for (const { prompt, key, said, sent } of [
      {
        prompt: "Leave it empty to remove the current key.",
        key: "another-key-2",
        said: "The key of local is set.",
        sent: "Bearer another-key-2",
      },
      {
        prompt: "Leave it empty to remove the current key.",
        key: "",
        said: "The key of local was removed.",
        sent: undefined,
      },
      {
        prompt: "Kept in VS Code's secret storage and sent only to this server.",
        key: KEY,
        said: "The key of local is set.",
        sent: `Bearer ${KEY}`,
      },
    ]) {
      const done = window.command("toolhost.models.setKey");
      await (await window.quickInput()).pick("local");
      await poll("the question", async () => (await (await window.quickInput()).message()).includes(prompt));
      if (key === KEY) {
        await (await window.quickInput()).type("two words");
        await poll("why it is refused", async () =>
          (await (await window.quickInput()).message()).includes(
            "A key is one word of letters, digits and punctuation.",
          ),
        );
      }
      openAi.script();
      await enter("Key of local", key);
      await done;
      expect((await window.notification(said)).message).toBe(said);
      await poll("that the server is asked with it", () => openAi.requests().some(({ path }) => path === "/v1/models"));
      expect(openAi.requests().map(({ headers }) => headers.authorization)).toEqual(openAi.requests().map(() => sent));
    }
  });

  it("has left its key nowhere: not in settings, logs, the state, or what was said", async () => {
    const places = [server.dataDir, server.home];
    const found = places.flatMap((place) =>
      filesBelow(place).filter((file) => [KEY, WRONG_KEY].some((key) => readFileSync(file).includes(key))),
    );
    expect(found).toEqual([]);
    // The search finds what is there.
    expect(
      places.flatMap((place) =>
        filesBelow(place).filter((file) => readFileSync(file).includes("did not accept the key")),
      ).length,
    ).toBeGreaterThan(0);
    expect(server.logs()).not.toContain(KEY);
  });

  it("is removed with its key and its models", async () => {
    const done = window.command("toolhost.models.removeServer");
    await (await window.quickInput()).pick("local");
    await done;
    await poll("no model of it", () =>
      window.rig.run(async (vscode) => (await vscode.lm.selectChatModels({ vendor: "toolhost-servers" })).length === 0),
    );
    expect(
      await window.rig.run(
        (vscode) => vscode.workspace.getConfiguration().inspect("toolhost.models.servers")?.globalValue ?? null,
      ),
    ).toBeNull();
  });
});
