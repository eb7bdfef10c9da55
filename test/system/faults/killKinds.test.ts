// Every kind of change is killed: before each step after which something is there that was not before, and, on demand,
// at random; and processes that begin at once change one file. `TOOLHOST_KILLS=300 TOOLHOST_SEED=7 npx vitest …
// killKinds` has the long series.
import { existsSync, writeFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { ChangeKeeper } from "../../../src/features/changes/changes.js";
import type { CommandChange } from "../../../src/features/changes/commandChanges.js";
import { lookAt } from "../../../src/features/changes/journal/look.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../../src/hosts/node/disk/files.js";
import { WorkspaceStates } from "../../../src/hosts/node/state/workspaceState.js";
import { poll } from "../../harness/poll.js";
import { builtCli, finish, type Finished } from "../cli/built.js";
import { plantTree, treeOf, type Tree } from "./tree.js";

/** Rounds of the random series. */
const ROUNDS = Number(process.env["TOOLHOST_KILLS"] ?? 0);
const SEED = Number(process.env["TOOLHOST_SEED"] ?? 1);
const BARRIER_ROUNDS = ROUNDS > 0 ? 10 : 1;
/** Processes at a time: two cores, and each waits for its disk. */
const SIDE_BY_SIDE = 3;
const TIMEOUT = 600_000;
/** Steps before which something is there that was not before the one before; see `killWork.test.ts`. */
const LEAVES = /^\d+ (?:open|writeFile|link|symlink|rename|rm|rmdir|mkdir|fchmod|sqlite-exec COMMIT)(?: |$)/;

const cli = builtCli();
let base: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "toolhost-kinds-")));
  await build({
    entryPoints: [fileURLToPath(new URL("preload.ts", import.meta.url))],
    outfile: join(base, "preload.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
  });
  // The first run of all makes the tables of what all workspaces share.
  await plantTree(join(base, "first"), { f: "a\n" });
  await begin(join(base, "first"), ["edit", "f", "--old-text", "a", "--new-text", "b"]).ended;
  return () => rm(base, { recursive: true, force: true });
});

interface Kind {
  name: string;
  files: Record<string, string>;
  /** Made, and sometimes taken back, before. */
  prepare?: "edited" | "undone" | "commanded" | "swapped";
  /** A tool and its input; the command line's own undo where there is none. */
  tool?: string;
  input?: Record<string, unknown>;
}

const patch = (...lines: string[]): Record<string, string> => ({
  patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
});
const kinds: Kind[] = [
  { name: "edit", files: { f: "one\n" }, tool: "edit", input: { path: "f", old_text: "one", new_text: "two" } },
  {
    name: "multi_edit",
    files: { f: "one\n", g: "one\n" },
    tool: "multi_edit",
    input: { edits: ["f", "g"].map((path) => ({ path, old_text: "one", new_text: "two" })) },
  },
  {
    name: "write of a new file",
    files: { f: "one\n" },
    tool: "write",
    input: { path: "new/deep/g", content: "made\n" },
  },
  { name: "write over a file", files: { f: "one\n" }, tool: "write", input: { path: "f", content: "two\n" } },
  {
    name: "apply_patch that moves",
    files: { "d/f": "one\n" },
    tool: "apply_patch",
    input: patch("*** Update File: d/f", "*** Move to: new/g"),
  },
  {
    name: "apply_patch that deletes",
    files: { "d/f": "one\n", g: "\0\xff" },
    tool: "apply_patch",
    input: patch("*** Delete File: d/f", "*** Delete File: g"),
  },
  {
    name: "context_write",
    files: { f: "one\n" },
    tool: "context_write",
    input: { path: "a/b.txt", content: "kept\n" },
  },
  {
    name: "context_delete",
    files: { ".toolhost/context/.gitignore": "*\n", ".toolhost/context/a/b.txt": "kept\n" },
    tool: "context_delete",
    input: { path: "a" },
  },
  { name: "memory_write", files: { f: "one\n" }, tool: "memory_write", input: { key: "note", value: "kept" } },
  { name: "undo", files: { f: "one\n" }, prepare: "edited" },
  { name: "undo of an undo", files: { f: "one\n" }, prepare: "undone" },
  { name: "undo of a command's links, folders and modes", files: { f: "one\n" }, prepare: "commanded" },
  { name: "undo of folders that swapped places with files and links", files: { f: "one\n" }, prepare: "swapped" },
];

interface Begun {
  kill: () => void;
  ended: Promise<Finished>;
}

function begin(folder: string, args: readonly string[], faults: Record<string, string> = {}, input?: unknown): Begun {
  const child = cli.start(["--workspace", folder, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, NODE_OPTIONS: `--require=${join(base, "preload.cjs")}`, ...faults },
  });
  child.stdin?.on("error", () => undefined).end(input === undefined ? "" : JSON.stringify(input));
  return { kill: () => child.kill("SIGKILL"), ended: finish(child) };
}

/** What a process of its own sees of a workspace. */
function host(folder: string): { keeper: ChangeKeeper; files: NodeFiles; states: WorkspaceStates } {
  const files = new NodeFiles(new NodeDisk(), [{ name: "work", path: folder, scheme: "file" }]);
  const states = new WorkspaceStates({
    folders: () => [folder],
    look: (key) => lookAt(files, key),
    foldCase: false,
    onNotice: (message) => expect.fail(message),
    onRecovered: () => undefined,
  });
  return {
    keeper: new ChangeKeeper({ writer: files, state: (again) => states.current(again), tellsProblems: () => false }),
    files,
    states,
  };
}

const never = new AbortController().signal;
const later = { session: "later", turn: "later", callId: "later", door: "cli", summary: "" } as const;

/** The files as before the change, and what the command line is asked for. */
async function planted(
  folder: string,
  { files: planting, prepare, tool, input }: Kind,
): Promise<{ args: string[]; input: unknown; before: Tree; calls: number }> {
  await plantTree(folder, planting);
  const { keeper, files, states } = host(folder);
  const calls = async (): Promise<number[]> =>
    (await keeper.journal()).turns(10).flatMap((turn) => turn.calls.map(({ id }) => id));
  if (prepare === "commanded") {
    await command(folder, keeper, files);
  } else if (prepare === "swapped") {
    await swap(folder, keeper, files);
  } else if (prepare !== undefined) {
    const origin = {
      session: "s",
      turn: "t",
      callId: "c",
      tool: "edit",
      door: "cli",
      summary: "",
      reads: "free",
    } as const;
    const { changes } = keeper.forCall(origin, files);
    const at = await files.resolve("f");
    await changes.apply(
      [
        { kind: "replace", at, before: await changes.before(at, 100), text: "two\n" },
        { kind: "create", at: await files.resolve("new/g"), content: { text: "made\n" } },
      ],
      never,
    );
    if (prepare === "undone") {
      await keeper.undo({ ...later, session: "u" }, { session: "s", turn: "t" }, files, never);
    }
  }
  const known = await calls();
  states.close();
  const args = tool === undefined ? ["undo", "--id", String(Math.max(...known))] : ["run", tool, "--input", "-"];
  return { args, input, before: await treeOf(folder), calls: known.length };
}

/** What a command does, and its record. */
async function command(folder: string, keeper: ChangeKeeper, files: NodeFiles): Promise<void> {
  await mkdir(join(folder, "made"));
  await mkdir(join(folder, "new"));
  await symlink("f", join(folder, "link"));
  await symlink("../f", join(folder, "new/link"));
  await chmod(join(folder, "f"), 0o755);
  const changes: Omit<CommandChange, "absolute">[] = [
    { path: "gone/deep", before: { folder: 0o700 }, foldersMade: 0 },
    { path: "gone/link", before: { link: "f" }, foldersMade: 0 },
    { path: "link", before: { link: "g" }, after: { link: "f" }, foldersMade: 0 },
    { path: "new/link", after: { link: "../f" }, foldersMade: 1 },
    { path: "f", before: { mode: 0o644 }, after: { mode: 0o755 }, foldersMade: 0 },
    { path: "made", after: { folder: 0o755 }, foldersMade: 0 },
  ];
  await record(folder, keeper, files, changes);
}

/** What a command does that puts a file and a link in place of folders, and a folder in place of a file, and its record. */
async function swap(folder: string, keeper: ChangeKeeper, files: NodeFiles): Promise<void> {
  const [one, two] = [Buffer.from("one\n"), Buffer.from("two\n")];
  await mkdir(join(folder, "aside"));
  await mkdir(join(folder, "was"));
  await writeFile(join(folder, "lib"), two);
  await symlink("aside", join(folder, "linked"));
  // Of the same name, and with the same text, as what comes back in place of the link.
  await writeFile(join(folder, "aside/a"), one);
  await writeFile(join(folder, "was/b"), two);
  await record(folder, keeper, files, [
    { path: "lib/deep/a", before: one, mode: 0o644, foldersMade: 0 },
    { path: "lib/link", before: { link: "deep" }, foldersMade: 0 },
    { path: "linked/a", before: one, mode: 0o644, foldersMade: 0 },
    { path: "was", before: one, mode: 0o600, foldersMade: 0 },
    { path: "lib", before: { folder: 0o700 }, foldersMade: 0 },
    { path: "lib/deep", before: { folder: 0o755 }, foldersMade: 0 },
    { path: "linked", before: { folder: 0o755 }, foldersMade: 0 },
    { path: "was/b", after: two, foldersMade: 1 },
    { path: "lib", after: two, foldersMade: 0 },
    { path: "linked", after: { link: "aside" }, foldersMade: 0 },
    { path: "was", after: { folder: 0o755 }, foldersMade: 0 },
  ]);
}

async function record(
  folder: string,
  keeper: ChangeKeeper,
  files: NodeFiles,
  changes: readonly Omit<CommandChange, "absolute">[],
): Promise<void> {
  await keeper.recordCommand(
    { session: "s", turn: "t", callId: "c", tool: "exec", door: "cli", summary: "" },
    changes.map((change) => ({ ...change, absolute: join(folder, change.path) })),
    { since: Date.now(), roots: [{ real: folder, prefix: "" }], saved: new Map() },
    files,
    () => [],
  );
}

/** Notes of the memory say when they were made. */
function timeless(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(tree).map(([path, text]) => [path, text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")]),
  );
}

/** A process that comes after: all is as before and nothing is known of it, or as after and can be taken back. */
async function comeAfter(folder: string, before: Tree, after: Tree, known: number): Promise<"before" | "after"> {
  const { keeper, files, states } = host(folder);
  try {
    const [latest, ...turns] = (await keeper.journal()).turns(10);
    const found = timeless(await treeOf(folder));
    const isMade = (latest === undefined ? [] : [latest, ...turns]).flatMap(({ calls }) => calls).length > known;
    expect(found).toEqual(timeless(isMade ? after : before));
    if (isMade && latest !== undefined) {
      await keeper.undo(later, { session: latest.session, turn: latest.turn }, files, never);
      expect(await treeOf(folder)).toEqual(before);
    }
    return isMade ? "after" : "before";
  } finally {
    states.close();
  }
}

/** A run to its end: what it leaves, and its steps. */
async function whole(folder: string, kind: Kind): Promise<{ after: Tree; steps: string[] }> {
  const log = `${folder}.log`;
  const { args, input, before } = await planted(folder, kind);
  const { code, err } = await begin(folder, args, { FAULT_LOG: log }, input).ended;
  expect([code, err]).toEqual([0, ""]);
  const after = await treeOf(folder);
  expect(after).not.toEqual(before);
  return { after, steps: (await readFile(log, "utf8")).trimEnd().split("\n") };
}

test.each(kinds)(
  "$name: all is as before or all as after, whenever the process is killed",
  { timeout: TIMEOUT },
  async (kind) => {
    const place = await mkdtemp(join(base, "kind-"));
    const { after, steps } = await whole(join(place, "whole"), kind);
    const moments = steps.flatMap((step, index) => (LEAVES.test(step) ? [index + 1] : []));
    const seen = new Set<string>();
    const planned = moments.length;
    let unreached = 0;
    const worker = async (): Promise<void> => {
      for (let killAt = moments.shift(); killAt !== undefined; killAt = moments.shift()) {
        const folder = join(place, `kill-${killAt}`);
        const { args, input, before, calls } = await planted(folder, kind);
        const ended = await begin(folder, args, { FAULT_KILL_AT: String(killAt) }, input).ended;
        if (ended.signal !== "SIGKILL") {
          // A run has a few steps more or less: where it waited for the state, say. This one came to its end before.
          expect([ended.code, ended.err]).toEqual([0, ""]);
          unreached += 1;
        }
        seen.add(
          await comeAfter(folder, before, after, calls).catch((error: unknown) => {
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
    expect([...seen].sort()).toEqual(["after", "before"]);
    expect(unreached).toBeLessThan(planned / 4);
  },
);

/** Numbers from 0 to 1 that are the same with the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Long, so on demand: the table above has every step that leaves something.
if (ROUNDS > 0) {
  test(
    `${ROUNDS} random kills of all kinds lose nothing and leave nothing mixed`,
    { timeout: ROUNDS * 60_000 },
    async () => {
      const random = randomFrom(SEED);
      const place = await mkdtemp(join(base, "random-"));
      const known = new Map<Kind, Awaited<ReturnType<typeof whole>>>();
      for (const [index, kind] of kinds.entries()) {
        known.set(kind, await whole(join(place, `whole-${index}`), kind));
      }
      let killed = 0;
      let begunRounds = 0;
      // Some end before they are killed, and do not count.
      const nextRound = () =>
        killed >= ROUNDS
          ? undefined
          : {
              round: begunRounds++,
              kind: kinds[Math.floor(random() * kinds.length)],
              at: random(),
              isOutside: random() < 0.5,
              wait: random() * 120,
            };
      const found: string[] = [];
      const bad: string[] = [];
      const worker = async (): Promise<void> => {
        for (let next = nextRound(); next !== undefined; next = nextRound()) {
          const { round, kind, at, isOutside, wait } = next;
          const { after, steps } = (kind && known.get(kind)) ?? { after: {}, steps: [] };
          if (kind === undefined) {
            continue;
          }
          const folder = join(place, `round-${round}`);
          const { args, input, before, calls } = await planted(folder, kind);
          const log = `${folder}.log`;
          // By itself before any step, or from outside at any moment after its first one.
          const begun = begin(
            folder,
            args,
            isOutside ? { FAULT_LOG: log } : { FAULT_KILL_AT: String(1 + Math.floor(at * steps.length)) },
            input,
          );
          if (isOutside) {
            await Promise.race([begun.ended, poll("the first step", () => existsSync(log))]);
            await new Promise((resolve) => setTimeout(resolve, wait));
            begun.kill();
          }
          const wasKilled = (await begun.ended).signal === "SIGKILL";
          killed += wasKilled ? 1 : 0;
          const left = timeless(await treeOf(folder));
          const wasMixed = !isDeepStrictEqual(left, timeless(before)) && !isDeepStrictEqual(left, timeless(after));
          const ended = await comeAfter(folder, before, after, calls).catch((error: unknown) => {
            bad.push(`round ${round}, ${kind.name}: ${error instanceof Error ? error.message : String(error)}`);
            return "wrong";
          });
          found.push(wasKilled ? `${wasMixed ? "between" : "whole"}, then ${ended}` : "ended before");
          await rm(folder, { recursive: true });
        }
      };
      await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
      const counts = Object.fromEntries(
        [...new Set(found)].sort().map((each) => [each, found.filter((other) => other === each).length]),
      );
      process.stderr.write(`${killed} kills: ${JSON.stringify(counts)}\n`);
      expect(bad).toEqual([]);
    },
  );
}

describe("processes that begin at once and change one file, each its own line", () => {
  test.each((ROUNDS > 0 ? [2, 3, 4, 8] : [4]).map((count) => ({ count })))(
    "$count of them, from two workspaces: what is said to be done is there, and nothing else",
    { timeout: TIMEOUT },
    async ({ count }) => {
      let refusals = 0;
      for (let round = 0; round < BARRIER_ROUNDS; round++) {
        const folder = await mkdtemp(join(base, "barrier-"));
        await plantTree(folder, {
          "sub/f": Array.from({ length: count }, (_, index) => `line ${index} here\n`).join(""),
        });
        const processes = Array.from({ length: count }, (_, index) => {
          const [workspace, path] = index % 2 === 0 ? [folder, "sub/f"] : [join(folder, "sub"), "f"];
          const hold = join(folder, `..`, `hold-${round}-${count}-${index}`);
          return {
            hold,
            ...begin(
              workspace,
              ["edit", path, "--old-text", `line ${index} here`, "--new-text", `line ${index} edited`],
              { FAULT_HOLD_BEFORE: "sqlite-exec", FAULT_HOLD: hold },
            ),
          };
        });
        await Promise.all(
          processes.map(({ hold }) =>
            poll("the process to come to the barrier", () =>
              stat(`${hold}.held`).then(
                () => true,
                () => false,
              ),
            ),
          ),
        );
        processes.forEach(({ hold }) => writeFileSync(`${hold}.go`, ""));
        const ended = await Promise.all(processes.map((each) => each.ended));
        const refused = ended.filter(({ code }) => code !== 0);
        refusals += refused.length;
        expect(
          refused
            .map(({ err }) => err)
            .filter(
              (err) =>
                !/is being changed by another call|busy with Toolhost's state|has changed|another program/.test(err),
            ),
        ).toEqual([]);
        expect(await treeOf(folder)).toEqual({
          "sub/": "folder",
          "sub/f": ended.map(({ code }, index) => `line ${index} ${code === 0 ? "edited" : "here"}\n`).join(""),
        });
      }
      if (ROUNDS > 0) {
        process.stderr.write(`${BARRIER_ROUNDS} rounds of ${count} processes: lost 0, refused and told ${refusals}\n`);
      }
    },
  );
});
