// Calls that a tool makes: as its caller, decided and asked about by themselves.
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { ActivityEntry } from "../../../../src/core/pipeline/activity.js";
import type { Tool } from "../../../../src/core/contract.js";
import { defineTool } from "../../../../src/core/defineTool.js";
import { PathGate } from "../../../../src/core/paths/pathGate.js";
import { Pipeline, type Caller } from "../../../../src/core/pipeline/pipeline.js";
import { Registry } from "../../../../src/core/registry.js";
import type { Question } from "../../../../src/ports/confirm.js";
import type { Files } from "../../../../src/ports/files.js";
import type { InnerOutcome, Tools } from "../../../../src/ports/tools.js";
import { FakeDisk, rootAt } from "../../features/changes/fakeDisk.js";

const common = {
  group: "fs",
  title: "Test",
  output: () => z.unknown(),
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  summary: () => "Testing",
} as const;

/** Does with the port whatever a test wants. */
function outer(work: (tools: Tools, signal: AbortSignal) => Promise<unknown>, touches: "none" | "asks" = "none"): Tool {
  return defineTool({
    ...common,
    name: "outer",
    description: "Calls.",
    input: () => z.object({}),
    needs: ["tools"],
    ...(touches === "none" ? { touches: () => [] } : {}),
    execute: async (_input, { tools, signal }) => ({ text: "", data: await work(tools, signal) }),
  });
}

/** Changes a file, and has more to give than its answer. */
const put = defineTool({
  ...common,
  name: "put",
  description: "Puts.",
  input: () => z.object({ path: z.string().describe("Where.") }),
  needs: [],
  touches: ({ path }) => [{ kind: "write", path }],
  preview: async ({ path }) => ({ language: "diff", text: `+${path}`, plan: `shown ${path}` }),
  execute: async (_input, _context, plan: string | undefined) => ({
    text: plan ?? "never shown",
    whole: { note: "All of it.", dropped: 0, chunks: () => emptyChunks() },
  }),
});

async function* emptyChunks(): AsyncGenerator<string> {}

const last = defineTool({
  ...common,
  name: "last",
  description: "Ends.",
  terminal: true,
  input: () => z.object({}),
  needs: [],
  touches: () => [],
  execute: async () => ({ text: "" }),
});

function rig(
  tools: readonly Tool[],
  answer = true,
): { pipeline: Pipeline; activity: ActivityEntry[]; asked: Question[]; model: Caller } {
  const registry = new Registry();
  [put, last, ...tools].forEach((tool) => registry.register(tool));
  const gate = new PathGate(new FakeDisk({ roots: [rootAt("/work")], paths: ["/work/a"], links: {} }));
  const activity: ActivityEntry[] = [];
  const asked: Question[] = [];
  const pipeline = new Pipeline({
    registry,
    capabilities: { files: { resolve: (path: string) => gate.resolve(path) } as Files },
    settings: () => ({
      mode: "default",
      trusted: true,
      defaultTimeout: 30_000,
      timeoutSetBy: "a test",
      isGroupEnabled: () => true,
    }),
    activity: { record: (entry) => void activity.push(entry) },
    now: Date.now,
  });
  const model: Caller = {
    door: "lm",
    session: "s",
    callId: "c1",
    signal: new AbortController().signal,
    authority: "model",
    confirm: {
      ask: async (question) => {
        asked.push(question);
        return answer ? "once" : "no";
      },
    },
  };
  return { pipeline, activity, asked, model };
}

test("a call belongs to the call that makes it, and both are recorded", async () => {
  const { pipeline, activity, model } = rig([outer((tools, signal) => tools.call("put", { path: "a" }, signal))]);
  await pipeline.invoke("outer", {}, model);
  const [inner, made] = activity;
  expect([inner?.tool, inner?.parentId, inner?.session, inner?.outcome, made?.tool, made?.callId]).toEqual([
    "put",
    "c1",
    "s",
    "ok",
    "outer",
    "c1",
  ]);
  expect(inner?.callId).not.toBe("c1");
});

describe("a call is asked about by itself", () => {
  test("and a yes runs what was shown", async () => {
    const { pipeline, asked, model } = rig([outer((tools, signal) => tools.call("put", { path: "a" }, signal))]);
    expect(await pipeline.invoke("outer", {}, model)).toMatchObject({ data: { ok: true, text: "shown a" } });
    expect(asked.map(({ tool, detail }) => [tool, detail.text])).toEqual([["put", "+a"]]);
  });

  test("and a no is an outcome of it, not of the one that makes it", async () => {
    const { pipeline, model } = rig([outer((tools, signal) => tools.call("put", { path: "a" }, signal))], false);
    expect(await pipeline.invoke("outer", {}, model)).toMatchObject({
      ok: true,
      data: { ok: false, error: { type: "denied" } },
    });
  });

  test("although the one that makes it was answered in advance", async () => {
    const { pipeline, asked, model } = rig([
      outer((tools, signal) => tools.call("put", { path: "a" }, signal), "asks"),
    ]);
    const caller = { ...model, asksInAdvance: true };
    expect((await pipeline.prepare("outer", {}, caller)).question).toBeDefined();
    expect(await pipeline.invoke("outer", {}, caller)).toMatchObject({ ok: true });
    expect(asked.map(({ tool }) => tool)).toEqual(["put"]);
  });

  test("and takes no answer that waits for the same call by somebody else", async () => {
    const { pipeline, asked, model } = rig([outer((tools, signal) => tools.call("put", { path: "a" }, signal))]);
    const caller = { ...model, asksInAdvance: true };
    await pipeline.prepare("put", { path: "a" }, caller);
    await pipeline.invoke("outer", {}, caller);
    expect(asked).toHaveLength(1);
    expect(await pipeline.invoke("put", { path: "a" }, caller)).toMatchObject({ text: "shown a" });
    expect(asked).toHaveLength(1);
  });
});

test("only another tool gets the whole of a result", async () => {
  const inner: InnerOutcome[] = [];
  const { pipeline, model } = rig([
    outer(async (tools, signal) => void inner.push(await tools.call("put", { path: "a" }, signal))),
  ]);
  await pipeline.invoke("outer", {}, model);
  expect(inner).toMatchObject([{ ok: true, whole: { note: "All of it." } }]);
  expect(await pipeline.invoke("put", { path: "a" }, model)).toEqual({ ok: true, text: "shown a" });
});

describe("before a call", () => {
  const cases: [name: string, work: (tools: Tools) => unknown, outcome: object][] = [
    [
      "a tool is found",
      (tools) => [tools.find("put"), tools.find("last")],
      {
        ok: true,
        data: [
          { name: "put", terminal: false },
          { name: "last", terminal: true },
        ],
      },
    ],
    [
      "a wrong name is told",
      (tools) => tools.find("putt"),
      { ok: false, error: { type: "unknown_tool", hint: "Did you mean put?" } },
    ],
    [
      "a wrong input is told",
      (tools) => tools.check("put", { path: 5 }),
      { ok: false, error: { type: "invalid_input", message: "put: path: expected string, got number 5." } },
    ],
    ["a good input passes", (tools) => tools.check("put", { path: "a" }) ?? null, { ok: true, data: null }],
  ];
  test.each(cases)("%s", async (_name, work, outcome) => {
    const { pipeline, model } = rig([outer(async (tools) => work(tools))]);
    expect(await pipeline.invoke("outer", {}, model)).toMatchObject(outcome);
  });
});

test("a cancelled call cancels what it calls", async () => {
  const cancellation = new AbortController();
  const slow = defineTool({
    ...common,
    name: "slow",
    description: "Waits.",
    input: () => z.object({}),
    needs: [],
    touches: () => [],
    execute: (_input, { signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
  });
  const { pipeline, activity, model } = rig([slow, outer((tools, signal) => tools.call("slow", {}, signal))]);
  setTimeout(() => cancellation.abort(), 50);
  await expect(pipeline.invoke("outer", {}, { ...model, signal: cancellation.signal })).rejects.toThrow("cancelled");
  expect(activity.map(({ tool, outcome }) => [tool, outcome]).sort()).toEqual([
    ["outer", "cancelled"],
    ["slow", "cancelled"],
  ]);
});
