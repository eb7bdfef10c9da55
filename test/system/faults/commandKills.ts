// Kills the command line before each step of a model's command that changes a file or the state.
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import { builtCli } from "../cli/built.js";
import { bare, INITIALIZE, toolCall } from "../cli/mcpRig.js";
import { plantTree, treeOf, type Tree } from "./tree.js";

const SIDE_BY_SIDE = 3;

/** What is killed. */
interface KilledCommand {
  /** The workspace before it. */
  files: Readonly<Record<string, string>>;
  input: { command: string };
  /** The value of TOOLHOST_SANDBOX. */
  sandbox: string;
}

/** A process that was killed, and what it left. */
interface Killed {
  folder: string;
  state: string;
  /** The step before which it was killed. */
  step: string;
  /** Runs the command line in the same folder and state. */
  toolhost: (...args: string[]) => ReturnType<ReturnType<typeof builtCli>["run"]>;
}

export interface CommandKills {
  /** Runs the command to its end, and so that it is killed before its first step: the trees, and the steps between. */
  whole(): Promise<{ before: Tree; after: Tree; steps: string[] }>;
  /**
   * Kills a process of its own before each of some steps.
   *
   * @param every of the steps, each of which takes seconds, one in so many; `TOOLHOST_ALL_KILLS` tries all
   * @param begin the first of the steps
   */
  each(steps: readonly string[], every: number, begin: number, check: (killed: Killed) => Promise<void>): Promise<void>;
}

/** For one suite: the folders are removed with its end. */
export function commandKills({ files, input, sandbox }: KilledCommand): CommandKills {
  const cli = builtCli();
  let base = "";

  beforeAll(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), "toolhost-killed-")));
    await build({
      entryPoints: [fileURLToPath(new URL("preload.ts", import.meta.url))],
      outfile: join(base, "preload.cjs"),
      ...{ bundle: true, platform: "node", format: "cjs", target: "node20" },
    });
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  /** Runs the command in a fresh workspace with a fresh state. @returns whether its process was killed */
  const ran = async (name: string, env: Record<string, string>): Promise<{ folder: string; isKilled: boolean }> => {
    const folder = join(base, name);
    await plantTree(folder, files);
    const client = bare(cli, folder, [], {
      ...process.env,
      ...{ NODE_OPTIONS: `--require=${join(base, "preload.cjs")}`, TOOLHOST_STATE: `${folder}-state` },
      ...{ TOOLHOST_SANDBOX: sandbox, ...env },
    });
    client.send(INITIALIZE);
    client.send(toolCall(1, "exec", input));
    const answered = client
      .hear("the answer", ({ id }) => id === 1)
      .then(
        () => "answered",
        () => "nothing",
      );
    const first = await Promise.race([answered, client.ended.then(() => "ended")]);
    if (first === "answered") {
      client.child.kill("SIGTERM");
      await client.ended;
    }
    return { folder, isKilled: first === "ended" };
  };

  return {
    whole: async () => {
      const log = join(base, "log");
      const { folder } = await ran("whole", { FAULT_LOG: log });
      const none = await ran("none", { FAULT_KILL_AT: "1" });
      const steps = (await readFile(log, "utf8")).trimEnd().split("\n");
      return { before: await treeOf(none.folder), after: await treeOf(folder), steps };
    },
    each: async (steps, every, begin, check) => {
      const isTried = (index: number): boolean =>
        index >= begin && (process.env["TOOLHOST_ALL_KILLS"] !== undefined || index % every === 0);
      const isRun = (index: number): boolean => steps[index]?.includes("sqlite-run") === true;
      // Statements that follow each other are one transaction.
      const moments = [...steps.keys()].filter((index) => isTried(index) && !(isRun(index) && isRun(index - 1)));
      const worker = async (): Promise<void> => {
        for (let index = moments.shift(); index !== undefined; index = moments.shift()) {
          const { folder, isKilled } = await ran(`kill-${index + 1}`, { FAULT_KILL_AT: String(index + 1) });
          if (!isKilled) {
            continue;
          }
          const state = `${folder}-state`;
          const env = { ...process.env, TOOLHOST_STATE: state, TOOLHOST_SANDBOX: sandbox };
          await check({
            ...{ folder, state, step: `${index + 1}: ${steps[index]}` },
            toolhost: (...args) => cli.run(["--workspace", folder, ...args], { env }),
          });
          await rm(folder, { recursive: true });
          await rm(state, { recursive: true, force: true });
        }
      };
      await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
    },
  };
}
