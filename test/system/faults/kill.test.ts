// The command line is killed before every step that changes a file or the state, while it applies a patch of several
// files.
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { build } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import { ChangeKeeper } from "../../../src/features/changes/changes.js";
import { lookAt } from "../../../src/features/changes/journal/look.js";
import type { Recovered } from "../../../src/features/changes/journal/types.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../../src/hosts/node/disk/files.js";
import { WorkspaceStates } from "../../../src/hosts/node/state/workspaceState.js";
import { builtCli, type Finished } from "../cli/built.js";
import { AFTER, BEFORE, PATCH, plantTree, treeOf, type Tree } from "./tree.js";

/** Processes at a time: two cores, and each waits for its disk. */
const SIDE_BY_SIDE = 3;

const cli = builtCli();
let base: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "toolhost-faults-")));
  await build({
    entryPoints: [fileURLToPath(new URL("preload.ts", import.meta.url))],
    outfile: join(base, "preload.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
  });
  return () => rm(base, { recursive: true, force: true });
});

function patched(folder: string, env: Record<string, string>): Promise<Finished> {
  const NODE_OPTIONS = `--require=${join(base, "preload.cjs")}`;
  return cli.run(["--workspace", folder, "run", "apply_patch", "--input", "-", "--json"], {
    input: JSON.stringify({ patch: PATCH }),
    env: { ...process.env, NODE_OPTIONS, ...env },
  });
}

const without = (tree: Tree, isLeftOut: (path: string) => boolean): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([path]) => !isLeftOut(path)));
const isTemporary = (path: string): boolean => path.includes(".toolhost-");
const isFolder = (path: string): boolean => path.endsWith("/");

/** What a process that comes after finds: every file whole under its name, or for a moment under none. */
function expectWhole(files: Tree): void {
  for (const path of Object.keys({ ...BEFORE, ...AFTER, ...files }).filter((each) => !isFolder(each))) {
    expect([(BEFORE as Tree)[path], AFTER[path], undefined]).toContain(files[path]);
  }
}

/** A process that comes after the killed one: what it finds, what it makes of it, and what it tells. */
async function comeAfter(folder: string): Promise<string> {
  const before: Tree = { ...BEFORE, "gone/": "folder" };
  const left = await treeOf(folder);
  expectWhole(without(left, isTemporary));
  const files = new NodeFiles(new NodeDisk(), [{ name: "work", path: folder, scheme: "file" }]);
  const recovered: Recovered[] = [];
  const states = new WorkspaceStates({
    folders: () => [folder],
    look: (key) => lookAt(files, key),
    foldCase: false,
    onNotice: (message) => expect.fail(message),
    onRecovered: (told) => recovered.push(...told),
  });
  const { journal } = await states.current();
  const found = await treeOf(folder);
  const turns = journal?.queries.turns(10) ?? [];
  // As a whole: all before, and the journal knows nothing of it, or all after, and it can be taken back.
  expect(found).toEqual(turns.length === 0 ? before : AFTER);
  expect(recovered.flatMap((each) => each.files.map(({ state }) => state))).toEqual(
    recovered.flatMap((each) => each.files.map(() => "not_applied")),
  );
  const [turn] = turns;
  if (turn !== undefined) {
    const keeper = new ChangeKeeper({
      writer: files,
      state: (again) => states.current(again),
      tellsProblems: () => false,
    });
    await keeper.undo(
      { session: "later", turn: "later", callId: "later", door: "cli", summary: "" },
      { session: turn.session, turn: turn.turn },
      files,
      new AbortController().signal,
    );
    expect(await treeOf(folder)).toEqual(before);
  }
  states.close();
  const wasMixed =
    !isDeepStrictEqual(without(left, isTemporary), before) && !isDeepStrictEqual(without(left, isTemporary), AFTER);
  return `${wasMixed ? "mixed" : "whole"}, then ${turn === undefined ? "before" : "after"}`;
}

it(
  "finds all files as before or all as after, and nothing else, whenever the process is killed",
  { timeout: 300_000 },
  async () => {
    const whole = join(base, "whole");
    const log = join(base, "log");
    // The first run of all makes the tables of what all workspaces share.
    await plantTree(join(base, "first"), BEFORE);
    await patched(join(base, "first"), {});
    await plantTree(whole, BEFORE);
    const { code, err } = await patched(whole, { FAULT_LOG: log });
    expect([code, err]).toEqual([0, ""]);
    expect(await treeOf(whole)).toEqual(AFTER);
    const steps = (await readFile(log, "utf8")).trimEnd().split("\n");
    // Files are made, written, flushed, named, renamed and removed; the state is written before and after.
    expect([...new Set(steps.map((step) => step.split(" ")[1]))].sort()).toEqual([
      "link",
      "mkdir",
      "open",
      "rename",
      "rm",
      "sqlite-exec",
      "sqlite-run",
      "sync",
      "writeFile",
    ]);
    // One statement of a transaction after the other: what the first one changes is as little there as what the next one
    // does.
    const moments = steps.flatMap((step, index) =>
      step.includes("sqlite-run") && steps[index - 1]?.includes("sqlite-run") ? [] : [index + 1],
    );

    const seen = new Set<string>();
    let unreached = 0;
    const worker = async (): Promise<void> => {
      for (let killAt = moments.shift(); killAt !== undefined; killAt = moments.shift()) {
        const folder = join(base, `kill-${killAt}`);
        await plantTree(folder, BEFORE);
        const ended = await patched(folder, { FAULT_KILL_AT: String(killAt) });
        if (ended.signal !== "SIGKILL") {
          // A run has a few steps more or less: where it waited for the state, say. This one came to its end before.
          expect([ended.code, ended.err]).toEqual([0, ""]);
          unreached += 1;
        }
        seen.add(
          await comeAfter(folder).catch((error: unknown) => {
            throw new Error(
              `killed before step ${steps[killAt - 1] ?? ""}: ${error instanceof Error ? error.message : String(error)}`,
              { cause: error },
            );
          }),
        );
        // The folder stays: another one would be given its number, under which the killed process still holds a lock, and
        // have more steps.
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
    expect(unreached).toBeLessThan(5);
    // It was killed between any two of the files, too.
    expect([...seen].sort()).toEqual(["mixed, then before", "whole, then after", "whole, then before"]);
  },
);
