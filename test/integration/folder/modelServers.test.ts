// Models of the user's own servers inside VS Code: found by name, asked directly by our agents, and through VS Code by
// everybody else.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { OpenAiServers } from "../../../src/hosts/openai/servers";
import { VscodeModels } from "../../../src/hosts/vscode/models/allModels";
import type { AgentEvent, AgentResult, ToolhostApi } from "../../../src/doors/api/types";
import { activateProduct, poll, SCRIPTED_MODEL } from "../../harness/host";
import { OpenAiServer } from "../../harness/openai-server";

const VENDOR = "toolhost-servers";
/** A red dot: VS Code looks at images before it sends them on. */
const IMAGE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
  "base64",
);
const none = new AbortController().signal;

async function setUser(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
}

/** The product's model of that id, as VS Code offers it. */
async function offered(id: string): Promise<vscode.LanguageModelChat> {
  return poll(`the model ${id}`, async () => (await vscode.lm.selectChatModels({ vendor: VENDOR, id }))[0]);
}

async function runAgent(options: {
  model?: vscode.LanguageModelChat | string;
  words?: string;
}): Promise<{ result: AgentResult; events: AgentEvent[] }> {
  const api = await activateProduct<ToolhostApi>();
  const events: AgentEvent[] = [];
  const { model, words = "Hello" } = options;
  const result = await api.runAgent({
    ...(model === undefined ? {} : { model }),
    messages: words,
    onEvent: (event) => events.push(event),
  }).result;
  return { result, events };
}

async function answerOf(
  model: vscode.LanguageModelChat,
  content: string | (vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[],
): Promise<string> {
  const response = await model.sendRequest(
    [vscode.LanguageModelChatMessage.User(content)],
    {},
    new vscode.CancellationTokenSource().token,
  );
  let text = "";
  for await (const part of response.text) text += part;
  return text;
}

describe("models of the user's servers", () => {
  let server: OpenAiServer;

  before(async () => {
    server = await OpenAiServer.start({ models: ["small", "large"] });
    const large = { id: "large", maxInputTokens: 50_000, images: true, prices: { input: 2, output: 10 } };
    await setUser("toolhost.models.servers", { tales: { baseUrl: server.baseUrl, models: ["small", large] } });
  });

  after(async () => {
    await setUser("toolhost.agent.model", undefined);
    await setUser("toolhost.models.servers", undefined);
    await server.stop();
  });

  const usage = { prompt_tokens: 1_000, completion_tokens: 100 };

  it("run our agents directly when they were picked in VS Code: token counts, prices and reasons are the server's, each request goes once", async () => {
    server.script({ text: "It goes on", finish: "length", usage });
    const { result, events } = await runAgent({ model: await offered("tales/large") });
    assert.deepEqual(
      [result.reason, result.text, result.tokens],
      ["answered", "It goes on", { input: 1_000, output: 100, estimated: false }],
    );
    assert.deepEqual(
      events.flatMap((event) => (event.type === "usage" ? [event.cost] : [])),
      [0.003],
    );
    assert.deepEqual(
      events.flatMap((event) => (event.type === "notice" ? [event.kind] : [])),
      ["cut"],
    );
    assert.equal(server.chats().length, 1);
    assert.equal(server.chats()[0]?.body?.messages[0]?.role, "system");
  });

  it("tell our agents that a conversation is too long, and that a request may be made again", async () => {
    const tooLong = { status: 400, body: { error: { message: "too long", code: "context_length_exceeded" } } };
    server.script(tooLong, tooLong, tooLong);
    const { result } = await runAgent({ model: await offered("tales/large") });
    assert.equal(result.reason, "failed");
    assert.match(
      result.message ?? "",
      /^The conversation is longer than large at tales \(127\.0\.0\.1:\d+\) accepts\. .*Start a new conversation/,
    );

    server.script(
      { status: 503, headers: { "retry-after-ms": "10" }, body: { error: "loading" } },
      { text: "Now.", usage },
    );
    const again = await runAgent({ model: await offered("tales/large") });
    assert.equal(again.result.text, "Now.");
    assert.deepEqual(
      again.events.flatMap((event) => (event.type === "notice" ? [event.kind] : [])),
      ["retry"],
    );
    assert.equal(server.chats().length, 2);
  });

  it("are what agents run on that nobody chose a model for, once toolhost.agent.model says so", async () => {
    for (const name of ["tales/large", `${VENDOR}/tales/large`, "large", "tales/unlisted"]) {
      await setUser("toolhost.agent.model", name);
      server.script({ text: "Chosen." });
      const { result } = await runAgent({});
      assert.equal(result.text, "Chosen.", name);
      assert.equal(server.chats()[0]?.body?.model, name.split("/").at(-1));
    }
    await setUser("toolhost.agent.model", "nobody/knows");
    const { result } = await runAgent({});
    assert.match(
      result.message ?? "",
      /There is no model "nobody\/knows"\. There are: .*toolhost-servers\/tales\/large/,
    );
  });

  it("answer every other extension, which sees what VS Code can tell", async () => {
    const model = await offered("tales/large");
    assert.deepEqual([model.name, model.family, model.maxInputTokens], ["large", "large", 50_000]);
    server.script({ text: "I see it.", when: "image_url" });
    assert.equal(
      await answerOf(model, [
        new vscode.LanguageModelTextPart("What is it?"),
        vscode.LanguageModelDataPart.image(IMAGE, "image/png"),
      ]),
      "I see it.",
    );
    const [request] = server.chats();
    assert.deepEqual(request?.body?.messages, [
      {
        role: "user",
        content: [
          { type: "text", text: "What is it?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${IMAGE.toString("base64")}` } },
        ],
      },
    ]);

    // Nobody says whether this one sees, so the server is asked.
    server.script({ status: 400, body: { error: { message: "image input is not supported" } } }, { text: "I do not." });
    await answerOf(await offered("tales/small"), [
      new vscode.LanguageModelTextPart("And now?"),
      vscode.LanguageModelDataPart.image(IMAGE, "image/png"),
    ]);
    assert.match(JSON.stringify(server.chats().at(-1)?.body?.messages), /image\/png, 69 bytes: omitted/);
  });

  it("fail for every other extension in our words, without a stack", async () => {
    server.script({ status: 401, body: { error: { message: "Incorrect API key provided" } } });
    const failure = await answerOf(await offered("tales/small"), "Hello").then(
      () => assert.fail("It answered."),
      (error: unknown) => error as Error,
    );
    assert.match(failure.message, /requires a key\. It says: Incorrect API key provided\. .*Set Key of Model Server/);
    assert.equal(failure.stack, "");
  });
});

describe("all models", () => {
  const servers = new OpenAiServers({
    vendor: "own",
    setting: () => ({
      near: { baseUrl: "http://127.0.0.1:9/v1", models: [{ id: "m/x", maxInputTokens: 9, images: false }] },
    }),
    keyOf: async () => undefined,
    userAgent: "test",
    now: Date.now,
  });
  const models = (chosen?: string): VscodeModels =>
    new VscodeModels({ servers, serversVendor: "own", leaveOut: [], chosen: () => chosen });
  const scripted = `${SCRIPTED_MODEL.vendor}/${SCRIPTED_MODEL.id}`;

  for (const { name, id } of [
    { name: scripted, id: scripted },
    { name: SCRIPTED_MODEL.id, id: scripted },
    { name: "own/near/m/x", id: "own/near/m/x" },
    { name: "near/m/x", id: "own/near/m/x" },
    { name: "x", id: "own/near/m/x" },
    { name: "near/not-listed", id: "own/near/not-listed" },
  ]) {
    it(`find ${name}, also as the user's choice`, async () => {
      assert.equal((await models().find(name, none)).id, id);
      assert.equal((await models(name).find(undefined, none)).id, id);
    });
  }

  it("list VS Code's before the servers', and take the first when nobody chose", async () => {
    const { models: listed } = await models().list(none);
    assert.equal(listed.at(-1)?.id, "own/near/m/x");
    assert.ok(listed.some(({ id }) => id === scripted));
    assert.equal((await models().find(undefined, none)).id, listed[0]?.id);
  });

  it("make a model of VS Code's the server's own where it is one, and only there", async () => {
    const [other] = await vscode.lm.selectChatModels({ vendor: SCRIPTED_MODEL.vendor });
    assert.ok(other);
    assert.equal(models().ownModel(other), undefined);
    assert.equal(models().asModel(other).id, scripted);
    const named = (id: string): vscode.LanguageModelChat =>
      Object.create(other, { vendor: { value: "own" }, id: { value: id } }) as vscode.LanguageModelChat;
    assert.equal(models().ownModel(named("near/m/x"))?.maxInputTokens, 9);
    assert.equal(models().ownModel(named("gone/m")), undefined);
  });
});
