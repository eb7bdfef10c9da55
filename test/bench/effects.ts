// What it costs to know what a command changed, beside the bare command: the snapshot before it, and after it the
// comparison and the contents for undo. In plain Node, on real folders. Writes its part of docs/benchmarks.md, and fails
// where the bar of issue 20 is missed.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { commandEnvironment } from "../../src/hosts/node/environment.js";
import { ThreadSnapshots } from "../../src/hosts/node/effects/threadSnapshots.js";
import { Sandbox } from "../../src/hosts/node/processes/sandbox.js";
import { writePart } from "./page.js";
import type { Tally } from "./tally.js";

const ROUNDS = 15;
/** Milliseconds of processor time, of the median, before and after a command: the clock depends on the machine's other work. */
const BAR = 150;
const BAR_FILES = 20_000;
/** Of the largest, a snapshot covers what it can look at in its time. */
const SIZES = [1_000, BAR_FILES, 200_000];
/** Milliseconds that a contained command may take longer than a bare one, by the clock. */
const CONTAINED_BAR = 30;
const FILES_PER_FOLDER = 50;

type Part = "bare" | "before" | "after" | "contents";

/** In milliseconds; processor time of this process, whose threads take the snapshots. */
interface Time {
  clock: number;
  processor: number;
}

export async function runBench({ repository }: { repository: string }): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const rows: string[] = [];
  const contained: string[] = [];
  for (const files of SIZES) {
    const folder = mkdtempSync(join(tmpdir(), "toolhost-bench-"));
    try {
      plant(folder, files);
      rows.push(await measure(repository, folder, files, false, tally));
      commit(folder);
      rows.push(await measure(repository, folder, files, true, tally));
      contained.push(await measureContained(folder, files, tally));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const part = [
    "## What a command changed",
    "",
    `Plain Node ${process.versions.node}, ${cpus().length} cores: \`sed -i\` of one file by a bare bash, and what knowing its effect takes besides: a snapshot before it`,
    "(the first one also starts the thread and copies what Git does not keep), a comparison after it, and the contents of what changed. Medians of milliseconds of processor time, in brackets by the clock",
    "(of the bare command by the clock alone), which other work on the machine lengthens.",
    "",
    "| files | Git | bare command | first snapshot | before | after | contents | covered | |",
    "|---|---|---|---|---|---|---|---|---|",
    ...rows,
    "",
    "The same folders with Git, `cat` of one file by a bash: bare, and contained by bubblewrap as commands are that only read. Medians of milliseconds by the clock, one after the other in each round.",
    "",
    "| files | bare | contained | more | |",
    "|---|---|---|---|---|",
    ...contained,
  ].join("\n");
  console.log(part);
  writePart(repository, "effects", part);
  return tally;
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
  const times: Record<Part, Time[]> = { bare: [], before: [], after: [], contents: [] };
  const timed = async <T>(what: Part, work: () => T | Promise<T>): Promise<T> => {
    const [started, used] = [performance.now(), process.cpuUsage()];
    const done = await work();
    const { user, system } = process.cpuUsage(used);
    times[what].push({ clock: performance.now() - started, processor: (user + system) / 1_000 });
    return done;
  };
  const command = (value: number): unknown =>
    execFileSync("bash", ["-c", `sed -i 's/=.*/= ${value};/' d1/f50.ts`], { cwd: folder });
  const call = { session: "s", turn: "t", callId: "c", tool: "exec", door: "cli", summary: "sed" };
  const note = { call, started: Date.now(), roots: [{ folder, prefix: "" }] };
  let covered = "all";
  for (let round = 0; round <= ROUNDS; round++) {
    const taken = await timed("before", () => snapshots.take(note));
    await timed("bare", () => command(round));
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
  const [first] = times.before;
  const [bare, before, after, contents] = (["bare", "before", "after", "contents"] as const).map((what) =>
    median(times[what].slice(1)),
  ) as [Time, Time, Time, Time];
  rmSync(state, { recursive: true, force: true });
  const isHeld = before.processor < BAR && after.processor + contents.processor < BAR;
  if (isHeld || files > BAR_FILES) {
    tally.passed++;
  } else {
    tally.failed++;
    const message = `It takes ${before.processor.toFixed(0)} ms before and ${(after.processor + contents.processor).toFixed(0)} ms after.`;
    tally.failures.push({ title: `${files} files: under ${BAR} ms before and after`, message });
  }
  const shown = [first, before, after, contents].map((time) => (time === undefined ? "" : inWords(time)));
  const verdict = files > BAR_FILES ? "" : isHeld ? "held" : "**missed**";
  return `| ${files.toLocaleString("en")} | ${isGit ? "yes" : "no"} | ${bare.clock.toFixed(0)} | ${shown.join(" | ")} | ${covered} | ${verdict} |`;
}

/** Measures what it costs to contain a command. */
async function measureContained(folder: string, files: number, tally: Tally): Promise<string> {
  const own = mkdtempSync(join(tmpdir(), "toolhost-bench-own-"));
  const unreadable = join(own, "unreadable");
  writeFileSync(unreadable, "", { mode: 0 });
  let missing = "";
  const sandbox = new Sandbox({
    isOn: () => true,
    folders: () => [folder],
    secretFiles: () => Promise.resolve([]),
    stateFolder: () => own,
    onMissing: (why) => (missing = why),
  });
  const bare = { file: "/bin/bash", isBash: true, args: ["-c", "--", "cat d1/f50.ts"], script: undefined };
  const env = commandEnvironment(process.env, {}, folder);
  const clocks: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [at, clock] of clocks.entries()) {
        const started = performance.now();
        const place = { folder, unreadable, report: undefined, env, own: env };
        const call = at === 0 ? bare : await sandbox.contained(bare, { hidesSecrets: true }, place);
        if (call === undefined) {
          return `| ${files.toLocaleString("en")} | | not measured: ${missing} | | |`;
        }
        execFileSync(call.file, call.args, { cwd: folder });
        clock.push(performance.now() - started);
      }
    }
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  const [without, within] = clocks.map((clock) => middle(clock.slice(1))) as [number, number];
  const isHeld = within - without < CONTAINED_BAR;
  if (isHeld) {
    tally.passed++;
  } else {
    tally.failed++;
    const title = `${files} files: a contained command takes less than ${CONTAINED_BAR} ms more`;
    tally.failures.push({ title, message: `It takes ${(within - without).toFixed(0)} ms more.` });
  }
  const shown = [without, within, within - without].map((each) => each.toFixed(0)).join(" | ");
  return `| ${files.toLocaleString("en")} | ${shown} | ${isHeld ? "held" : "**missed**"} |`;
}

function inWords({ clock, processor }: Time): string {
  return `${processor.toFixed(0)} (${clock.toFixed(0)})`;
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
