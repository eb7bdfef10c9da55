// The command line is killed before every step that changes a file or the state, while it applies a patch of several files.
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import { ChangeKeeper } from "../../../src/core/changes.js";
import { lookAt } from "../../../src/core/journal/look.js";
import type { Recovered } from "../../../src/core/journal/types.js";
import { NodeDisk } from "../../../src/hosts/node/disk.js";
import { NodeFiles } from "../../../src/hosts/node/files.js";
import { openStore } from "../../../src/hosts/node/store.js";
import { WorkspaceStates } from "../../../src/hosts/node/workspaceState.js";
import { builtCli, type Finished } from "../cli/built.js";
import { AFTER, BEFORE, PATCH, plantTree, treeOf, type Tree } from "./tree.js";

/** Processes at a time: two cores, and each waits for its disk. */
const SIDE_BY_SIDE = 3;

const cli = builtCli();
let base: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "toolhost-faults-")));
  await build({ entryPoints: [fileURLToPath(new URL("preload.ts", import.meta.url))], outfile: join(base, "preload.cjs"), bundle: true, platform: "node", format: "cjs", target: "node20" });
  return () => rm(base, { recursive: true, force: true });
});

function patched(folder: string, env: Record<string, string>): Promise<Finished> {
  const NODE_OPTIONS = `--require=${join(base, "preload.cjs")}`;
  return cli.run(["--workspace", folder, "run", "apply_patch", "--input", "-", "--json"], { input: JSON.stringify({ patch: PATCH }), env: { ...process.env, NODE_OPTIONS, ...env } });
}

const without = (tree: Tree, isLeftOut: (path: string) => boolean): Tree => Object.fromEntries(Object.entries(tree).filter(([path]) => !isLeftOut(path)));
const isTemporary = (path: string): boolean => path.includes(".toolhost-");
const isFolder = (path: string): boolean => path.endsWith("/");

/** What a change of the journal is about, and whether the files say that it was made: a move may be half made. */
function truth(files: Tree, from: string, to: string | null): "applied" | "not_applied" | "unknown" {
  const isAfter = (path: string): boolean => {
    const [before, after] = [(BEFORE as Tree)[path], AFTER[path]];
    // No half file, under no real name.
    expect([before, after]).toContain(files[path]);
    return files[path] === after;
  };
  const ends = [from, ...(to === null ? [] : [to])].map(isAfter);
  return ends.every((end) => end) ? "applied" : ends.some((end) => end) ? "unknown" : "not_applied";
}

/** A process that comes after the killed one: what it finds, what it tells, and what it brings back. */
async function comeAfter(folder: string): Promise<string> {
  const left = await treeOf(folder);
  const files = new NodeFiles(new NodeDisk(), [{ name: "work", path: folder, scheme: "file" }]);
  const real = without(left, (path) => isTemporary(path) || isFolder(path));
  expect(Object.keys({ ...BEFORE, ...AFTER })).toEqual(expect.arrayContaining(Object.keys(real)));

  const recovered: Recovered[] = [];
  const states = new WorkspaceStates({
    folders: () => [folder],
    look: (key) => lookAt(files, key),
    foldCase: false,
    onNotice: (message) => expect.fail(message),
    onRecovered: (told) => recovered.push(...told),
  });
  await states.current();
  expect(without(await treeOf(folder), isFolder)).toEqual(real);

  const { store } = await openStore({ folders: [folder] });
  const changes = store?.all<{ call: number; path: string; to_path: string | null; state: string }>("SELECT call, path, to_path, state FROM changes ORDER BY id") ?? [];
  store?.close();
  const known = changes.map(({ path, to_path: to, state }) => ({ path, state, real: truth(real, path, to) }));
  expect(known.map(({ path, state }) => ({ path, state }))).toEqual(known.map(({ path, real }) => ({ path, state: real })));
  const made = known.filter(({ real }) => real !== "not_applied").length;
  for (const { path, to, state } of recovered.flatMap((each) => each.files)) {
    expect([path, state]).toEqual([path, truth(real, path, to ?? null)]);
  }

  const [call] = changes;
  if (call === undefined) {
    // Not in the journal: it came to nothing.
    expect(real).toEqual(BEFORE);
  } else {
    const keeper = new ChangeKeeper({ writer: files, state: () => states.current(), tellsProblems: () => false });
    await keeper.undo({ session: "later", turn: "later", callId: "later", door: "cli", summary: "" }, { calls: [call.call] }, files, new AbortController().signal);
  }
  // Folders that were made are gone, too.
  expect(await treeOf(folder)).toEqual({ ...BEFORE, "gone/": "folder" });
  states.close();
  return `${made} of ${known.length}`;
}

it("finds every file as before or as after, knows which, and can take it back, whenever the process is killed", { timeout: 300_000 }, async () => {
  const whole = join(base, "whole");
  const log = join(base, "log");
  await plantTree(whole, BEFORE);
  const { code, err } = await patched(whole, { FAULT_LOG: log });
  expect([code, err]).toEqual([0, ""]);
  expect(await treeOf(whole)).toEqual(AFTER);
  const steps = (await readFile(log, "utf8")).trimEnd().split("\n");
  // Files are made, written, flushed, named, renamed and removed; the state is written before and after.
  expect([...new Set(steps.map((step) => step.split(" ")[1]))].sort()).toEqual(["chmod", "chown", "link", "mkdir", "open", "rename", "rm", "sqlite-exec", "sqlite-run", "sync", "writeFile"]);
  // One statement of a transaction after the other: what the first one changes is as little there as what the next one does.
  const moments = steps.flatMap((step, index) => (step.includes("sqlite-run") && steps[index - 1]?.includes("sqlite-run") ? [] : [index + 1]));

  const seen = new Set<string>();
  const worker = async (): Promise<void> => {
    for (let killAt = moments.shift(); killAt !== undefined; killAt = moments.shift()) {
      const folder = join(base, `kill-${killAt}`);
      await plantTree(folder, BEFORE);
      const ended = await patched(folder, { FAULT_KILL_AT: String(killAt) });
      expect([ended.signal, ended.err]).toEqual(["SIGKILL", ""]);
      seen.add(await comeAfter(folder).catch((error: unknown) => {
        throw new Error(`killed before step ${steps[killAt - 1] ?? ""}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }));
      await rm(folder, { recursive: true });
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  // It was killed between any two of the files.
  expect([...seen].sort()).toEqual(["0 of 0", ...Array.from({ length: 7 }, (_, index) => `${index + 1} of 7`)]);
});
