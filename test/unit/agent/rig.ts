import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.js";
import type { AgentCall, CallResult, TurnHost, TurnRequest, TurnResult } from "../../../src/agent/turn.js";
import { runTurn } from "../../../src/agent/turnRun.js";
import type { Tool } from "../../../src/core/contract.js";
import type { SessionLog } from "../../../src/features/sessions/sessionLog.js";
import { StoredSessions } from "../../../src/features/sessions/storedSessions.js";
import { openMemoryStore } from "../../../src/hosts/node/state/store.js";
import type { ChatModel, ModelEvent, ModelMessage, ModelRequest } from "../../../src/ports/models.js";
import { toolLike } from "../core/someTool.js";

/**
 * What the model does in answer to one request: says these, in this order; an error breaks off there, a promise is
 * waited for.
 */
export type Script = readonly (ModelEvent | Error | Promise<unknown>)[];

export const text = (said: string): ModelEvent => ({ type: "text", text: said });
export const call = (id: string, name: string, input: object = {}): ModelEvent => ({ type: "call", id, name, input });

/** Tools by what matters to the loop: how they are ordered, and whether they end the turn. */
const TOOLS: readonly Tool[] = [
  toolLike({ name: "read", paged: true }),
  toolLike({ name: "list" }),
  toolLike({
    name: "edit",
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    touches: (input) => [{ kind: "write", path: (input as { path: string }).path }],
  }),
  toolLike({
    name: "run",
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    touches: () => [{ kind: "command", command: "x" }],
  }),
  toolLike({
    name: "finish",
    terminal: true,
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  }),
];

/** A model that answers by script, its last answer again when it is asked further. */
export class ScriptedModel implements ChatModel {
  readonly id = "test/scripted";
  readonly name = "Scripted";
  readonly seesImages = false;
  readonly requests: ModelRequest[] = [];
  readonly #scripts: readonly Script[];
  readonly maxInputTokens: number | undefined;
  readonly prices?: { input: number; output: number };

  constructor(
    scripts: readonly Script[],
    { maxInputTokens, prices }: { maxInputTokens?: number; prices?: { input: number; output: number } } = {},
  ) {
    this.#scripts = scripts;
    this.maxInputTokens = maxInputTokens;
    if (prices !== undefined) {
      this.prices = prices;
    }
  }

  async *send(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    this.requests.push(structuredClone({ ...request }));
    for (const event of this.#scripts[Math.min(this.requests.length, this.#scripts.length) - 1] ?? []) {
      await Promise.resolve();
      signal.throwIfAborted();
      if (event instanceof Promise) {
        await Promise.race([event, aborted(signal)]);
      } else if (event instanceof Error) {
        throw event;
      } else {
        yield event;
      }
    }
  }
}

/** Rejects when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
  );
}

export function sessionLog(): StoredSessions {
  const store = openMemoryStore();
  if (store === undefined) {
    throw new Error("this Node has no SQLite");
  }
  return new StoredSessions({
    store,
    owner: { pid: process.pid, started: "test" },
    place: "a test",
    liveness: () => "alive",
    now: Date.now,
    underWay: new Set(),
  });
}

export interface Turn {
  result: TurnResult;
  events: AgentEvent[];
  model: ScriptedModel;
  /** Every call that was made, in the order in which they were handed over. */
  calls: AgentCall[];
  /** Milliseconds of every wait between two requests. */
  waits: number[];
  log: SessionLog;
}

export interface TurnOptions extends Partial<Omit<TurnRequest, "model" | "onEvent">> {
  log?: SessionLog;
  maxInputTokens?: number;
  prices?: { input: number; output: number };
  results?: TurnHost["results"];
  onEvent?: (event: AgentEvent) => void;
  systemPrompt?: TurnHost["systemPrompt"];
  onlyReads?: TurnHost["onlyReads"];
  guides?: TurnHost["guides"];
  /** In place of the script. */
  send?: ChatModel["send"];
}

/** Runs one turn with a scripted model on the real loop and the real log. */
export async function turn(
  scripts: readonly Script[],
  {
    log = sessionLog(),
    maxInputTokens,
    prices,
    results,
    onEvent,
    systemPrompt = () => Promise.resolve("You are a test."),
    guides,
    onlyReads = () => Promise.resolve(false),
    send,
    ...more
  }: TurnOptions = {},
): Promise<Turn> {
  const model = new ScriptedModel(scripts, {
    ...(maxInputTokens === undefined ? {} : { maxInputTokens }),
    ...(prices === undefined ? {} : { prices }),
  });
  if (send !== undefined) {
    model.send = send as ScriptedModel["send"];
  }
  const events: AgentEvent[] = [];
  const calls: AgentCall[] = [];
  const waits: number[] = [];
  const { callTool = answering(), ...request } = more;
  const result = await runTurn(
    {
      log,
      results,
      systemPrompt,
      onlyReads,
      ...(guides === undefined ? {} : { guides }),
      wait: (milliseconds, signal) => {
        signal.throwIfAborted();
        waits.push(Math.round(milliseconds));
        return Promise.resolve();
      },
    },
    {
      ...{
        session: randomUUID(),
        kind: "agent",
        content: [{ type: "text", text: "Why?" }],
        model,
        tools: TOOLS,
        signal: new AbortController().signal,
      },
      ...request,
      callTool: (made) => {
        calls.push(made);
        return callTool(made);
      },
      onEvent: (event) => {
        events.push(event);
        onEvent?.(event);
      },
    },
  );
  // However it ends, this is said once, and last.
  expect(events.filter(({ type }) => type === "end")).toEqual([events.at(-1)]);
  return { result, events, model, calls, waits, log };
}

/** Tools that answer with their name, once it is their turn. */
export function answering(
  results: Readonly<Record<string, Partial<CallResult>>> = {},
): (call: AgentCall) => Promise<CallResult> {
  return async ({ tool, ready }) => {
    await ready;
    return { ok: true, text: `result of ${tool}`, ...results[tool] };
  };
}

/** A conversation as short lines: `user: Why?`, `assistant: → read`, `user: ← result of read`. */
export function lines(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap(({ role, content }) =>
    content.map((part) => {
      switch (part.type) {
        case "text":
          return `${role}: ${part.text.trim()}`;
        case "media":
          return `${role}: (${part.mimeType})`;
        case "call":
          return `${role}: → ${part.name}`;
        case "result":
          return `${role}: ← ${part.text}`;
      }
    }),
  );
}
