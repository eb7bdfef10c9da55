import { expect, test } from "vitest";
import { askerOf } from "../../../src/agent/asker.js";
import { directCaller } from "../../../src/agent/directCaller.js";
import type { AgentCall } from "../../../src/agent/turn.js";
import { Cancelled } from "../../../src/core/errors.js";
import type { Outcome } from "../../../src/core/outcome.js";
import type { Question } from "../../../src/ports/confirm.js";
import type { Caller } from "../../../src/core/pipeline/pipeline.js";

const call = (more: Partial<AgentCall> = {}): Omit<AgentCall, "model"> => ({
  ...{
    session: "child",
    turn: "2",
    id: "c",
    tool: "read",
    input: { path: "a" },
    root: { session: "s", turn: "1" },
    ready: Promise.resolve(),
  },
  ...{ report: () => undefined, signal: new AbortController().signal },
  ...more,
});

function pipeline(outcome: Outcome): {
  invoke: (tool: string, input: unknown, caller: Caller) => Promise<Outcome>;
  callers: Caller[];
} {
  const callers: Caller[] = [];
  return { callers, invoke: (_tool, _input, caller) => Promise.resolve(callers.push(caller)).then(() => outcome) };
}

test.each<{ what: string; outcome: Outcome; result: unknown }>([
  {
    what: "a result",
    outcome: { ok: true, text: "here", data: { line: 1 } },
    result: { ok: true, text: "here", data: { line: 1 } },
  },
  {
    what: "an image",
    outcome: { ok: true, text: "", media: [{ mimeType: "image/png", bytes: new Uint8Array(1) }] },
    result: { ok: true, text: "", media: [{ mimeType: "image/png", bytes: new Uint8Array(1) }] },
  },
  {
    what: "a failure",
    outcome: { ok: false, error: { type: "not_found", message: "a: is not there.", hint: "Look." } },
    result: {
      ok: false,
      text: "Error (not_found): a: is not there.\nHint: Look.",
      failed: "not found",
      error: { type: "not_found", message: "a: is not there.", hint: "Look." },
    },
  },
])("$what is what the model is told, and what programs get", async ({ outcome, result }) => {
  expect(await directCaller({ pipeline: pipeline(outcome), door: "api" })(call())).toEqual(result);
});

test("counts for the turn that spawned it, has to have read what it changes, and only looks where that is asked", async () => {
  const { invoke, callers } = pipeline({ ok: true, text: "" });
  await directCaller({ pipeline: { invoke }, door: "cli", planOnly: true })(call());
  expect(callers[0]).toMatchObject({
    door: "cli",
    session: "child",
    parentId: "2",
    callId: "c",
    root: { session: "s", turn: "1" },
    authority: "model",
    reads: "must",
    planOnly: true,
  });
  expect(callers[0]).not.toHaveProperty("confirm");
});

test("questions name the task, schedule or subagent that asks", async () => {
  const titles: string[] = [];
  const confirm = { ask: ({ title }: Question) => Promise.resolve("no" as const).finally(() => titles.push(title)) };
  const { invoke, callers } = pipeline({ ok: true, text: "" });
  const made = directCaller({ pipeline: { invoke }, door: "api", confirm });
  await made(call({ asker: askerOf("task", "Fix the login") }));
  await made(call({ asker: askerOf("schedule", "nightly") }));
  await made(call({ asker: askerOf("chat", "Hello") }));
  const question = { tool: "exec", title: "Run x", reasons: [], detail: { language: "", text: "" }, derived: [] };
  for (const caller of callers) {
    await caller.confirm?.ask(question, new AbortController().signal);
  }
  expect(titles).toEqual(["Task “Fix the login”: Run x", "Schedule “nightly”: Run x", "Run x"]);
});

test("a person answers the user's agent, and none of its subagents", async () => {
  const { invoke, callers } = pipeline({ ok: true, text: "" });
  const person = { answer: () => Promise.resolve("unanswered" as const) };
  const made = directCaller({ pipeline: { invoke }, door: "cli", person });
  await made(call());
  await made(call({ session: "s", turn: "1" }));
  expect(callers.map((caller) => caller.person)).toEqual([undefined, person]);
});

test("waits for the calls before it, and is not made when the turn was cancelled meanwhile", async () => {
  const { invoke, callers } = pipeline({ ok: true, text: "" });
  const controller = new AbortController();
  let open = (): void => undefined;
  const made = directCaller({ pipeline: { invoke }, door: "api" })(
    call({ ready: new Promise((resolve) => (open = resolve)), signal: controller.signal }),
  );
  await Promise.resolve();
  expect(callers).toHaveLength(0);
  controller.abort();
  open();
  await expect(made).rejects.toBeInstanceOf(Cancelled);
  expect(callers).toHaveLength(0);
});
