import { expect, test } from "vitest";
import type { TurnRequest } from "../../../../src/agent/turn.js";
import { Registry } from "../../../../src/core/registry.js";
import { createApi } from "../../../../src/doors/api/api.js";
import { EventStream } from "../../../../src/doors/api/eventStream.js";
import type { AgentEvent, ToolhostApi } from "../../../../src/doors/api/types.js";
import { ScriptedModel, text } from "../../agent/rig.js";

/** Whose agent says one word and ends. */
function api(): ToolhostApi {
  return createApi({
    registry: new Registry(),
    useSandbox: () => {
      throw new Error("no test here uses one");
    },
    openApi: () => {
      throw new Error("no description is read here");
    },
    pipeline: { available: () => [], invoke: () => Promise.reject(new Error("no tool is called here")) },
    agents: {
      status: () => Promise.reject(new Error("there is no session")),
      run: async (request: TurnRequest) => {
        const { session, signal } = request;
        const onEvent = (event: AgentEvent): void => request.onEvent(event);
        onEvent({ type: "text", session, text: "Hello." });
        await new Promise((resolve) => setImmediate(resolve));
        const reason = signal.aborted ? ("cancelled" as const) : ("answered" as const);
        onEvent({ type: "end", session, turn: "t", reason });
        return {
          session,
          turn: "t",
          reason,
          message: undefined,
          text: "Hello.",
          iterations: 1,
          tokens: { input: 1, output: 1, estimated: false },
          messages: [],
          seq: 1,
        };
      },
    },
    models: { find: () => Promise.resolve(new ScriptedModel([[text("Hello.")]])) },
    confirm: { ask: () => Promise.resolve("no") },
    rules: { grantForSession: () => undefined },
    asModel: () => new ScriptedModel([]),
  });
}

const read = async (events: AsyncIterable<AgentEvent>): Promise<string[]> => {
  const types: string[] = [];
  for await (const { type } of events) {
    types.push(type);
  }
  return types;
};

test.each<{ what: string; onEvent: () => unknown }>([
  {
    what: "throws",
    onEvent: () => {
      throw new Error("theirs");
    },
  },
  { what: "rejects", onEvent: () => Promise.reject(new Error("theirs")) },
])("a listener that $what changes nothing and fails nowhere else", async ({ onEvent }) => {
  const failures: unknown[] = [];
  const onFailure = (error: unknown): void => void failures.push(error);
  process.on("unhandledRejection", onFailure);
  try {
    const run = api().runAgent({ messages: "Hi", onEvent });
    expect(await run.result).toMatchObject({ reason: "answered" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(failures).toEqual([]);
  } finally {
    process.off("unhandledRejection", onFailure);
  }
});

test("runs side by side have sessions and events of their own", async () => {
  const both = [api().runAgent({ messages: "a" }), api().runAgent({ messages: "b" })];
  expect(new Set(both.map(({ session }) => session)).size).toBe(2);
  expect(await Promise.all(both.map(read))).toEqual([
    ["text", "end"],
    ["text", "end"],
  ]);
});

test("whoever stops reading has the result all the same, and can stop the turn", async () => {
  const controller = new AbortController();
  const run = api().runAgent({ messages: "a", signal: controller.signal });
  for await (const _ of run) {
    break;
  }
  controller.abort();
  expect(await run.result).toMatchObject({ reason: "cancelled" });
  expect(await read(run)).toEqual([]);
});

test("two readers by mistake both come to an end", async () => {
  const stream = new EventStream<AgentEvent>();
  const readers = [read(stream), read(stream)];
  await new Promise((resolve) => setImmediate(resolve));
  stream.push({ type: "request", session: "s", iteration: 1 });
  stream.end();
  expect((await Promise.all(readers)).flat()).toEqual(["request"]);
});

test("a session that is not there is said in the result, and nothing begins", async () => {
  const run = api().runAgent({ messages: "a", session: "nope" });
  expect(await run.result).toMatchObject({ reason: "failed", message: "there is no session", iterations: 0 });
  expect(await read(run)).toEqual(["end"]);
});
