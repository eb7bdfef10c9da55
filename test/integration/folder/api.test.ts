// What another extension gets of Toolhost: `runAgent`, in a real window, on a real model provider.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import type { AgentEvent, AgentRun, RunAgentOptions, ToolhostApi } from "../../../src/doors/api/types";
import { rig, SCRIPTED_MODEL } from "../../harness/host";
import { inWorkspace, onDisk, withSettings, writeFile } from "../tool";

async function api(): Promise<ToolhostApi> {
  const extension = vscode.extensions.getExtension<ToolhostApi>("toolhost.toolhost");
  assert.ok(extension);
  return extension.activate();
}

async function scripted(): Promise<vscode.LanguageModelChat> {
  const [model] = await vscode.lm.selectChatModels({ vendor: SCRIPTED_MODEL.vendor, id: SCRIPTED_MODEL.id });
  assert.ok(model);
  return model;
}

async function all(run: AgentRun): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

const SHOUT = {
  name: "api_shout",
  description: "Write a text in capital letters.",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string", description: "The text." } },
    required: ["text"],
  },
  execute: ({ text }: { text: string }) => ({ text: text.toUpperCase(), data: { length: text.length } }),
};
const allowShout = { "toolhost.permissions.rules": [{ tool: "api_shout", decision: "allow" }] };

describe("a tool of another extension", () => {
  it("can be an operation of a service", async () => {
    const { createOpenApiTools } = await api();
    const paths = { "/pets": { get: { operationId: "apiListPets", responses: {} } } };
    const description = { openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths };
    const { tools, leftOut } = createOpenApiTools(description, { server: "https://pets.example" });
    assert.deepEqual([tools.map(({ name }) => name), leftOut], [["api_list_pets"], []]);
  });

  it("is there for every caller while it is registered, and asks unless a rule allows it", async () => {
    const { registerTool, onDidChangeTools, tools, invoke, runAgent } = await api();
    let changes = 0;
    const listening = onDidChangeTools(() => changes++);
    const registered = registerTool(SHOUT);
    try {
      assert.ok(tools().some(({ name }) => name === "api_shout"));
      // In this host VS Code refuses modal dialogs, and the question is one.
      const refused = await invoke("api_shout", { text: "a" });
      assert.equal(refused.ok ? "ran" : refused.error.type, "denied");
      await withSettings(allowShout, async () => {
        assert.deepEqual(await invoke("api_shout", { text: "abc" }), { ok: true, text: "ABC", data: { length: 3 } });
        const { model: script } = await rig();
        script.script([{ calls: [{ name: "api_shout", input: { text: "agent" } }] }, { text: "Done." }]);
        const events = await all(runAgent({ model: await scripted(), messages: "Shout", tools: "all" }));
        const result = events.find((event) => event.type === "result");
        assert.deepEqual([result?.ok, result?.text, result?.data], [true, "AGENT", { length: 5 }]);
      });
    } finally {
      registered.dispose();
      listening.dispose();
    }
    assert.equal(changes, 2);
    const gone = await invoke("api_shout", { text: "a" });
    assert.match(gone.ok ? "" : gone.error.message, /^api_shout is gone: /);
  });

  it("can be of one run alone, which tells the error's type to a program", async () => {
    const { tools, runAgent, defineTool } = await api();
    const { model: script } = await rig();
    script.script([{ calls: [{ name: "api_shout", input: { text: "agent" } }] }, { text: "Done." }]);
    const own = defineTool(SHOUT);
    const events = await all(runAgent({ model: await scripted(), messages: "Shout", tools: ["read", own] }));
    assert.deepEqual(script.requests()[0]?.tools, ["read", "api_shout"]);
    const result = events.find((event) => event.type === "result");
    // It asks, too.
    assert.deepEqual([result?.ok, result?.error?.type], [false, "denied"]);
    assert.ok(!tools().some(({ name }) => name === "api_shout"));
    assert.throws(
      () => runAgent({ messages: "x", tools: [{ ...SHOUT, name: "read" }] }),
      /tools\[0\]: Tool "read" is already/,
    );
    assert.throws(() => runAgent({ messages: "x", tools: [own, own] }), /another tool of this run is called api_shout/);
  });
});

describe("runAgent of another extension", () => {
  it("runs a turn: events as they happen, to be read late, too; a change in the workspace; a session to go on with", async () => {
    writeFile("api/a.txt", "one\n");
    const { model: script } = await rig();
    script.script([
      { text: "I look.", calls: [{ name: "read", input: { path: "api/a.txt" } }] },
      { calls: [{ name: "edit", input: { path: "api/a.txt", old_text: "one", new_text: "two" } }] },
      { text: ["Changed ", "it."] },
    ]);
    const heard: AgentEvent[] = [];
    const { runAgent, version } = await api();
    assert.equal(version, 1);
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hi." },
      { role: "user", content: "Change a.txt" },
    ] as const;
    const run = runAgent({ model: await scripted(), messages, tools: "all", onEvent: (event) => heard.push(event) });
    const result = await run.result;
    assert.deepEqual(
      [result.reason, result.text, result.iterations, result.session, result.message],
      ["answered", "Changed it.", 3, run.session, undefined],
    );
    const events = await all(run);
    assert.deepEqual(events, heard);
    assert.deepEqual(
      events.filter(({ type }) => type !== "usage" && type !== "text").map(({ type }) => type),
      ["request", "call", "result", "request", "call", "result", "request", "end"],
    );
    assert.equal(onDisk("api/a.txt"), "two\n");
    const told =
      script
        .requests()[0]
        ?.messages.map(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")).join("")) ?? [];
    assert.match(told[0] ?? "", /Be brief\./);
    assert.match(told.join("\n"), /Hello\n(.*\n)*Hi\.\n(.*\n)*Change a\.txt/);

    script.script([{ text: "Yes." }]);
    const again = await runAgent({
      model: `${SCRIPTED_MODEL.vendor}/${SCRIPTED_MODEL.id}`,
      messages: "Sure?",
      tools: ["read"],
      session: run.session,
    }).result;
    assert.deepEqual([again.reason, again.session], ["answered", run.session]);
    assert.deepEqual(script.requests()[0]?.tools, ["read"]);
    assert.match(JSON.stringify(script.requests()[0]?.messages), /Changed it\..*Sure\?/);
  });

  it("asks the user in our own question; what nobody can answer is denied", async () => {
    const { model: script } = await rig();
    script.script([{ calls: [{ name: "exec", input: { command: "install -d api-made" } }] }, { text: "No." }]);
    const events = await all((await api()).runAgent({ model: await scripted(), messages: "Make it", tools: "all" }));
    const result = events.find(({ type }) => type === "result");
    assert.ok(result?.type === "result" && !result.ok);
    // The window of these tests refuses to show dialogs.
    assert.match(
      result.text,
      /^Error \(denied\): exec needs the user's permission, and asking failed\. Nothing was done\.\n.*Contents: .+\?/,
    );
    assert.equal(existsSync(inWorkspace("api-made")), false);
  });

  it("read_only tools change nothing, also when the model calls others", async () => {
    const { model: script } = await rig();
    script.script([
      {
        calls: [
          { name: "write", input: { path: "api-new.txt", content: "x" } },
          { name: "glob", input: { pattern: "*.md" } },
        ],
      },
      { text: "Seen." },
    ]);
    const events = await all((await api()).runAgent({ model: await scripted(), messages: "Look", tools: "read_only" }));
    assert.deepEqual(events.flatMap((event) => (event.type === "result" ? [event.ok] : [])).sort(), [false, true]);
    assert.equal(existsSync(inWorkspace("api-new.txt")), false);
  });

  it("stops when its signal says so, whether or not anybody reads", async () => {
    const { model: script } = await rig();
    script.script([{ text: "Half", hang: true }], { all: true });
    const stop = new AbortController();
    const run = (await api()).runAgent({ model: await scripted(), messages: "Go", signal: stop.signal });
    for await (const { type } of run) {
      if (type === "text") break;
    }
    stop.abort();
    assert.equal((await run.result).reason, "cancelled");
    const aborted = (await api()).runAgent({ model: await scripted(), messages: "Go", signal: AbortSignal.abort() });
    assert.equal((await aborted.result).reason, "cancelled");
  });

  it("tells in the result what goes wrong later", async () => {
    const { runAgent } = await api();
    const cases: { options: Omit<RunAgentOptions, "messages">; message: RegExp }[] = [
      { options: { model: "nobody/has-it" }, message: /There is no model "nobody\/has-it"\. There / },
      { options: { model: await scripted(), session: "ffffffff-0000" }, message: /there is no such session/ },
    ];
    for (const { options, message } of cases) {
      const run = runAgent({ ...options, messages: "Go" });
      const result = await run.result;
      assert.equal(result.reason, "failed");
      assert.match(result.message ?? "", message);
      assert.deepEqual(
        (await all(run)).map((event) => (event.type === "end" ? event.reason : event.type)),
        ["failed"],
      );
    }
    const { model: script } = await rig();
    script.script([{ error: { message: "out of order" } }], { all: true });
    const failed = await runAgent({ model: await scripted(), messages: "Go" }).result;
    assert.equal(failed.reason, "failed");
    assert.match(failed.message ?? "", /out of order/);
  });

  it("names an option that is wrong", async () => {
    const { runAgent } = await api();
    const cases: [unknown, RegExp][] = [
      [undefined, /options: expected an object \{model, messages, tools, …\}, got/],
      [{}, /messages: expected a string or a non-empty list of \{role, content\}, got/],
      [{ messages: " " }, /messages: the text is empty/],
      [{ messages: [] }, /messages: .*got an empty list/],
      [{ messages: ["Hi"] }, /messages\[0\]: expected \{role, content\}, got/],
      [
        { messages: [{ role: "tool", content: "x" }] },
        /messages\[0\]\.role: expected one of system, user, assistant, got/,
      ],
      [{ messages: [{ role: "user", content: 1 }] }, /messages\[0\]\.content: expected a non-empty string, got/],
      [
        {
          messages: [
            { role: "user", content: "Hi" },
            { role: "assistant", content: "Hi" },
          ],
        },
        /messages\[1\]\.role: the last message must be the user's/,
      ],
      [{ messages: "Hi", tools: "some" }, /tools: expected "all", "read_only" or a list of names and tools, got/],
      [
        { messages: "Hi", tools: ["read", "wirte"] },
        /tools\[1\]: there is no tool "wirte" here \(did you mean write\?\)/,
      ],
      [{ messages: "Hi", tools: [1] }, /tools\[0\]: expected a tool or its name, got/],
      [{ messages: "Hi", model: 1 }, /model: expected a vscode\.LanguageModelChat or a model's id, got/],
      [{ messages: "Hi", model: {} }, /model: expected a vscode\.LanguageModelChat or a model's id, got/],
      [{ messages: "Hi", signal: {} }, /signal: expected an AbortSignal, got/],
      [{ messages: "Hi", onEvent: 1 }, /onEvent: expected a function, got/],
      [{ messages: "Hi", session: 1 }, /session: expected a session's id, got/],
      [{ messages: "Hi", maxIterations: 0 }, /maxIterations: expected a whole number from 1 to 1000, got/],
      [{ messages: "Hi", toolz: "all" }, /"toolz": there is no such option \(did you mean tools\?\)/],
    ];
    for (const [options, message] of cases) {
      assert.throws(
        () => runAgent(options as RunAgentOptions),
        (error: Error) =>
          error instanceof TypeError && message.test(error.message) && error.message.startsWith("Toolhost runAgent: "),
        JSON.stringify(options),
      );
    }
  });
});
