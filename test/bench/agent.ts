// Agents: what the loop adds to a model and its tools; opening a long session, adding to it, listing many. In plain
// Node on a real file. Writes its part of docs/benchmarks.md, and fails where a bar of issue 8 is missed.
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { Agents } from "../../src/agent/agents.js";
import { directCaller } from "../../src/agent/directCaller.js";
import { RecentActivity } from "../../src/core/pipeline/activity.js";
import { defineTool } from "../../src/core/defineTool.js";
import { Pipeline } from "../../src/core/pipeline/pipeline.js";
import { Registry } from "../../src/core/registry.js";
import type { SessionLog } from "../../src/features/sessions/sessionLog.js";
import { WorkspaceStates } from "../../src/hosts/node/state/workspaceState.js";
import { NodeDisk } from "../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../src/hosts/node/disk/files.js";
import type { ChatModel, ModelMessage } from "../../src/ports/models.js";
import { tools } from "../../src/tools/index.js";
import { writePart } from "./page.js";
import type { Tally } from "./tally.js";

const ROUNDS = 15;
const MESSAGES = 10_000;
const SESSIONS = 500;
/** Requests of a measured turn. */
const ITERATIONS = 50;
/** Messages of the long session that a turn is run in: more than the room of most models holds. */
const LONG = 2_000;

/** What was measured; milliseconds by the clock, and of the processor. */
interface Row {
  title: string;
  times: number[];
  processor: number[];
  /** Milliseconds by the clock that the median must stay below; none where the issue names none. */
  bar?: number;
}

export async function runBench({ repository }: { repository: string }): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-bench-"));
  const before = process.env["TOOLHOST_STATE"];
  process.env["TOOLHOST_STATE"] = join(folder, "state");
  try {
    // A bench of another part of the agent is one more line here.
    const rows = [...(await measureLoop(folder)), ...(await measureSessions(folder))];
    return report(repository, rows);
  } finally {
    if (before === undefined) {
      delete process.env["TOOLHOST_STATE"];
    } else {
      process.env["TOOLHOST_STATE"] = before;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(repository: string, rows: readonly Row[]): Tally {
  const measured = rows.map(({ title, times, processor, bar }) => ({
    title,
    bar,
    median: middle(times),
    used: middle(processor),
  }));
  const missed = measured.filter(({ bar, median }) => bar !== undefined && median >= bar);
  const part = [
    "## The agent",
    "",
    `Plain Node ${process.versions.node} on ${cpus()[0]?.model ?? "this machine"}, ${cpus().length} cores; the median of ${ROUNDS} rounds. The bars are for the time by the clock: run it on a quiet machine.`,
    "",
    "| | processor | by the clock | |",
    "|---|---|---|---|",
    ...measured.map(
      ({ title, bar, median, used }) =>
        `| ${title} | ${shown(used)} | ${shown(median)} | ${bar === undefined ? "" : `${median < bar ? "held" : "**missed**"}: below ${bar} ms`} |`,
    ),
  ].join("\n");
  console.log(part);
  writePart(repository, "agent", part);
  const bars = measured.filter(({ bar }) => bar !== undefined).length;
  return {
    passed: bars - missed.length,
    failed: missed.length,
    skipped: 0,
    failures: missed.map(({ title, median }) => ({ title, message: `it is ${shown(median)}` })),
  };
}

/** A tool that gives what a small page of a file gives, at once. */
const instant = defineTool({
  name: "instant",
  group: "fs",
  title: "Instant",
  description: "Gives a text.",
  input: () => z.object({ path: z.string().describe("A path."), round: z.int().describe("Which call it is.") }),
  output: () => z.object({ path: z.string() }),
  needs: [],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  touches: ({ path }) => [{ kind: "read", path }],
  summary: ({ path }) => `Giving ${path}`,
  execute: ({ path, round }) =>
    Promise.resolve({ text: `${round}  const value = compute(input, { strict: true });\n`.repeat(20), data: { path } }),
});

/**
 * What a turn takes with a model that answers at once and a tool that does nothing: the loop, the pipeline with
 * permission, and the log.
 */
async function measureLoop(folder: string): Promise<Row[]> {
  const states = openStates(folder);
  const registry = new Registry();
  for (const tool of [...tools, instant]) {
    registry.register(tool);
  }
  const files = new NodeFiles(new NodeDisk(), [{ name: "bench", path: folder, scheme: "file" }]);
  const pipeline = new Pipeline({
    registry,
    capabilities: { files },
    settings: () => ({
      mode: "default",
      trusted: true,
      defaultTimeout: 30_000,
      timeoutSetBy: "a test",
      isGroupEnabled: () => true,
    }),
    activity: new RecentActivity(),
    now: Date.now,
  });
  const agents = new Agents({
    log: async () => (await states.current()).sessions,
    files,
    results: undefined,
    models: {
      list: () => Promise.resolve({ models: [], problems: [] }),
      find: () => Promise.reject(new Error("none")),
    },
    tools: () => [...registry.list()],
    callTool: directCaller({ pipeline, door: "cli" }),
    isTrusted: () => true,
    hasMemory: () => true,
    now: Date.now,
  });
  const run = async (session: string): Promise<void> => {
    const result = await agents.run({
      ...{
        session,
        kind: "agent",
        content: [{ type: "text", text: "Go on." }],
        model: callingModel(ITERATIONS),
        tools: registry.list(),
        callTool: directCaller({ pipeline, door: "cli" }),
      },
      ...{ maxIterations: ITERATIONS, signal: new AbortController().signal, onEvent: () => undefined },
    });
    if (result.reason !== "limit" || result.seq === undefined) {
      throw new Error(`the turn ended otherwise than it should: ${result.reason} ${result.message}`);
    }
  };
  let fresh = 0;
  const short = await measured(
    "one request of an agent with a call, all but the model and the tool",
    () => run(`fresh${(fresh += 1)}`),
    1,
    ITERATIONS,
  );
  await fill((await states.current()).sessions, "grown", LONG);
  const long = await measured(`the same in a session of ${LONG} messages`, () => run("grown"), 1, ITERATIONS);
  states.close();
  return [
    { ...short, bar: 5 },
    { ...long, bar: 5 },
  ];
}

/** Calls the tool in each answer. */
function callingModel(iterations: number): ChatModel {
  let round = 0;
  return {
    ...{ id: "bench/model", name: "Bench", maxInputTokens: 2_000_000, seesImages: false },
    async *send({ withoutCalls = false }) {
      round += 1;
      yield { type: "text", text: `Step ${round} of ${iterations}.` };
      if (!withoutCalls) {
        yield { type: "call", id: `call_${round}`, name: "instant", input: { path: "src/a.ts", round } };
      }
      yield { type: "usage", input: 1_000, output: 20 };
    },
  };
}

async function measureSessions(folder: string): Promise<Row[]> {
  let states = openStates(folder);
  const long = (await states.current()).sessions;
  await fill(long, "long", MESSAGES);
  await fill(long, "summed", MESSAGES, MESSAGES - 400);
  const grown = await measured(
    `add one message of 1 KB to a session of ${MESSAGES}`,
    async () => void (await long.append("long", "t", said("user", "x".repeat(1_000)))),
    20,
  );
  for (let number = 0; number < SESSIONS - 2; number += 1) {
    await fill(long, `s${number}`, 2);
  }
  states.close();
  const open = async (session: string): Promise<void> => {
    states = openStates(folder);
    const log = (await states.current()).sessions;
    if ((await log.context(session)).length === 0 || (await log.status(session)).messages === 0) {
      throw new Error(`${session}: nothing was read`);
    }
    states.close();
  };
  const rows: Row[] = [
    {
      ...(await measured(`open the state and a session of ${MESSAGES} messages, all of them`, () => open("long"))),
      bar: 100,
    },
    {
      ...(await measured(`open the state and a session of ${MESSAGES} messages, summed up but for 400`, () =>
        open("summed"),
      )),
      bar: 100,
    },
    grown,
  ];
  states = openStates(folder);
  const log = (await states.current()).sessions;
  rows.push(await measured(`list ${SESSIONS} sessions`, async () => void (await log.list(SESSIONS))));
  rows.push(
    await measured("the latest 50 messages of a long session", async () => void (await log.history("long", 50)), 5),
  );
  states.close();
  return rows;
}

function openStates(folder: string): WorkspaceStates {
  return new WorkspaceStates({
    folders: () => [folder],
    look: () => Promise.resolve(undefined),
    foldCase: false,
    onNotice: () => undefined,
    onRecovered: () => undefined,
  });
}

/**
 * A session as agents make them: a question, then calls with their results, an answer now and then. @param upTo
 * messages that a summary stands for
 */
async function fill(log: SessionLog, session: string, messages: number, upTo?: number): Promise<void> {
  await log.beginTurn({ session, turn: session, kind: "chat", title: `Session ${session}`, model: "bench/model" });
  for (let number = 0; number < messages; number += 1) {
    const seq = await log.append(session, session, messageOf(number));
    if (number === upTo) {
      await log.compact(session, session, said("user", "What was before, in short. ".repeat(100)), seq);
    }
  }
  await log.addTokens(session, { input: 1_000, output: 100, estimated: false }, undefined);
  await log.endTurn(session, session);
}

function messageOf(number: number): ModelMessage {
  const id = `call_${Math.floor(number / 4)}`;
  switch (number % 4) {
    case 0:
      return said("user", "Please look into the failing test and say what is wrong with it. ".repeat(3));
    case 1:
      return {
        role: "assistant",
        content: [
          { type: "text", text: "I read the file first." },
          { type: "call", id, name: "read", input: { path: `src/some/file${number}.ts`, limit: 200 } },
        ],
      };
    case 2:
      return {
        role: "user",
        content: [
          { type: "result", id, text: `${number}  const value = compute(input, { strict: true });\n`.repeat(20) },
        ],
      };
    default:
      return said(
        "assistant",
        "The test expects the old order of the fields; the new one is right. I change the test. ".repeat(4),
      );
  }
}

function said(role: "user" | "assistant", text: string): ModelMessage {
  return { role, content: [{ type: "text", text }] };
}

/**
 * @param times how often the work is done in a round: more for what is over sooner than the clock of the processor
 * ticks
 * @param parts what one work consists of: a row tells the time of one
 */
async function measured(title: string, work: () => Promise<void>, times = 1, parts = 1): Promise<Row> {
  const row: Row = { title, times: [], processor: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const used = process.cpuUsage();
    const began = performance.now();
    for (let time = 0; time < times; time += 1) {
      await work();
    }
    const elapsed = performance.now() - began;
    const { user, system } = process.cpuUsage(used);
    // The first one warms up.
    if (round > 0) {
      row.times.push(elapsed / times / parts);
      row.processor.push((user + system) / 1_000 / times / parts);
    }
  }
  return row;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function shown(milliseconds: number): string {
  return `${milliseconds.toFixed(milliseconds < 10 ? 2 : 0)} ms`;
}
