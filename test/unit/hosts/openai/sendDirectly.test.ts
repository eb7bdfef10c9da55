// The command line's own way to send requests: the same answers and failures as with fetch.
import { expect, test } from "vitest";
import { EnvironmentModels } from "../../../../src/hosts/openai/environment.js";
import type { ChatModel, ModelEvent, ModelMessage } from "../../../../src/ports/models.js";
import type { OpenAiServer, ServerStep } from "../../../harness/openai-server.js";
import { HELLO, LIMITS, modelError, startOpenAi, textOf, TOOLS } from "./rig.js";

const open = ({ baseUrl }: OpenAiServer, limits = LIMITS): Promise<ChatModel> =>
  new EnvironmentModels({ baseUrl, apiKey: "sk-123456789", model: "test-model" }, {}, "Toolhost/test", limits).find(
    undefined,
    new AbortController().signal,
  );

async function ask(
  model: ChatModel,
  messages: readonly ModelMessage[] = HELLO.messages,
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.send({ messages, tools: TOOLS }, signal)) events.push(event);
  return events;
}

test.each([1, 3, 10_000])("an answer in pieces of %i bytes, with our headers and the key alone", async (chunkBytes) => {
  const server = await startOpenAi();
  server.script({ text: [..."Grüße, 世界!"], chunkBytes });
  expect(textOf(await ask(await open(server)))).toBe("Grüße, 世界!");
  const { headers } = server.chats()[0] ?? { headers: {} };
  expect(headers).toMatchObject({ authorization: "Bearer sk-123456789", "user-agent": "Toolhost/test" });
  expect(Object.keys(headers).sort()).toEqual([
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "host",
    "user-agent",
  ]);
});

test.each<{ what: string; step: ServerStep; message: RegExp; retry: boolean }>([
  {
    what: "the connection breaks",
    step: { text: "Half an", drop: true },
    message: /broke|ECONNRESET|closed/,
    retry: true,
  },
  { what: "the server refuses", step: { status: 500, body: "out of order" }, message: /out of order/, retry: true },
  {
    what: "the key is refused",
    step: { status: 401, body: { error: "no sk-123456789" } },
    message: /key/,
    retry: false,
  },
  {
    what: "it redirects elsewhere",
    step: { status: 307, headers: { location: "http://127.0.0.1:1/v1" }, body: "" },
    message: /redirects to http:\/\/127\.0\.0\.1:1, where nothing is sent/,
    retry: false,
  },
])("$what", async ({ step, message, retry }) => {
  const server = await startOpenAi();
  server.script(step);
  const error = await modelError(ask(await open(server)));
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain("sk-123456789");
  expect(error.retry).toBe(retry);
});

test("a server that falls silent, in the answer or in an error, is left", async () => {
  const server = await startOpenAi();
  server.script({ text: "And", hang: true });
  const silent = await modelError(ask(await open(server, { ...LIMITS, idle: 100 })));
  expect(silent.message).toContain("stopped in the middle of its answer");
  await expect.poll(() => server.chats()[0]?.aborted).toBe(true);
});

test("stopping closes the connection", async () => {
  const server = await startOpenAi();
  server.script({ text: "And", hang: true });
  const stop = new AbortController();
  const model = await open(server);
  const asked = (async () => {
    for await (const { type } of model.send({ ...HELLO, tools: TOOLS }, stop.signal)) {
      if (type === "text") stop.abort(new Error("enough"));
    }
  })();
  await expect(asked).rejects.toThrow("enough");
  await expect.poll(() => server.chats()[0]?.aborted).toBe(true);
});

test("what was sent before is sent again, to each model in its own form", async () => {
  const [seeing, blind] = [await startOpenAi(), await startOpenAi()];
  const image = { mimeType: "image/png", bytes: new Uint8Array([1, 2, 3]) };
  const before: ModelMessage[] = [
    { role: "user", content: [{ type: "text", text: "Look" }] },
    {
      role: "assistant",
      content: [
        { type: "call", id: "1", name: "read", input: { path: "ä" } },
        { type: "call", id: "2", name: "read", input: { path: "a.png" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "result", id: "1", text: "“text”" },
        { type: "result", id: "2", text: "", media: [image] },
      ],
    },
  ];
  const after: ModelMessage[] = [
    ...before,
    { role: "assistant", content: [{ type: "text", text: "Seen." }] },
    { role: "user", content: [{ type: "text", text: "And now?" }] },
  ];
  blind.script({ status: 400, body: { error: "image_url is not supported" } }, { text: "1" }, { text: "2" });
  seeing.script({ text: "1" }, { text: "2" });
  for (const server of [seeing, blind]) {
    const model = await open(server);
    await ask(model, before);
    await ask(model, after);
  }
  const told = (server: OpenAiServer): unknown[] => server.chats().map(({ body }) => body?.messages);
  const call = (id: string, path: string): object => ({
    ...{ id, type: "function" },
    function: { name: "read", arguments: JSON.stringify({ path }) },
  });
  const begin = [
    { role: "user", content: "Look" },
    { role: "assistant", content: null, tool_calls: [call("1", "ä"), call("2", "a.png")] },
    { role: "tool", tool_call_id: "1", content: "“text”" },
  ];
  const end = [
    { role: "assistant", content: "Seen." },
    { role: "user", content: "And now?" },
  ];
  const shown = [
    { role: "tool", tool_call_id: "2", content: "(nothing)" },
    {
      role: "user",
      content: [
        { type: "text", text: "From the call read (2):" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
      ],
    },
  ];
  const left = [
    { role: "tool", tool_call_id: "2", content: "[image/png, 3 bytes: omitted, this model cannot see it.]" },
  ];
  expect(told(seeing)).toEqual([
    [...begin, ...shown],
    [...begin, ...shown, ...end],
  ]);
  expect(told(blind)).toEqual([
    [...begin, ...shown],
    [...begin, ...left],
    [...begin, ...left, ...end],
  ]);
});
