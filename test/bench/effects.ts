// What it costs to know what a command changed, beside the bare command: the snapshot before it, and after it the
// comparison and the contents for undo. In plain Node, on real folders. Writes its part of docs/benchmarks.md, and fails
// where the bar of issue 20 is missed.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { ThreadSnapshots } from "../../src/hosts/node/effects/threadSnapshots.js";
import { writePart } from "./page.js";
import type { Tally } from "./tally.js";

const ROUNDS = 15;
/** Milliseconds of processor time, of the median, before and after a command: the clock depends on the machine's other work. */
const BAR = 150;
const BAR_FILES = 20_000;
const SIZES = [1_000, BAR_FILES];
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
  for (const files of SIZES) {
    const folder = mkdtempSync(join(tmpdir(), "toolhost-bench-"));
    try {
      plant(folder, files);
      rows.push(await measure(repository, folder, files, false, tally));
      commit(folder);
      rows.push(await measure(repository, folder, files, true, tally));
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
  const snapshots = new ThreadSnapshots(join(repository, "dist"), patient);
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
  let covered = "all";
  for (let round = 0; round <= ROUNDS; round++) {
    const taken = await timed("before", () => snapshots.take([folder]));
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
  }
  const [first] = times.before;
  const [bare, before, after, contents] = (["bare", "before", "after", "contents"] as const).map((what) =>
    median(times[what].slice(1)),
  ) as [Time, Time, Time, Time];
  const isHeld = before.processor < BAR && after.processor + contents.processor < BAR;
  if (isHeld) {
    tally.passed++;
  } else {
    tally.failed++;
    const message = `It takes ${before.processor.toFixed(0)} ms before and ${(after.processor + contents.processor).toFixed(0)} ms after.`;
    tally.failures.push({ title: `${files} files: under ${BAR} ms before and after`, message });
  }
  const shown = [first, before, after, contents].map((time) => (time === undefined ? "" : inWords(time)));
  const verdict = isHeld ? "held" : "**missed**";
  return `| ${files.toLocaleString("en")} | ${isGit ? "yes" : "no"} | ${bare.clock.toFixed(0)} | ${shown.join(" | ")} | ${covered} | ${verdict} |`;
}

function inWords({ clock, processor }: Time): string {
  return `${processor.toFixed(0)} (${clock.toFixed(0)})`;
}

/** Returns the medians of each. */
function median(times: readonly Time[]): Time {
  const middle = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return {
    clock: middle(times.map(({ clock }) => clock)),
    processor: middle(times.map(({ processor }) => processor)),
  };
}
