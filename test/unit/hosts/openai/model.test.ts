// What is sent to a server, and what is made of its answers, over real HTTP.
import { describe, expect, test, vi } from "vitest";
import { ModelError } from "../../../../src/features/models/modelError.js";
import type { ModelEvent, ModelMessage } from "../../../../src/ports/models.js";
import type { ScriptedToolCall, ServerStep } from "../../../harness/openai-server.js";
import { collect, HELLO, modelOf, startOpenAi, textOf, TOOLS } from "./rig.js";

const STORY = "Grüße, 世界! 👩‍👩‍👧 Fin.";

describe("an answer", () => {
  test.each([1, 2, 3, 7, 50, 10_000])(
    "comes whole in pieces of %i bytes, whatever they tear apart",
    async (chunkBytes) => {
      const server = await startOpenAi();
      server.script({
        text: [...STORY],
        chunkBytes,
        usage: { prompt_tokens: 12, completion_tokens: 34 },
        calls: [{ id: "c1", name: "read", arguments: ['{"pa', 'th":"ä', '.ts"}'] }],
      });
      const events = await collect(modelOf(server));
      expect(textOf(events)).toBe(STORY);
      expect(events.filter(({ type }) => type !== "text")).toEqual([
        { type: "call", id: "c1", name: "read", input: { path: "ä.ts" } },
        { type: "usage", input: 12, output: 34 },
      ]);
    },
  );

  test.each<{ what: string; step: ServerStep; text: string; rest?: ModelEvent[] }>([
    {
      what: "in one piece, from a server that does not stream",
      step: {
        body: {
          choices: [{ message: { content: "All at once." }, finish_reason: "stop" }],
          usage: { prompt_tokens: 1, completion_tokens: 2 },
        },
      },
      text: "All at once.",
      rest: [{ type: "usage", input: 1, output: 2 }],
    },
    { what: "without [DONE]", step: { text: "Enough.", noDone: true }, text: "Enough." },
    { what: "without a reason, but with [DONE]", step: { text: "Enough.", finish: null }, text: "Enough." },
    {
      what: "with comments that keep the connection alive",
      step: {
        raw: [": OPENROUTER PROCESSING\n\n", { choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] }],
      },
      text: "Hi",
    },
    {
      what: "with its thoughts, which are its own",
      step: {
        raw: [
          { choices: [{ delta: { reasoning_content: "Hm." } }] },
          { choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] },
        ],
      },
      text: "Hi",
    },
    {
      what: "as a list of parts",
      step: { raw: [{ choices: [{ delta: { content: [{ type: "text", text: "Hi" }] }, finish_reason: "stop" }] }] },
      text: "Hi",
    },
    {
      what: "that is a refusal in words",
      step: { raw: [{ choices: [{ delta: { refusal: "No." }, finish_reason: "stop" }] }] },
      text: "No.",
    },
    {
      what: "with Windows line ends",
      step: {
        raw: ['data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\r\n\r\n', "data: [DONE]\r\n\r\n"],
      },
      text: "Hi",
    },
    {
      what: "cut by the provider's limit",
      step: { text: "And so", finish: "length" },
      text: "And so",
      rest: [{ type: "cut", reason: "length" }],
    },
    {
      what: "cut by a filter",
      step: { text: "And", finish: "content_filter" },
      text: "And",
      rest: [{ type: "cut", reason: "filtered" }],
    },
    { what: "of nothing", step: { text: [] }, text: "" },
    {
      what: "with token counts that are none",
      step: {
        text: "Hi",
        raw: [{ choices: [{ delta: {}, finish_reason: "stop" }] }, { choices: [], usage: { prompt_tokens: "many" } }],
      },
      text: "Hi",
    },
  ])("$what", async ({ step, text, rest = [] }) => {
    const server = await startOpenAi();
    server.script(step);
    const events = await collect(modelOf(server));
    expect(textOf(events)).toBe(text);
    expect(events.filter(({ type }) => type !== "text")).toEqual(rest);
  });
});

describe("tool calls", () => {
  const whole = (name: string, input: object): ScriptedToolCall => ({ name, arguments: [JSON.stringify(input)] });
  const one = { name: "read", input: { path: "a" } };
  const two = { name: "grep", input: { pattern: "b" } };

  test.each<{ what: string; calls: ScriptedToolCall[]; expected: object[] }>([
    {
      what: "in fragments, by index",
      calls: [
        { id: "1", ...one, arguments: ['{"path"', ':"a"}'] },
        { id: "2", ...two, arguments: ["", '{"pattern":"b"}'] },
      ],
      expected: [one, two],
    },
    {
      what: "whole, without index",
      calls: [
        { id: "1", index: null, ...whole("read", one.input) },
        { id: "2", index: null, ...whole("grep", two.input) },
      ],
      expected: [one, two],
    },
    {
      what: "in fragments, without index",
      calls: [
        { id: "1", index: null, name: "read", arguments: ["{", '"path":"a"', "}"] },
        { id: "2", index: null, name: "grep", arguments: ['{"pattern"', ':"b"}'] },
      ],
      expected: [one, two],
    },
    { what: "without ids", calls: [whole("read", one.input), whole("grep", two.input)], expected: [one, two] },
    {
      what: "without ids and index",
      calls: [
        { index: null, ...whole("read", one.input) },
        { index: null, ...whole("grep", two.input) },
      ],
      expected: [one, two],
    },
    {
      what: "all with the same index",
      calls: [
        { id: "1", index: 0, ...whole("read", one.input) },
        { id: "2", index: 0, ...whole("grep", two.input) },
      ],
      expected: [one, two],
    },
    {
      what: "all with the same index, without ids",
      calls: [
        { index: 0, ...whole("read", one.input) },
        { index: 0, ...whole("grep", two.input) },
      ],
      expected: [one, two],
    },
    {
      what: "of the same tool, twice the same",
      calls: [
        { index: null, ...whole("read", one.input) },
        { index: null, ...whole("read", one.input) },
      ],
      expected: [one, one],
    },
    {
      what: "all with the same id",
      calls: [
        { id: "x", index: 0, ...whole("read", one.input) },
        { id: "x", index: 1, ...whole("grep", two.input) },
      ],
      expected: [one, two],
    },
    {
      what: "with the input as an object",
      calls: [
        { id: "1", name: "read", arguments: one.input },
        { id: "2", name: "grep", arguments: two.input },
      ],
      expected: [one, two],
    },
    {
      what: "with the object written as a text",
      calls: [{ id: "1", name: "read", arguments: [JSON.stringify(JSON.stringify(one.input))] }],
      expected: [one],
    },
    {
      what: "with no input at all",
      calls: [
        { id: "1", index: null, name: "ls", arguments: [""] },
        { id: "2", index: null, name: "ls", arguments: [""] },
      ],
      expected: [
        { name: "ls", input: {} },
        { name: "ls", input: {} },
      ],
    },
  ])("$what", async ({ calls, expected }) => {
    const server = await startOpenAi();
    server.script({ calls });
    const events = (await collect(modelOf(server))).filter((event) => event.type === "call");
    expect(events).toEqual(
      expected.map((call) => ({ type: "call", id: expect.stringMatching(/./) as string, ...call })),
    );
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  test.each([
    {
      what: "half JSON",
      json: '{"path": "src/a',
      problem: /The input is not JSON: it ends too early, after ".*src\/a"/,
    },
    { what: "a comma too many", json: '{"path": "a",}', problem: /not JSON: .* at character 13, near / },
    { what: "a list", json: "[1, 2]", problem: /must be a JSON object, but is a list/ },
    { what: "a number", json: "7", problem: /is a number/ },
    { what: "null", json: "null", problem: /is null/ },
    { what: "words", json: "read the file a.ts please", problem: /The input is not JSON: .*read the file/ },
  ])("with $what say what is wrong, for the model, and nothing is thrown", async ({ json, problem }) => {
    const server = await startOpenAi();
    server.script({
      calls: [
        { id: "1", name: "read", arguments: [json] },
        { id: "2", name: "ls", arguments: ["{}"] },
      ],
    });
    const [bad, good] = (await collect(modelOf(server))).filter((event) => event.type === "call");
    expect(bad).toMatchObject({ id: "1", name: "read", input: {} });
    expect(bad?.problem).toMatch(problem);
    expect(bad?.problem?.length).toBeLessThan(300);
    expect(good).toEqual({ type: "call", id: "2", name: "ls", input: {} });
  });

  test("a long broken input is shown in part", async () => {
    const server = await startOpenAi();
    server.script({ calls: [{ id: "1", name: "write", arguments: [`{"content": "${"x".repeat(100_000)}`] }] });
    const [call] = await collect(modelOf(server));
    expect(call?.type === "call" && call.problem?.length).toBeLessThan(300);
  });
});

describe("a request", () => {
  test("has the conversation, the tools and the wish for token counts, and no more than the user's headers and key", async () => {
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "x-leak: yes");
    vi.stubEnv("OPENAI_ORG_ID", "org-leak");
    vi.stubEnv("OPENAI_API_KEY", "sk-leak-leak-leak");
    const server = await startOpenAi();
    await collect(modelOf(server, { key: "k-123456", entry: { headers: { "X-Team": "blue" } } }));
    vi.unstubAllEnvs();
    const [request] = server.chats();
    expect(request?.body).toEqual({
      model: "test-model",
      messages: [{ role: "user", content: "Hello" }],
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        {
          type: "function",
          function: {
            name: "read",
            description: "Reads a file",
            parameters: { type: "object", properties: { path: { type: "string" } } },
          },
        },
      ],
    });
    const own = Object.keys(request?.headers ?? {}).filter(
      (name) =>
        ![
          "host",
          "connection",
          "content-length",
          "transfer-encoding",
          "accept-encoding",
          "accept-language",
          "sec-fetch-mode",
        ].includes(name),
    );
    expect(own.sort()).toEqual(["accept", "authorization", "content-type", "user-agent", "x-team"]);
    expect(request?.headers.authorization).toBe("Bearer k-123456");
    expect(JSON.stringify(request?.headers)).not.toContain("leak");
  });

  test.each([
    { what: "no tools", request: { tools: [] }, expected: { tools: undefined, tool_choice: undefined } },
    {
      what: "no calls",
      request: { tools: TOOLS, withoutCalls: true },
      expected: { tools: [expect.anything()], tool_choice: "none" },
    },
    {
      what: "no calls and no tools",
      request: { tools: [], withoutCalls: true },
      expected: { tools: undefined, tool_choice: undefined },
    },
    {
      what: "a call",
      request: { tools: TOOLS, mustCall: true },
      expected: { tools: [expect.anything()], tool_choice: "required" },
    },
  ])("that wants $what", async ({ request, expected }) => {
    const server = await startOpenAi();
    await collect(modelOf(server), { ...HELLO, ...request });
    const { tools, tool_choice } = server.chats()[0]?.body ?? {};
    expect({ tools, tool_choice }).toEqual(expected);
  });

  test("to a server that takes no wish for token counts is made without, from then on", async () => {
    const server = await startOpenAi();
    const model = modelOf(server);
    server.script(
      { status: 400, body: { error: { message: "Unrecognized request argument supplied: stream_options" } } },
      { text: "One." },
      { text: "Two." },
    );
    expect(textOf(await collect(model))).toBe("One.");
    expect(textOf(await collect(model))).toBe("Two.");
    expect(server.chats().map(({ body }) => body?.stream_options)).toEqual([
      { include_usage: true },
      undefined,
      undefined,
    ]);
  });

  const image = { mimeType: "image/png", bytes: new Uint8Array([1, 2, 3]) };
  const url = { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } };
  const conversation: ModelMessage[] = [
    { role: "system", content: [{ type: "text", text: "Be brief." }] },
    { role: "system", content: [{ type: "text", text: "Be kind." }] },
    {
      role: "user",
      content: [
        { type: "text", text: "Look" },
        { type: "media", ...image },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "text", text: "I " },
        { type: "text", text: "look." },
        { type: "call", id: "1", name: "read", input: { path: "a.png" } },
        { type: "call", id: "2", name: "", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        { type: "result", id: "1", text: "a.png", media: [image] },
        { type: "result", id: "2", text: "" },
        { type: "text", text: "Go on" },
      ],
    },
    { role: "assistant", content: [] },
    { role: "system", content: [{ type: "text", text: "Later." }] },
    { role: "assistant", content: [{ type: "text", text: "Done." }] },
  ];
  const calls = [
    { id: "1", type: "function", function: { name: "read", arguments: '{"path":"a.png"}' } },
    { id: "2", type: "function", function: { name: "unnamed", arguments: "{}" } },
  ];

  test("has images of the user's and of results, for a model that sees", async () => {
    const server = await startOpenAi();
    await collect(modelOf(server, { model: { images: true } }), { messages: conversation, tools: TOOLS });
    expect(server.chats()[0]?.body?.messages).toEqual([
      { role: "system", content: "Be brief.\n\nBe kind." },
      { role: "user", content: [{ type: "text", text: "Look" }, url] },
      { role: "assistant", content: "I look.", tool_calls: calls },
      { role: "tool", tool_call_id: "1", content: "a.png" },
      { role: "tool", tool_call_id: "2", content: "(nothing)" },
      {
        role: "user",
        content: [{ type: "text", text: "From the call read (1):" }, url, { type: "text", text: "Go on" }],
      },
      { role: "user", content: "Later." },
      { role: "assistant", content: "Done." },
    ]);
  });

  test("says what was left out, to a model that does not", async () => {
    const server = await startOpenAi();
    await collect(modelOf(server, { model: { images: false } }), { messages: conversation, tools: TOOLS });
    const messages = server.chats()[0]?.body?.messages ?? [];
    expect(messages[1]).toEqual({
      role: "user",
      content: "Look\n[image/png, 3 bytes: omitted, this model cannot see it.]",
    });
    expect(messages[3]).toEqual({
      role: "tool",
      tool_call_id: "1",
      content: "a.png\n[image/png, 3 bytes: omitted, this model cannot see it.]",
    });
    expect(JSON.stringify(messages)).not.toContain("base64");
  });

  test.each([
    ["OpenAI", 400, "Invalid content type. image_url is only supported by certain models."],
    ["vLLM", 400, "llama is not a multimodal model"],
    ["llama.cpp", 500, "image input is not supported - hint: you may need to provide the mmproj"],
    ["OpenRouter", 404, "No endpoints found that support image input"],
    ["DeepSeek", 422, "messages[1]: unknown variant `image_url`, expected `text`"],
    ["Groq", 400, "'messages.1' : content must be a string"],
  ])(
    "has images for a model of which nobody says what it sees, until %s refuses one",
    async (_who, status, message) => {
      const server = await startOpenAi();
      const model = modelOf(server);
      expect(model.seesImages).toBeUndefined();
      server.script({ status, body: { error: { message } } }, { text: "One." }, { text: "Two." });
      const wanted = { messages: conversation, tools: TOOLS };
      expect(textOf(await collect(model, wanted))).toBe("One.");
      expect(textOf(await collect(model, wanted))).toBe("Two.");
      expect(server.chats().map(({ body }) => JSON.stringify(body).includes("base64"))).toEqual([true, false, false]);
      expect(model.seesImages).toBe(false);
    },
  );

  test("is written as it is now, whatever of it was sent before and in which form", async () => {
    const server = await startOpenAi();
    const models = [true, false].map((images) => modelOf(server, { model: { images } }));
    const [system = { role: "system", content: [] }, ...others] = conversation;
    const shown = { type: "text" as const, text: "Grüße, 世界! 👩‍👩‍👧" };
    const states = [
      conversation,
      // Messages are made anew for each request, their parts are not.
      conversation.map(({ role, content }) => ({ role, content: [...content] })),
      [system, ...others.map(({ role, content }) => ({ role, content: [...content, shown] }))],
      [system, ...others.map(({ role, content }) => ({ role, content: content.slice(0, 1) }))],
      others.map(({ content }) => ({ role: "user" as const, content })),
    ];
    for (const messages of states) {
      for (const model of models) {
        await collect(model, { messages, tools: TOOLS });
        // A copy has nothing that was sent before.
        await collect(model, { messages: structuredClone(messages), tools: TOOLS });
      }
    }
    const bodies = server.chats().map(({ body }) => body);
    expect(bodies).toHaveLength(4 * states.length);
    expect(bodies.filter((_, index) => index % 2 === 0)).toEqual(bodies.filter((_, index) => index % 2 === 1));
    expect(bodies[8]?.messages.at(-1)).toEqual({ role: "assistant", content: `Done.${shown.text}` });
  });

  test.each([
    ["another refusal", 400, "max_tokens is too large"],
    ["a refused key", 401, "no image for you"],
    ["a busy server", 429, "too many images"],
  ])("still has images after %s", async (_what, status, message) => {
    const server = await startOpenAi();
    const model = modelOf(server);
    server.script({ status, body: { error: { message } } });
    await expect(collect(model, { messages: conversation, tools: TOOLS })).rejects.toThrow(ModelError);
    expect(server.chats()).toHaveLength(1);
    expect(model.seesImages).toBeUndefined();
  });
});
