// The command line is killed before every step that changes a file or the state, while it makes in the workspace what a
// contained command changed in its view.
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import { builtCli } from "../cli/built.js";
import { bare, INITIALIZE, toolCall } from "../cli/mcpRig.js";
import { missingSandbox } from "../hosts/processes/missingSandbox.js";
import { plantTree, treeOf, type Tree } from "./tree.js";

const SIDE_BY_SIDE = 3;
/** Of the steps, each of which takes seconds, one in so many is tried; `TOOLHOST_ALL_KILLS` tries all. */
const EVERY = process.env["TOOLHOST_ALL_KILLS"] === undefined ? 4 : 1;
const BEFORE = { "a.txt": "one\n", "d/b.txt": "b\n", "d/e/c.txt": "c\n", "keep.txt": "kept\n" };
const COMMAND =
  "echo two >> a.txt; rm -r d; mkdir -p x/y; echo n > x/y/n.txt; printf '#!/bin/sh\\n' > x/run; chmod 755 x/run; mkdir empty";
const INPUT = {
  command: `python3 -c 'import subprocess; subprocess.call(["sh", "-c", ${JSON.stringify(COMMAND).replaceAll("'", "'\\''")}])'`,
};

const cli = builtCli();
let base: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "toolhost-views-")));
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
    ...{ TOOLHOST_SANDBOX: "work", ...env },
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

it.skipIf(missingSandbox() !== undefined)(
  "leaves all as before or all as after, whenever the process is killed, and nothing of the view",
  { timeout: 900_000 },
  async () => {
    const log = join(base, "log");
    const whole = await ran("whole", { FAULT_LOG: log });
    const after = await treeOf(whole.folder);
    expect(after).toEqual({
      "a.txt": "one\ntwo\n",
      "empty/": "folder",
      "keep.txt": "kept\n",
      "x/": "folder",
      "x/run": "#!/bin/sh\n 755",
      "x/y/": "folder",
      "x/y/n.txt": "n\n",
    } satisfies Tree);
    const before = await ran("none", { FAULT_KILL_AT: "1" }).then(({ folder }) => treeOf(folder));
    const steps = (await readFile(log, "utf8")).trimEnd().split("\n");
    const begin = steps.findIndex((step) => step.includes("/views"));
    expect(begin).toBeGreaterThan(0);
    const moments = steps.flatMap((step, index) =>
      index < begin ||
      index % EVERY !== 0 ||
      (step.includes("sqlite-run") && steps[index - 1]?.includes("sqlite-run") === true)
        ? []
        : [index + 1],
    );
    const seen = { before: 0, after: 0 };
    const worker = async (): Promise<void> => {
      for (let killAt = moments.shift(); killAt !== undefined; killAt = moments.shift()) {
        const name = `kill-${killAt}`;
        const { folder, isKilled } = await ran(name, { FAULT_KILL_AT: String(killAt) });
        if (!isKilled) {
          continue;
        }
        const env = { ...process.env, TOOLHOST_STATE: join(base, `${name}-state`), TOOLHOST_SANDBOX: "work" };
        const listed = await cli.run(["--workspace", folder, "undo", "--list"], { env });
        expect(listed.code).toBe(0);
        const found = await treeOf(folder);
        const isAfter = "empty/" in found;
        expect(found).toEqual(isAfter ? after : before);
        seen[isAfter ? "after" : "before"]++;
        if (isAfter) {
          // It can be taken back.
          expect((await cli.run(["--workspace", folder, "undo"], { env })).code).toBe(0);
          expect(await treeOf(folder)).toEqual(before);
        }
        // The next command that gets a view removes what the killed process kept aside.
        await cli.run(["--workspace", folder, "explain", "exec", "--input", JSON.stringify(INPUT)], { env });
        const views = join(base, `${name}-state`, "views");
        expect(existsSync(views) ? readdirSync(views) : []).toEqual([]);
        await rm(folder, { recursive: true });
        await rm(`${folder}-state`, { recursive: true });
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
    expect(seen.before).toBeGreaterThan(0);
    expect(seen.after).toBeGreaterThan(0);
  },
);
