import { describe, expect, it } from "vitest";
import { leftWords } from "../../../src/agent/ownWords.js";
import type { Caller } from "../../../src/core/caller.js";
import { ToolError } from "../../../src/core/errors.js";
import { LoggedSessions } from "../../../src/features/sessions/loggedSessions.js";
import type { StoredSessions } from "../../../src/features/sessions/storedSessions.js";
import type { RunningSubagent, Sessions, SpawnRequest, SpawnResult } from "../../../src/ports/sessions.js";
import {
  call,
  logOn,
  model,
  openTestStore,
  result as resultOf,
  start,
  text,
  turn,
  user,
} from "../features/sessions/rig.js";
import { failed, openWorkspace, result, type TestWorkspace } from "./workspace.js";

const A = "aaaaaa11-1111-4111-8111-111111111111";
const B = "bbbbbb22-2222-4222-8222-222222222222";
const AT = Date.UTC(2026, 10, 22, 9, 10);

/** The real log behind the port, with subagents that do what the test says. */
class FakeAgents extends LoggedSessions {
  readonly spawned: (SpawnRequest & { session: string; callId: string })[] = [];
  subagents: RunningSubagent[] = [];

  constructor(
    log: StoredSessions,
    readonly work?: (call: Parameters<Sessions["spawn"]>[1]) => Promise<SpawnResult>,
  ) {
    super(() => Promise.resolve(log));
  }

  override running(): RunningSubagent[] {
    return this.subagents;
  }

  override async spawn(request: SpawnRequest, given: Parameters<Sessions["spawn"]>[1]): Promise<SpawnResult> {
    this.spawned.push({ ...request, session: given.session, callId: given.callId });
    return (this.work ?? (() => super.spawn(request, given)))(given);
  }
}

async function open(
  work?: (call: Parameters<Sessions["spawn"]>[1]) => Promise<SpawnResult>,
): Promise<{ log: StoredSessions; agents: FakeAgents; ws: TestWorkspace }> {
  const log = logOn(await openTestStore("memory"), { now: () => AT });
  const agents = new FakeAgents(log, work);
  return { log, agents, ws: await openWorkspace({}, { host: "memory", sessions: agents }) };
}

describe("sessions_list", () => {
  it("says how many there are, and what each is", async () => {
    const { log, ws } = await open();
    expect(result(await ws.call("sessions_list", {}))).toEqual({
      text: "No sessions yet in this workspace.",
      data: { sessions: [], total: 0 },
    });
    await turn(log, A, "t1", [user("Fix it"), model("Done")], { title: 'Fix "it"' });
    await log.addTokens(A, { input: 1200, output: 30, estimated: true }, 0.0123);
    await log.beginTurn(start(B, "t2", { kind: "subagent", parent: A }));
    await log.append(B, "t2", user("Look"));
    const all = result<{ sessions: unknown[] }>(await ws.call("sessions_list", {}, { session: A }));
    expect(all.text.split("\n")).toEqual([
      "2 of 2 sessions, most recently used first.",
      `${B}  active  subagent  "About ${B}"  (1 message, 0 tokens in and 0 out, model test/model, last used 2026-11-22T09:10Z, spawned by ${A})`,
      `${A}  idle  chat  "Fix \\"it\\""  (2 messages, about 1200 tokens in and 30 out (estimated), cost 0.0123, model test/model, last used 2026-11-22T09:10Z, this session)`,
    ]);
    expect(all.data.sessions[1]).toMatchObject({
      id: A,
      parent: null,
      created: "2026-11-22T09:10:00.000Z",
      tokens: { input: 1200, output: 30, estimated: true },
      cost: 0.0123,
    });
    expect(result(await ws.call("sessions_list", { limit: 1 })).text).toMatch(
      /^1 of 2 sessions, most recently used first\. Raise limit for more\.\n/,
    );
  });

  it.each([0, 501, 1.5, "many"])("refuses limit %j", async (limit) => {
    const { ws } = await open();
    expect(failed(await ws.call("sessions_list", { limit }))).toMatchObject({
      type: "invalid_input",
      message: expect.stringContaining("limit") as string,
    });
  });
});

describe("sessions_history", () => {
  it("tells what was said and done, oldest first", async () => {
    const { log, ws } = await open();
    const places = await turn(log, A, "t1", [
      user("Fix it", { type: "media", mimeType: "image/png", bytes: new Uint8Array(3) }),
      model("I look.", call("1")),
      user(resultOf("1", "two\nlines")),
      model("Done"),
    ]);
    await log.compact(A, "t1", user("It was fixed."), places[3] ?? 0);
    const all = result<{ entries: unknown[] }>(await ws.call("sessions_history", { session_id: A.slice(0, 6) }));
    const at = "2026-11-22T09:10Z";
    const [a, b, c, d] = places;
    expect(all.text).toBe(
      `Session ${A} (About ${A}): 5 of 5 messages, oldest first.\n\n#${a} ${at} user:\nFix it\n[image/png, 3 bytes]\n\n#${b} ${at} assistant:\nI look.\n→ read {"path":"1"}\n\n` +
        `#${c} ${at} results:\n← two\nlines\n\n#${d} ${at} assistant:\nDone\n\n#${(d ?? 0) + 1} ${at} summary of earlier messages:\nIt was fixed.`,
    );
    expect(all.data.entries[1]).toEqual({
      seq: b,
      turn: "t1",
      at: "2026-11-22T09:10:00.000Z",
      role: "assistant",
      summary: false,
      text: 'I look.\n→ read {"path":"1"}',
    });
    const latest = result(await ws.call("sessions_history", { id: A, limit: 2 }));
    expect(latest.text).toContain(
      `2 of 5 messages, oldest first.\n[3 earlier: give a higher limit, or before=${d}.]\n\n#${d}`,
    );
    expect(result(await ws.call("sessions_history", { id: A, limit: 2, before: d })).text).toContain(
      `[1 earlier: give a higher limit, or before=${b}.]\n\n#${b}`,
    );
    expect(result(await ws.call("sessions_history", { id: A, before: a })).text).toBe(
      `Session ${A} (About ${A}): no messages before #${a}.`,
    );
  });

  it("shows long messages in equal parts, and more of each when fewer are asked for", async () => {
    const { log, ws } = await open();
    const [, last = 0] = await turn(log, A, "t1", [user("x".repeat(80_000)), model("y".repeat(60_000)), user("short")]);
    const { text: shown, data } = result<{ cut: number; entries: { text: string }[] }>(
      await ws.call("sessions_history", { session_id: A }),
    );
    expect(shown).toContain(
      "[2 cut in the middle: a lower limit shows more of each; limit=1 with before=(its number + 1) shows most of one.]",
    );
    expect(shown.length).toBeLessThan(51_000);
    expect(data.cut).toBe(2);
    expect(data.entries.map(({ text: part }) => part.replaceAll(/[^xy]/g, "").length)).toEqual([24_997, 24_997, 0]);
    expect(data.entries[2]?.text).toBe("short");
    const one = result<{ entries: { text: string }[] }>(
      await ws.call("sessions_history", { session_id: A, limit: 1, before: last + 1 }),
    );
    expect(one.data.entries[0]?.text).toMatch(/^y+\n\[… 10000 characters omitted …\]\ny+$/);
  });

  it.each(["sessions_history", "sessions_status"])(
    "%s names near sessions when there is none of that id",
    async (tool) => {
      const { log, ws } = await open();
      await turn(log, A, "t1", [user("a")]);
      expect(failed(await ws.call(tool, { session_id: "nonsense" }))).toMatchObject({
        type: "unknown_id",
        message: '"nonsense": there is no such session in this workspace.',
        hint: expect.stringContaining(A) as string,
      });
    },
  );
});

describe("sessions_status", () => {
  it("is of the session that asks, or of a named one", async () => {
    const { log, ws } = await open();
    await turn(log, A, "t1", [user("a")]);
    await log.addTokens(A, { input: 7, output: 2, estimated: false }, undefined);
    const own = result(await ws.call("sessions_status", {}, { session: A }));
    expect(own.text.split("\n")).toEqual([
      ...[
        `Session ${A}: "About ${A}"`,
        "State: idle: waiting for a message",
        "Kind: chat",
        "Model: test/model",
        "Messages: 1",
        "Tokens: 7 tokens in and 2 out",
      ],
      ...[
        "Cost: unknown, because some of its models have no configured price",
        "Started 2026-11-22T09:10Z, last used 2026-11-22T09:10Z",
      ],
    ]);
    expect(result(await ws.call("sessions_status", { session_id: A.slice(0, 6) }, { session: B })).data).toEqual(
      own.data,
    );
    expect(failed(await ws.call("sessions_status", {}, { session: B }))).toMatchObject({
      type: "unknown_id",
      hint: "Give a session_id; sessions_list lists them.",
    });
  });
});

describe("sessions_send", () => {
  it("leaves a message, and says when it is seen", async () => {
    const { log, ws } = await open();
    await turn(log, A, "t1", [user("a")]);
    const send = (input: object, session = B) => ws.call("sessions_send", input, { session, as: "model" });
    expect(result(await send({ session_id: A.slice(0, 7), message: "one" }))).toEqual({
      text: `Left for session ${A} (About ${A}). It is not active and gets the message with its next turn.`,
      data: { session_id: A, active: false },
    });
    await log.beginTurn(start(A, "t2"));
    expect(result(await send({ session_id: A, content: "two" })).text).toContain(
      "It is active and gets the message before its next model request.",
    );
    expect(await log.takeLeft(A)).toEqual([
      { content: "one", from: `session ${B}` },
      { content: "two", from: `session ${B}` },
    ]);
    expect(failed(await send({ session_id: A, content: " \n" }))).toMatchObject({ type: "invalid_input" });
    expect(failed(await send({ session_id: A, content: "x" }, A))).toMatchObject({
      type: "invalid_input",
      message: expect.stringContaining("the session you are in") as string,
    });
    expect(failed(await send({ session_id: B, content: "x" }))).toMatchObject({ type: "unknown_id" });
    expect(await log.takeLeft(A)).toEqual([]);
  });
});

describe("whose message it is", () => {
  it.each<{ who: string; caller: Partial<Caller>; from: string }>([
    { who: "a person at the command line", caller: { door: "cli", authority: "owner" }, from: "the user" },
    { who: "a person in the palette", caller: { door: "palette", authority: "model" }, from: "the user" },
    { who: "a person with /run", caller: { door: "chat", authority: "model", reads: "free" }, from: "the user" },
    { who: "a model in the chat", caller: { door: "chat", authority: "model", reads: "must" }, from: `session ${B}` },
    { who: "another agent", caller: { door: "lm", authority: "model", reads: "ask" }, from: `session ${B}` },
    {
      who: "another extension's agent",
      caller: { door: "api", authority: "model", reads: "must" },
      from: `session ${B}`,
    },
    {
      who: "an agent that started the command line",
      caller: { door: "cli", authority: "model", reads: "ask" },
      from: `session ${B}`,
    },
    { who: "a caller of whom nothing is known", caller: { door: "lm", authority: "model" }, from: `session ${B}` },
  ])("of $who is from $from", async ({ caller, from }) => {
    const { log, ws } = await open();
    await turn(log, A, "t1", [user("a")]);
    result(
      await ws.pipeline.invoke(
        "sessions_send",
        { session_id: A, content: "blue, please" },
        { door: "api", authority: "model", session: B, signal: new AbortController().signal, ...caller },
      ),
    );
    const [left] = await log.takeLeft(A);
    expect(left).toEqual({ content: "blue, please", from });
    expect(leftWords({ content: "blue, please", from }).includes("Another agent left this message")).toBe(
      from !== "the user",
    );
  });
});

describe("sessions_spawn", () => {
  const done: SpawnResult = {
    session: B,
    text: "42 files",
    ended: "finished",
    iterations: 3,
    tokens: { input: 10, output: 5, estimated: false },
  };

  it("gives the subagent's answer, and hands on what the call is", async () => {
    const { agents, ws } = await open(() => Promise.resolve(done));
    const { session, ended, iterations, tokens } = done;
    expect(result(await ws.call("sessions_spawn", { task: "Count the files" }, { session: A }))).toEqual({
      text: "Subagent completed task. Result:\n42 files",
      data: { session, ended, iterations, tokens },
    });
    await ws.call("sessions_spawn", { prompt: "Fix them", tools: "inherit" }, { session: A });
    expect(agents.spawned).toMatchObject([
      { prompt: "Count the files", tools: "read_only", session: A },
      { prompt: "Fix them", tools: "inherit", session: A },
    ]);
    expect(agents.spawned[0]?.callId).not.toBe(agents.spawned[1]?.callId);
  });

  it.each<{ what: string; gives: Partial<SpawnResult>; text: string }>([
    {
      what: "that it ran out of requests",
      gives: { ended: "limit" },
      text: `42 files\n[It used up its 3 requests before it was done. sessions_history ${B} shows what it did.]`,
    },
    { what: "that it answered nothing", gives: { text: " " }, text: "(It gave no answer.)" },
  ])("says $what", async ({ gives, text: words }) => {
    const { ws } = await open(() => Promise.resolve({ ...done, ...gives }));
    expect(result(await ws.call("sessions_spawn", { prompt: "x" })).text).toBe(
      `Subagent completed task. Result:\n${words}`,
    );
  });

  it("says why there is no answer", async () => {
    const { ws } = await open();
    expect(failed(await ws.call("sessions_spawn", { prompt: "x" }))).toMatchObject({
      type: "unavailable",
      message: "Subagent spawning not available in this context",
    });
    expect(failed(await ws.call("sessions_spawn", { prompt: " " }))).toMatchObject({ type: "invalid_input" });
    expect(failed(await ws.call("sessions_spawn", { prompt: "x", tools: "all" }))).toMatchObject({
      type: "invalid_input",
      message: expect.stringContaining("read_only") as string,
    });
    const broken = await open(() =>
      Promise.reject(new ToolError("inner_tool_error", "the model answered 500.", "Try again.")),
    );
    expect(failed(await broken.ws.call("sessions_spawn", { prompt: "x" }))).toEqual({
      type: "inner_tool_error",
      message: "Subagent error: the model answered 500.",
      hint: "Try again.",
    });
    const deep = await open(() => Promise.reject(new ToolError("forbidden_tool", "too deep")));
    expect(failed(await deep.ws.call("sessions_spawn", { prompt: "x" }))).toMatchObject({
      type: "forbidden_tool",
      message: "too deep",
    });
  });

  it("stops with its caller", async () => {
    const caller = new AbortController();
    let stopped = false;
    const { ws } = await open(({ signal }) => {
      caller.abort();
      return new Promise((_, reject) => {
        stopped = signal.aborted;
        reject(new ToolError("cancelled", "stopped"));
      });
    });
    await expect(ws.call("sessions_spawn", { prompt: "x" }, { signal: caller.signal })).rejects.toMatchObject({
      type: "cancelled",
    });
    expect(stopped).toBe(true);
  });
});

it("subagents tells what each is doing, and agents_list whether one is at work", async () => {
  const { log, agents, ws } = await open();
  expect(result(await ws.call("subagents", {}))).toEqual({
    text: "No subagents are running.",
    data: { subagents: [] },
  });
  agents.subagents = [{ session: B, parent: A, title: "Count", started: AT, doing: "Reading a.ts" }];
  expect(result(await ws.call("subagents", {})).text).toBe(
    `${B}  "Count"  (spawned by ${A}, since 2026-11-22T09:10Z): Reading a.ts`,
  );
  expect(result(await ws.call("agents_list", {})).text).toBe("name=main\tmodel=unknown\tstatus=idle");
  await log.beginTurn(start(A, "t1"));
  expect(result(await ws.call("agents_list", {}))).toEqual({
    text: "name=main\tmodel=test/model\tstatus=active",
    data: { agents: [{ name: "main", model: "test/model", state: "active" }] },
  });
});

it("asks nobody for what only looks, leaves a message or hands a task on", async () => {
  const { log, ws } = await open(() =>
    Promise.resolve({
      session: B,
      text: "x",
      ended: "finished",
      iterations: 1,
      tokens: { input: 0, output: 0, estimated: false },
    }),
  );
  await turn(log, A, "t1", [user(text("a"))]);
  for (const [tool, input] of [
    ["sessions_list", {}],
    ["sessions_history", { session_id: A }],
    ["sessions_status", { session_id: A }],
    ["sessions_send", { session_id: A, content: "x" }],
    ["sessions_spawn", { prompt: "x" }],
  ] as const) {
    expect(result(await ws.call(tool, input, { as: "model" })).text).not.toBe("");
  }
});

it("are unavailable where nothing keeps sessions", async () => {
  const ws = await openWorkspace({}, { host: "memory", sessions: "not kept" });
  expect(failed(await ws.call("sessions_list", {}))).toMatchObject({ type: "unavailable" });
});
