// What it costs to know what a command changed, beside the bare command: the snapshot before it, and after it the
// comparison and the contents for undo; what it costs to contain one; and both, a contained command whose changes are
// made and can be undone. In plain Node, on real folders. Writes its part of docs/benchmarks.md, and fails where the bar
// of issue 20 is missed.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { Worker } from "node:worker_threads";
import { openFolder } from "../../src/compose/cli/workspace.js";
import { openViews } from "../../src/compose/views.js";
import type { ReachableHosts } from "../../src/ports/processes.js";
import type { Gateway } from "../../src/hosts/node/processes/hosts/gateway.js";
import type { MountedView } from "../../src/ports/effects.js";
import { commandEnvironment } from "../../src/hosts/node/environment.js";
import { ThreadSnapshots } from "../../src/hosts/node/effects/threadSnapshots.js";
import { Sandbox } from "../../src/hosts/node/processes/sandbox.js";
import { writePart } from "./page.js";
import type { Tally } from "./tally.js";

const ROUNDS = 11;
/** Of the largest, which have no bar but that of the sandbox. */
const FEW_ROUNDS = 3;
/** Milliseconds of processor time, of the median, before and after a command: the clock depends on the machine's other work. */
const BAR = 150;
const BAR_FILES = 20_000;
/** Of the largest, a snapshot covers what it can look at in its time. */
const SIZES = [1_000, BAR_FILES, 200_000];
/** Without Git, and not contained: only how long a command waits, and what is said not to be covered. */
const HUGE = 500_000;
/** Milliseconds that a contained command may take longer than a bare one, by the clock. */
const CONTAINED_BAR = 30;
const FILES_PER_FOLDER = 50;
/** The type of file systems in memory (statfs(2)). */
const TMPFS = 0x01021994;

/** Programs of a thread that looks at each entry of a folder once, and does nothing with what it sees. */
const LOOK = `
  const { parentPort } = require("node:worker_threads");
  const { lstatSync, readdirSync } = require("node:fs");
  const look = (folder) => {
    for (const name of readdirSync(folder)) {
      const path = folder + "/" + name;
      if (lstatSync(path).isDirectory() && name !== ".git") {
        look(path);
      }
    }
  };
  parentPort.on("message", (folder) => {
    look(folder);
    parentPort.postMessage("done");
  });
`;

type Part = "bare" | "look" | "before" | "after" | "contents";

/** In milliseconds; processor time of this process, whose threads take the snapshots. */
interface Time {
  clock: number;
  processor: number;
}

export async function runBench({ repository }: { repository: string }): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const rows: string[] = [];
  const contained: string[] = [];
  for (const files of [...SIZES, HUGE]) {
    const folder = mkdtempSync(join(tmpdir(), "toolhost-bench-"));
    try {
      plant(folder, files);
      rows.push(await measure(repository, folder, files, false, tally));
      if (files < HUGE) {
        commit(folder);
        rows.push(await measure(repository, folder, files, true, tally));
        contained.push(await measureContained(repository, folder, files, tally));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const part = [
    "## What a command changed",
    "",
    `Plain Node ${process.versions.node}, ${cpus().length} cores, folders ${statfsSync(tmpdir()).type === TMPFS ? "in memory (tmpfs)" : "on disk"}: \`sed -i\` of one file by a bare bash, and what knowing its effect takes besides: a snapshot before it,`,
    "a comparison after it, and the contents of what changed. In brackets beside the time before it: where nobody is asked about the command, since it can be undone, so that the snapshot is on disk before it starts.",
    `Milliseconds of processor time, the median of ${ROUNDS} rounds (${FEW_ROUNDS} of the largest), and of milliseconds by the clock, which other work on the machine lengthens. A bare look reads each folder and asks for the state`,
    "of each entry once, in the same rounds: no snapshot can take less. The first snapshot also starts the thread and copies what Git does not keep.",
    "",
    "| files | Git | bare command | bare look | first snapshot | before (on disk) | by the clock | after | by the clock | contents | covered | |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ...rows,
    "",
    "The same folders with Git: bare, and contained by bubblewrap, `cat` of one file as commands are that only read, and `sed -i` of one in a view, whose change is then made in the folder and can be undone; the same where the user allows hosts, so that a proxy here and a bridge in the sandbox pass its connections on.",
    "Medians of milliseconds by the clock, one after the other in each round.",
    "",
    "| files | `cat` bare | contained | more | | `sed -i` bare | contained, with its change | more | with hosts | more |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...contained,
  ].join("\n");
  console.log(part);
  writePart(repository, "effects", part);
  return tally;
}

function roundsOf(files: number): number {
  return files > BAR_FILES ? FEW_ROUNDS : ROUNDS;
}

function plant(folder: string, files: number): void {
  for (let at = 0; at < files; at++) {
    const below = join(folder, `d${Math.floor(at / FILES_PER_FOLDER)}`);
    if (at % FILES_PER_FOLDER === 0) {
      mkdirSync(below);
    }
    writeFileSync(join(below, `f${at}.ts`), `export const value${at} = ${at};\n`);
  }
}

function commit(folder: string): void {
  const git = (...words: string[]): unknown =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "gc.auto=0", ...words], {
      cwd: folder,
      stdio: "ignore",
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "all");
  git("update-index", "--refresh");
}

async function measure(
  repository: string,
  folder: string,
  files: number,
  isGit: boolean,
  tally: Tally,
): Promise<string> {
  // The walks have their limits; a busy machine only makes us wait longer for them.
  const patient = { waitToTake: 60_000, waitToCompare: 60_000, silent: 60_000 };
  const state = mkdtempSync(join(tmpdir(), "toolhost-bench-state-"));
  const snapshots = new ThreadSnapshots(join(repository, "dist"), () => state, patient);
  const times: Record<Part | "kept", Time[]> = { bare: [], look: [], before: [], kept: [], after: [], contents: [] };
  const timed = async <T>(what: Part | "kept", work: () => T | Promise<T>): Promise<T> => {
    const [started, used] = [performance.now(), process.cpuUsage()];
    const done = await work();
    const { user, system } = process.cpuUsage(used);
    times[what].push({ clock: performance.now() - started, processor: (user + system) / 1_000 });
    return done;
  };
  const command = (value: number): unknown =>
    execFileSync("bash", ["-c", `sed -i 's/=.*/= ${value};/' d1/f50.ts`], { cwd: folder, stdio: "ignore" });
  const call = { session: "s", turn: "t", callId: "c", tool: "exec", door: "cli", summary: "sed" };
  const note = { call, started: Date.now(), roots: [{ folder, prefix: "" }] };
  const looker = new Worker(LOOK, { eval: true });
  let covered = "all";
  for (let round = 0; round <= roundsOf(files); round++) {
    await timed("look", async () => {
      const looked = once(looker, "message");
      looker.postMessage(folder);
      await looked;
    });
    for (const what of ["before", "kept"] as const) {
      const keeps = what === "kept" ? [join(folder, "d1/f50.ts")] : [];
      const taken = await timed(what, () => snapshots.take(note, keeps));
      await timed("bare", () => command(2 * round + keeps.length));
      if ("unknown" in taken) {
        throw new Error(taken.unknown);
      }
      const found = await timed("after", () => snapshots.compare(taken.id, Date.now()));
      if ("unknown" in found) {
        throw new Error(found.unknown);
      }
      const left = found.flatMap(({ uncovered }) => uncovered).length;
      covered = left === 0 ? "all" : `all but ${left} of ${files / FILES_PER_FOLDER} folders`;
      await timed("contents", () => snapshots.contents(taken.id));
      snapshots.done(taken.id);
    }
  }
  await looker.terminate();
  rmSync(state, { recursive: true, force: true });
  const [first] = times.before;
  const [bare, look, before, kept, after, contents] = (
    ["bare", "look", "before", "kept", "after", "contents"] as const
  ).map((what) => median(times[what].slice(1))) as [Time, Time, Time, Time, Time, Time];
  const slowest = Math.max(before.processor, kept.processor);
  const isHeld = slowest < BAR && after.processor + contents.processor < BAR;
  if (isHeld || files > BAR_FILES) {
    tally.passed++;
  } else {
    tally.failed++;
    const message = `It takes ${slowest.toFixed(0)} ms before and ${(after.processor + contents.processor).toFixed(0)} ms after.`;
    tally.failures.push({ title: `${files} files: under ${BAR} ms before and after`, message });
  }
  const [ms, clock] = (["processor", "clock"] as const).map(
    (key) => (time: Time | undefined) => time?.[key].toFixed(0),
  );
  const shown = [
    ...[files.toLocaleString("en"), isGit ? "yes" : "no", clock?.(bare), ms?.(look), ms?.(first)],
    ...[`${ms?.(before)} (${ms?.(kept)})`, `${clock?.(before)} (${clock?.(kept)})`, ms?.(after), clock?.(after)],
    ...[ms?.(contents), covered, files > BAR_FILES ? "" : isHeld ? "held" : "**missed**"],
  ];
  return `| ${shown.join(" | ")} |`;
}

/** Measures what it costs to contain a command. */
async function measureContained(repository: string, folder: string, files: number, tally: Tally): Promise<string> {
  const own = mkdtempSync(join(tmpdir(), "toolhost-bench-own-"));
  const unreadable = join(own, "unreadable");
  writeFileSync(unreadable, "", { mode: 0 });
  let missing = "";
  const sandbox = new Sandbox({
    isOn: () => true,
    folders: () => [folder],
    secretFiles: () => Promise.resolve([]),
    stateFolder: () => own,
    bundles: join(repository, "dist"),
    onMissing: (why) => (missing = why),
  });
  const bare = (command: string) => ({
    ...{ file: "/bin/bash", isBash: true, script: undefined },
    args: ["-c", "--", command],
  });
  const env = commandEnvironment(process.env, {}, folder);
  const place = { folder, unreadable, report: undefined, env, own: env };
  const within = async (command: string, mounted?: MountedView, gateway?: Gateway): Promise<void> => {
    const reach = { ...place, ...(gateway !== undefined && { gateway }) };
    const call = await sandbox.contained(bare(command), { hidesSecrets: true }, reach, mounted);
    if (call === undefined) {
      throw new Error(missing);
    }
    // Its connections are passed on here meanwhile.
    const child = spawn(call.file, call.args, { cwd: folder, stdio: ["ignore", "ignore", "ignore", "pipe"] });
    (child.stdio[3] as Writable).end(call.filter);
    const [code] = (await once(child, "close")) as [number];
    if (code !== 0) {
      throw new Error(`${command} ended with ${code}`);
    }
  };
  const alone = (command: string): unknown =>
    execFileSync("/bin/bash", ["-c", "--", command], { cwd: folder, stdio: "ignore" });
  const before = process.env["TOOLHOST_STATE"];
  process.env["TOOLHOST_STATE"] = own;
  const {
    files: open,
    state,
    changes,
  } = openFolder({
    ...{ target: { workspace: folder }, folder: join(repository, "dist") },
    warn: () => undefined,
  });
  const views = openViews(
    ...([open, changes, sandbox, () => true, () => false, (why: string) => (missing = why)] as const),
  );
  let round = 0;
  const mayChange = (): Promise<undefined> => Promise.resolve(undefined);
  const inView = async (command: string, hosts?: ReachableHosts): Promise<void> => {
    const call = { session: "s", turn: `t${round}`, callId: `c${round}`, tool: "exec", door: "cli", summary: "sed" };
    const view = await views.open(call, mayChange);
    const gateway = await sandbox.gateway({ mayChange, ...(hosts !== undefined && { hosts }) });
    await within(command, view.mounted, gateway);
    gateway?.close();
    const effect = await view.end(true);
    if ("unknown" in effect || effect.changes.length !== 1) {
      throw new Error(`The change is not made: ${JSON.stringify(effect)}`);
    }
  };
  const clocks: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
  try {
    for (; round <= roundsOf(files); round++) {
      const steps = [
        () => alone("cat d1/f50.ts"),
        () => within("cat d1/f50.ts"),
        () => alone(`sed -i 's/=.*/= ${round} + 1;/' d1/f50.ts`),
        () => inView(`sed -i 's/=.*/= ${round} + 2;/' d1/f50.ts`),
        () => inView(`sed -i 's/=.*/= ${round} + 3;/' d1/f50.ts`, { allows: () => true }),
      ];
      for (const [at, step] of steps.entries()) {
        const started = performance.now();
        await step();
        clocks[at]?.push(performance.now() - started);
      }
    }
  } catch (error) {
    if (missing === "") {
      throw error;
    }
    return `| ${files.toLocaleString("en")} | | not measured: ${missing} | | | | | | | |`;
  } finally {
    await state.close();
    process.env["TOOLHOST_STATE"] = before;
    if (before === undefined) {
      delete process.env["TOOLHOST_STATE"];
    }
    rmSync(own, { recursive: true, force: true });
  }
  const [cat, catWithin, sed, sedInView, sedWithHosts] = clocks.map((clock) => middle(clock.slice(1))) as [
    ...[number, number, number, number, number],
  ];
  const more = catWithin - cat;
  const isHeld = more < CONTAINED_BAR;
  if (isHeld) {
    tally.passed++;
  } else {
    tally.failed++;
    const title = `${files} files: a contained command takes less than ${CONTAINED_BAR} ms more`;
    tally.failures.push({ title, message: `It takes ${more.toFixed(0)} ms more.` });
  }
  const [first, second] = [
    [cat, catWithin, more],
    [sed, sedInView, sedInView - sed, sedWithHosts, sedWithHosts - sedInView],
  ].map((each) => each.map((time) => time.toFixed(0)).join(" | "));
  return `| ${files.toLocaleString("en")} | ${first} | ${isHeld ? "held" : "**missed**"} | ${second} |`;
}

/** Returns the medians of each. */
function median(times: readonly Time[]): Time {
  return {
    clock: middle(times.map(({ clock }) => clock)),
    processor: middle(times.map(({ processor }) => processor)),
  };
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
