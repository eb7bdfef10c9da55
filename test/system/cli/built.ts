import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll } from "vitest";
import { bundle, wasmFiles } from "../../../scripts/bundles.mjs";
import { MOST_HELD_KB } from "../../harness/mostHeld.js";
import { poll } from "../../harness/poll.js";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

export interface BuiltCli {
  /** The script; its ripgrep is the package's. */
  script: string;
  /** The same script with no packages next to it. */
  alone: string;
  start: (args: readonly string[], options?: SpawnOptions & { script?: string }) => ChildProcess;
  /** Runs it to its end. */
  run: (args: readonly string[], options?: SpawnOptions & { input?: string | Buffer }) => Promise<Finished>;
}

/** What no command line loads, or takes long to build and is tested elsewhere. */
const OTHERS =
  /^dist\/(extension|window|server-code|explanation-page|add-server|add-tool-view|library|activity|activity-page|pdf-worker|page-worker)\.js$/;

/** The command line as it ships, built once for the test files of a process from the sources as they are. */
let built: Promise<Pick<BuiltCli, "script" | "alone">> | undefined;

async function buildCli(): Promise<Pick<BuiltCli, "script" | "alone">> {
  // In the folder that goes with the tests (unit-state.ts).
  const folder = await mkdtemp(join(process.env["TOOLHOST_STATE"] ?? tmpdir(), "cli-"));
  const script = join(folder, "with", "dist", "cli.js");
  const alone = join(folder, "alone", "cli.js");
  const files = await bundle({ version: "1.2.3", sourcemap: false, isWanted: (file) => !OTHERS.test(file) });
  await mkdir(dirname(script), { recursive: true });
  await Promise.all(files.map(({ path, contents }) => writeFile(join(dirname(script), basename(path)), contents)));
  await cp(dirname(script), dirname(alone), { recursive: true });
  for (const outfile of [script, alone]) {
    for (const wasm of wasmFiles) {
      await symlink(wasm, join(dirname(outfile), basename(wasm)));
    }
  }
  await symlink(join(repository, "node_modules"), join(folder, "with", "node_modules"));
  return { script, alone };
}

export function builtCli(): BuiltCli {
  const cli: BuiltCli = { script: "", alone: "", start, run };
  beforeAll(async () => {
    built ??= buildCli();
    Object.assign(cli, await built);
  });

  function start(
    args: readonly string[],
    { script = cli.script, ...options }: SpawnOptions & { script?: string } = {},
  ): ChildProcess {
    return spawn(process.execPath, [script, ...args], options);
  }

  async function run(
    args: readonly string[],
    { input, ...options }: SpawnOptions & { input?: string | Buffer } = {},
  ): Promise<Finished> {
    const child = start(args, { stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"], ...options });
    child.stdin?.on("error", () => undefined).end(input);
    return finish(child);
  }

  return cli;
}

/** Waits for a process and gives what it said. */
export async function finish(child: ChildProcess): Promise<Finished> {
  let out = "";
  let err = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (err += chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
  });
}

/** Lets the engine free memory up to forty times a second, in at most half of the time, and not when it likes. */
/** @param file gets the number of collections so far */
const collecting = (file: string): string => `
require("node:v8").setFlagsFromString("--expose-gc");
const gc = require("node:vm").runInNewContext("gc");
let collections = 0;
const collect = () => {
  const began = performance.now();
  gc();
  require("node:fs").writeFileSync(${JSON.stringify(file)}, String(++collections));
  setTimeout(collect, Math.max(25, performance.now() - began)).unref();
};
setTimeout(collect, 25).unref();`;

/**
 * A module to preload that writes the most memory its process ever held, in bytes, into a file.
 *
 * @param collects whether garbage is left out, of which a busy machine lets a process pile up what it likes
 * @returns `collected` waits until all that is garbage now was collected
 */
export async function memoryProbe(
  folder: string,
  collects = false,
): Promise<{ preload: string; file: string; collected: () => Promise<void> }> {
  const preload = join(folder, "probe.cjs");
  const file = join(folder, "memory");
  const collections = join(folder, "collections");
  await writeFile(
    preload,
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(file)}, String(${MOST_HELD_KB} * 1024)));${collects ? collecting(collections) : ""}`,
  );
  const count = async (): Promise<number> => Number(await readFile(collections, "utf8").catch(() => "0"));
  return {
    preload,
    file,
    collected: async () => {
      // The next one may be under way.
      const until = (await count()) + 2;
      await poll("a collection of garbage", async () => (await count()) >= until);
    },
  };
}
