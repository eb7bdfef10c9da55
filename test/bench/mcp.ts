// A call of an outside agent in a window beside the same call made in the window itself, in one run. The window's part
// (pipeline, socket, tools) runs in this process, the agent's in `toolhost mcp` with the SDK's client, as agents have it.
// Writes its part of docs/benchmarks.md.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { wireOutside } from "../../src/compose/cli/outside.js";
import { followOwnTools } from "../../src/compose/cli/ownTools.js";
import { openWorkspace } from "../../src/compose/cli/workspace.js";
import { Registry } from "../../src/core/registry.js";
import { PipelineTools } from "../../src/doors/mcp/pipelineTools.js";
import { WindowServer } from "../../src/doors/mcp/window/windowServer.js";
import { livenessOf, thisProcess } from "../../src/hosts/node/state/owner.js";
import { makeWindowNotes } from "../../src/hosts/node/state/stateFolder.js";
import { findWindow } from "../../src/doors/mcp/window/windowNotes.js";
import { tools } from "../../src/tools/index.js";
import { poll } from "../harness/poll.js";
import { writePart } from "./page.js";
import type { Tally } from "./tally.js";

const ROUNDS = 201;
/** Milliseconds of the median call over the same call in the window. */
const BAR = 5;

const calls: readonly [name: string, input: Record<string, unknown>][] = [
  ["read", { path: "a.txt" }],
  ["grep", { pattern: "line 7" }],
  ["ls", {}],
];

export async function runBench({ repository }: { repository: string }): Promise<Tally> {
  const state = mkdtempSync(join(tmpdir(), "toolhost-bench-state-"));
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolhost-bench-")));
  process.env["TOOLHOST_STATE"] = state;
  try {
    writeFileSync(join(folder, "a.txt"), Array.from({ length: 100 }, (_, at) => `line ${at}\n`).join(""));
    return await measure(repository, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(state, { recursive: true, force: true });
  }
}

async function measure(repository: string, folder: string): Promise<Tally> {
  const problem = (message: string): void => console.error(message);
  const target = { workspace: folder, root: [] };
  const workspace = openWorkspace({ target, folder: join(repository, "dist"), warn: problem });
  const registry = new Registry(tools);
  const own = await followOwnTools(registry, workspace, problem);
  const pipeline = wireOutside({ registry, workspace, own, rules: [], allowAll: false });
  const window = (session: string): PipelineTools =>
    new PipelineTools({
      ...{ folder, pipeline, registry, session, shipped: tools, planOnly: false, sendsData: false },
      ...{ results: workspace.state.results, isServed: () => true, confirm: { ask: async () => "no" as const } },
    });
  const server = new WindowServer(
    {
      ...{ notes: makeWindowNotes(), owner: thisProcess(), folders: () => new Map([[folder, ""]]) },
      open: (_flags, session) => window(session),
    },
    problem,
  );
  const client = new Client({ name: "bench", version: "1" });
  try {
    await poll("the window's note", () => findWindow(makeWindowNotes(), folder, livenessOf));
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(repository, "dist", "cli.js"), "mcp"],
        cwd: folder,
        env: process.env as Record<string, string>,
        stderr: "ignore",
      }),
    );
    return await compare(repository, window("bench-direct"), client);
  } finally {
    await client.close();
    server.dispose();
    await workspace.close();
  }
}

async function compare(repository: string, direct: PipelineTools, client: Client): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const rows: string[] = [];
  const [load = 0] = loadavg();
  const options = {
    ...{ client: "bench", turn: 1, answerSize: 7_800 },
    ...{ report: () => undefined, signal: new AbortController().signal },
  };
  for (const [name, input] of calls) {
    const inWindow: number[] = [];
    const attached: number[] = [];
    let told: string | undefined;
    let isSame = true;
    const inOwn = async (): Promise<void> => {
      const { text, ms } = await timed(async () => (await direct.call(name, input, options)).text);
      told ??= text;
      inWindow.push(ms);
    };
    const byMcp = async (): Promise<void> => {
      const { text, ms } = await timed(async () => textOf(await client.callTool({ name, arguments: input })));
      isSame &&= told === undefined || text === told;
      attached.push(ms);
    };
    for (let round = 0; round < ROUNDS; round++) {
      // Each is first in turn: what one leaves to do must not be counted as the other's.
      for (const call of round % 2 === 0 ? [inOwn, byMcp] : [byMcp, inOwn]) {
        await call();
      }
    }
    const more = median(attached.map((ms, round) => ms - (inWindow[round] ?? 0)));
    const isHeld = more < BAR;
    if (isHeld && isSame) {
      tally.passed++;
    } else {
      tally.failed++;
      const message = isSame ? `${more.toFixed(1)} ms more` : "it answers another text over MCP";
      tally.failures.push({ title: `mcp: ${name}`, message });
    }
    rows.push(
      `| \`${name}\` | ${median(inWindow).toFixed(2)} | ${median(attached).toFixed(2)} | ${more.toFixed(2)} | ${isHeld ? "held" : "**missed**"} |`,
    );
  }
  const part = [
    "## An outside agent's call in a window",
    `The same call in the window's own process and by MCP's client through \`toolhost mcp\` (standard input and output, then the window's socket), in turn, ${ROUNDS} times each: median milliseconds, and the median of what the second took more than the first beside it, on ${cpus().length} × ${cpus()[0]?.model ?? "unknown"} (load ${load.toFixed(1)} at the beginning). The bar: less than ${BAR} ms more.`,
    ["| call | in the window | over MCP | more | |", "|---|---|---|---|---|", ...rows].join("\n"),
  ].join("\n\n");
  writePart(repository, "mcp", part);
  return tally;
}

async function timed(call: () => Promise<string>): Promise<{ text: string; ms: number }> {
  const from = performance.now();
  const text = await call();
  return { text, ms: performance.now() - from };
}

function textOf({ content }: Awaited<ReturnType<Client["callTool"]>>): string {
  const [first] = content as { text?: string }[];
  return first?.text ?? "";
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
