// What a pipe takes of memory, in a process of its own: `pipeMemory` starts it, `measureHere` runs in it.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import * as z from "zod";
import { RecentActivity } from "../../src/core/pipeline/activity.js";
import { ChangeKeeper } from "../../src/features/changes/changes.js";
import { defineTool } from "../../src/core/defineTool.js";
import { lookAt } from "../../src/features/changes/journal/look.js";
import { Pipeline } from "../../src/core/pipeline/pipeline.js";
import { ProcessTable } from "../../src/features/processes/processTable.js";
import { Registry } from "../../src/core/registry.js";
import { NodeDisk } from "../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../src/hosts/node/disk/files.js";
import { NodeSpawner } from "../../src/hosts/node/processes/spawner.js";
import { ResultFiles } from "../../src/hosts/node/state/results.js";
import { DiskSpool } from "../../src/hosts/node/state/spool.js";
import { openRoots } from "../../src/hosts/node/workspace.js";
import { WorkspaceStates } from "../../src/hosts/node/state/workspaceState.js";
import { tools } from "../../src/tools/index.js";

/** What is piped, and by whom. */
export const pipeCases = {
  exec: { title: "pipe of a command's output", line: "a line of thirty-two characters" },
  letters: { title: "pipe of a command's output that is not ASCII", line: "eine Zeile mit dreißig Zeichen…" },
  text: { title: "pipe of a tool's text", line: "a line of thirty-two characters" },
  data: { title: "pipe of a tool's data", line: "" },
  plain: { title: "Node alone: a command's output into a file", line: "a line of thirty-two characters" },
  plainData: { title: "Node alone: JSON.stringify into a file", line: "" },
} as const;

export type PipeCase = keyof typeof pipeCases;

export interface PipeMemory {
  /** Bytes that the process took at its peak over what it had before. */
  peak: number;
  /** Bytes of the file. */
  written: number;
}

/** Bytes of the pipe that is made before, so that what is loaded once does not count. */
const WARM_UP = 1_000_000;

/** Measures a pipe of so many bytes in a new process. */
export async function pipeMemory(repository: string, name: PipeCase, bytes: number): Promise<PipeMemory> {
  const [loader, module] = ["scripts/load-typescript.mjs", "test/bench/pipeMemory.ts"].map((path) =>
    join(repository, path),
  );
  const script = `
    const { loadTypeScript } = await import(${JSON.stringify(pathToFileURL(loader ?? "").href)});
    const { measureHere } = await loadTypeScript(${JSON.stringify(module)});
    console.log(JSON.stringify(await measureHere(${JSON.stringify(name)}, ${bytes})));
    process.exit(0);`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--expose-gc", "--no-warnings", "--input-type=module", "-e", script],
    { cwd: repository },
  );
  return JSON.parse(stdout) as PipeMemory;
}

/** Measures a pipe in this process: its peak is that of the whole process, so nothing else may run in it. */
export async function measureHere(name: PipeCase, bytes: number): Promise<PipeMemory> {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-bench-"));
  const host = openHost(folder);
  try {
    const run = runner(name, folder, host);
    await run(WARM_UP, "warm.txt")();
    // What the tool gives is its own; the pipe's is what comes to it.
    const measured = run(bytes, "measured.txt");
    // Memory beside the engine's own is given back a moment later.
    for (const _ of [1, 2]) {
      globalThis.gc?.();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const before = process.memoryUsage().rss;
    let peak = 0;
    const look = (): number => (peak = Math.max(peak, process.memoryUsage().rss));
    const timer = setInterval(look, 5);
    const file = await measured();
    look();
    clearInterval(timer);
    return { peak: peak - before, written: statSync(file).size };
  } finally {
    await host.table.closeAll();
    host.states.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prepares a pipe of so many bytes, which then gives the file. */
function runner(name: PipeCase, folder: string, host: Host): (bytes: number, path: string) => () => Promise<string> {
  const { line } = pipeCases[name];
  const plain = (path: string): string => join(folder, path);
  return (bytes, path) => {
    const command = `yes '${line}' | head -c ${bytes}`;
    switch (name) {
      case "exec":
      case "letters":
        return () => host.pipe("exec", { command }, path);
      case "text": {
        host.given.text = Buffer.alloc(bytes, `${line}\n`).toString();
        return () => host.pipe("given", {}, path);
      }
      case "data": {
        host.given = { text: "", data: rowsOf(bytes) };
        return () => host.pipe("given", {}, path);
      }
      case "plain":
        return async () => {
          const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "inherit"] });
          await Promise.all([pipeline(child.stdout, createWriteStream(plain(path))), once(child, "close")]);
          return plain(path);
        };
      case "plainData": {
        const data = rowsOf(bytes);
        return async () => {
          await writeFile(plain(path), JSON.stringify(data, undefined, 2));
          return plain(path);
        };
      }
    }
  };
}

/** A table that is about so many bytes of JSON. */
function rowsOf(bytes: number): unknown {
  return {
    rows: Array.from({ length: bytes / 100 }, (_, id) => ({
      id,
      name: `row number ${id} of the table`,
      text: "some words in it",
    })),
  };
}

type Host = ReturnType<typeof openHost>;

/** The tools in a folder, as the command line has them, and one that gives what it is told to. */
function openHost(folder: string) {
  const workspace = join(folder, "workspace");
  mkdirSync(workspace);
  const files = new NodeFiles(new NodeDisk(), openRoots(workspace, undefined));
  process.env["TOOLHOST_STATE"] = join(folder, "state");
  const states = new WorkspaceStates({
    folders: () => [workspace],
    look: (key) => lookAt(files, key),
    foldCase: false,
    onNotice: console.error,
    onRecovered: () => undefined,
  });
  const results = new ResultFiles(() => Promise.resolve(join(folder, "results")));
  const table = new ProcessTable({ spawner: new NodeSpawner(), results });
  const host = { table, states, pipe, given: { text: "" } as { text: string; data?: unknown } };
  const registry = new Registry();
  const given = defineTool({
    ...({
      name: "given",
      group: "fs",
      title: "Given",
      description: "Gives what it is told to.",
      input: () => z.object({}),
      output: () => z.unknown(),
      needs: [],
      touches: () => [],
      summary: () => "Giving",
    } as const),
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    execute: async () => host.given,
  });
  for (const tool of [...tools, given]) {
    registry.register(tool);
  }
  const calls = new Pipeline({
    registry,
    capabilities: { files, results, processes: table, spool: new DiskSpool(new NodeDisk()) },
    changes: new ChangeKeeper({ writer: files, state: () => states.current(), tellsProblems: () => false }),
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
  return host;

  async function pipe(tool: string, input: unknown, path: string): Promise<string> {
    const request = { tool_name: tool, tool_input: input, path };
    const outcome = await calls.invoke("pipe", request, {
      door: "cli",
      session: "bench",
      signal: new AbortController().signal,
      authority: "owner",
    });
    if (!outcome.ok) {
      throw new Error(`pipe of ${tool}: ${outcome.error.message}`);
    }
    return join(workspace, ".toolhost/context", path);
  }
}
