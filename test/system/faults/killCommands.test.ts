// The command line is killed before every step that changes a file or the state, while a command of a model runs, is
// compared with what was there before, and is recorded: afterwards what it had done can be taken back, all of it.
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import { builtCli } from "../cli/built.js";
import { bare, INITIALIZE, toolCall } from "../cli/mcpRig.js";
import { plantTree, treeOf } from "./tree.js";

const SIDE_BY_SIDE = 3;
/** Of the steps, each of which takes seconds, one in so many is tried; `TOOLHOST_ALL_KILLS` tries all. */
const EVERY = process.env["TOOLHOST_ALL_KILLS"] === undefined ? 2 : 1;
const BEFORE = { "a.txt": "one\ntwo\n", "d/b.txt": "b\n", "d/e/c.txt": "c\n", "keep.txt": "kept\n", "n.txt": "n\n" };
/** Nobody is asked about it, since undo takes it back. */
const INPUT = { command: "sed -i s/one/1/ a.txt && mv d lib && cp keep.txt n.txt && mkdir -p x && echo x > x/y" };

const cli = builtCli();
let base: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "toolhost-killed-")));
  await build({
    entryPoints: [fileURLToPath(new URL("preload.ts", import.meta.url))],
    outfile: join(base, "preload.cjs"),
    ...{ bundle: true, platform: "node", format: "cjs", target: "node20" },
  });
  return () => rm(base, { recursive: true, force: true });
});

/** Runs the command in a fresh workspace with a fresh state. @returns whether its process was killed */
async function ran(name: string, env: Record<string, string>): Promise<{ folder: string; isKilled: boolean }> {
  const folder = join(base, name);
  await plantTree(folder, BEFORE);
  const client = bare(cli, folder, [], {
    ...process.env,
    ...{ NODE_OPTIONS: `--require=${join(base, "preload.cjs")}`, TOOLHOST_STATE: join(base, `${name}-state`) },
    ...{ TOOLHOST_SANDBOX: "read", ...env },
  });
  client.send(INITIALIZE);
  client.send(toolCall(1, "exec", INPUT));
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
}

it.skipIf(process.platform !== "linux")(
  "is taken back as a whole, whenever the process is killed",
  { timeout: 900_000 },
  async () => {
    const log = join(base, "log");
    const whole = await ran("whole", { FAULT_LOG: log });
    const after = await treeOf(whole.folder);
    const before = await ran("none", { FAULT_KILL_AT: "1" }).then(({ folder }) => treeOf(folder));
    expect(Object.keys(after)).toEqual(expect.arrayContaining(["lib/b.txt", "x/y"]));
    expect(after["a.txt"]).toBe("1\ntwo\n");
    const steps = (await readFile(log, "utf8")).trimEnd().split("\n");
    const moments = steps.flatMap((step, index) =>
      index % EVERY !== 0 || (step.includes("sqlite-run") && steps[index - 1]?.includes("sqlite-run") === true)
        ? []
        : [index + 1],
    );
    const seen = { before: 0, changed: 0, told: 0 };
    const worker = async (): Promise<void> => {
      for (let killAt = moments.shift(); killAt !== undefined; killAt = moments.shift()) {
        const name = `kill-${killAt}`;
        const { folder, isKilled } = await ran(name, { FAULT_KILL_AT: String(killAt) });
        if (!isKilled) {
          continue;
        }
        const state = join(base, `${name}-state`);
        const env = { ...process.env, TOOLHOST_STATE: state };
        const toolhost = (...args: string[]): ReturnType<typeof cli.run> =>
          cli.run(["--workspace", folder, ...args], { env });
        const listed = await toolhost("undo", "--list");
        expect(listed.code).toBe(0);
        const found = await treeOf(folder);
        const isChanged = JSON.stringify(found) !== JSON.stringify(before);
        seen[isChanged ? "changed" : "before"]++;
        seen.told += /Toolhost was killed while a command ran/.test(listed.err) ? 1 : 0;
        if (isChanged) {
          const undone = await toolhost("undo");
          expect([killAt, steps[killAt - 1], undone.code, undone.err]).toEqual([killAt, steps[killAt - 1], 0, ""]);
        }
        expect(await treeOf(folder)).toEqual(before);
        const left = existsSync(state) ? readdirSync(state, { recursive: true, encoding: "utf8" }) : [];
        expect(left.filter((path) => path.endsWith(".snapshot"))).toEqual([]);
        await rm(folder, { recursive: true });
        await rm(state, { recursive: true, force: true });
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
    expect(seen.before).toBeGreaterThan(0);
    expect(seen.changed).toBeGreaterThan(0);
    expect(seen.told).toBeGreaterThan(0);
  },
);
