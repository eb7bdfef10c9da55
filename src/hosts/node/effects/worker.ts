import { lstatSync, realpathSync, rmSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { compare, type Differences } from "../../../features/effects/compare.js";
import { settledAt } from "../../../features/effects/settled.js";
import type { Snapshot } from "../../../features/effects/snapshot.js";
import type { RootContents, SnapshotNote } from "../../../features/effects/snapshots.js";
import { Clones, type Clone } from "./contents/clones.js";
import { contentsOf, type Kept } from "./contents/contents.js";
import { GitIndexes } from "./contents/gitFiles.js";
import { KeptFiles } from "./contents/keptFiles.js";
import { LargeStore } from "./contents/largeStore.js";
import type { SnapshotAnswer, SnapshotRequest, SnapshotThread } from "./messages.js";
import { removeLeft } from "./leftSnapshots.js";
import { Named } from "./named.js";
import { movesOf, repositoriesOf } from "./gitRefs.js";
import { readSnapshot, SnapshotFiles, touchSnapshot, type Taken } from "./storedSnapshots.js";
import { takeSnapshot } from "./walk.js";

/**
 * Takes and compares snapshots on a thread of its own, which its host ends if it hangs on a file system; bundled to its
 * own file, dist/effects-worker.js.
 */

/** What differs in a root, and what is known of the contents of its files. */
interface Found extends Pick<Differences, "files"> {
  kept: Kept;
  /** Of the later snapshot, if it is compared with one. */
  later?: Pick<Kept, "copies" | "clones"> | undefined;
}

/** How long after its start a command's snapshot is stored, in ms: most commands have ended by then. */
const STORE_AFTER = 30;
/** How often the file of a stored snapshot says that its command still runs, in ms. */
const TOUCH_EVERY = 1_000;

const { entries: most, git, configs, stored, large } = workerData as SnapshotThread;
const snapshots = new Map<number, Taken[]>();
/** The last snapshots of the roots, with which the next ones share what has not changed. */
let last = new Map<string, Snapshot>();
const compared = new Map<number, Found[]>();
const indexes = new GitIndexes(configs);
const kept = new KeptFiles();
const clones = stored === undefined ? undefined : new Clones(stored);
const largeStore = large === undefined ? undefined : new LargeStore(large);
/** The clones of snapshots whose commands run, or were killed. */
const cloned = new Map<number, ReadonlyMap<string, Clone>[]>();
const stores = stored === undefined ? undefined : new SnapshotFiles(stored);
/** The files of stored snapshots, also of those that another process left. */
const files = new Map<number, string>();
/** The snapshots that another process left: nobody says any more that their commands run. */
const left = new Set<number>();

setInterval(() => files.forEach((_path, id) => touch(id)), TOUCH_EVERY);

parentPort?.on("message", (request: SnapshotRequest) => {
  if (request.kind === "drop") {
    forget(request.snapshot);
    return;
  }
  let answer: SnapshotAnswer;
  try {
    answer = { id: request.id, ...answerTo(request) };
  } catch (error) {
    answer = { id: request.id, failed: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
  if (request.kind === "take" && snapshots.has(request.id) && !files.has(request.id)) {
    storeSoon(request.id, request.note);
  }
});

function forget(snapshot: number): void {
  snapshots.delete(snapshot);
  compared.delete(snapshot);
  stores?.forget(snapshot);
  const path = files.get(snapshot);
  files.delete(snapshot);
  if (path !== undefined) {
    attempt(() => (left.delete(snapshot) ? removeLeft(path) : rmSync(path, { force: true })));
  }
  cloned.delete(snapshot);
  attempt(() => clones?.sweep([...cloned.values()].flat()));
}

/** Stores a snapshot step by step, until its command has ended. */
function storeSoon(id: number, note: SnapshotNote): void {
  const taken = snapshots.get(id);
  if (stores === undefined || taken === undefined) {
    return;
  }
  const steps = stores.write(id, note, taken);
  const go = (): void => {
    if (!snapshots.has(id)) {
      return;
    }
    attempt(() => {
      if (steps.next().done === true) {
        files.set(id, stores.pathOf(id));
      } else {
        setImmediate(go);
      }
    });
  };
  setTimeout(go, STORE_AFTER);
}

/** Says on the file of a stored snapshot that its command still runs, or has just ended. */
function touch(id: number): void {
  const path = left.has(id) ? undefined : files.get(id);
  if (path !== undefined) {
    attempt(() => touchSnapshot(path));
  }
}

/** Does what may fail on a full disk: then only a kill while the command runs loses what it changed. */
function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // See above.
  }
}

function answerTo(request: Exclude<SnapshotRequest, { kind: "drop" }>): Partial<SnapshotAnswer> {
  switch (request.kind) {
    case "take":
      return take(request);
    case "load":
      return load(request);
    case "compare":
      return differences(request);
    case "contents": {
      const found = compared.get(request.snapshot);
      compared.delete(request.snapshot);
      return found === undefined ? { failed: "the comparison is gone" } : { contents: found.map(contents) };
    }
  }
}

function load({ id, file }: Extract<SnapshotRequest, { kind: "load" }>): Partial<SnapshotAnswer> {
  files.set(id, file);
  left.add(id);
  const found = readSnapshot(file);
  if (found === undefined) {
    return { failed: "the snapshot cannot be read" };
  }
  snapshots.set(id, found.taken);
  return { loaded: { ...found.note, seen: found.seen } };
}

function take({
  id,
  note,
  milliseconds,
  patient,
  copy,
  keeps,
}: Extract<SnapshotRequest, { kind: "take" }>): Partial<SnapshotAnswer> {
  const until = performance.now() + milliseconds;
  const patientUntil = performance.now() + patient;
  let room = most - [...snapshots.values()].flat().reduce((sum, { snapshot }) => sum + entriesOf(snapshot), 0);
  const walked = note.roots.map(({ folder }) => {
    const root = realpathSync(folder);
    const named = new Named(
      keeps.flatMap((path) => {
        const top = [folder, root].find((each) => path.startsWith(`${each}/`));
        return top === undefined ? [] : [path.slice(top.length + 1)];
      }),
    );
    const snapshot = takeSnapshot(root, until, room, undefined, {
      known: last.get(root),
      first: { until: patientUntil, leadsTo: (path) => named.leadsTo(path) },
    });
    room -= entriesOf(snapshot);
    return { root, snapshot, named };
  });
  last = new Map(walked.map(({ root, snapshot }) => [root, snapshot]));
  const copyUntil = performance.now() + copy;
  const lost: string[] = [];
  const taken = walked.map(({ root, snapshot, named }) => {
    const indexed = gitOutside(root) === undefined ? [] : indexes.of(root, snapshot);
    const copies = kept.keep(root, snapshot, indexed, copyUntil, named);
    const shared = clones?.keep(root, snapshot, copyUntil, named);
    const why = named.lost({ root, snapshot, git: indexed, copies, clones: shared });
    lost.push(...(why === undefined ? [] : [why]));
    return { root, snapshot, git: indexed, copies, clones: shared, repositories: repositoriesOf(root, snapshot) };
  });
  snapshots.set(id, taken);
  cloned.set(
    id,
    taken.flatMap((each) => each.clones ?? []),
  );
  if (keeps.length > 0 && stores !== undefined) {
    attempt(() => {
      for (const _step of stores.write(id, note, taken)) {
        // Nobody was asked about this command, since it can be undone.
      }
      files.set(id, stores.pathOf(id));
    });
  }
  return lost[0] === undefined ? {} : { unkept: lost[0] };
}

function contents({ kept: each, files: changed, later }: Found): RootContents {
  const found = contentsOf(each, changed, gitOutside(each.root), largeStore, later);
  const known = new Map(changed.map((file) => [file.path, file]));
  return {
    ...found,
    files: found.files.map((file) => {
      const { after: now, isInIgnored } = known.get(file.path) ?? {};
      return { ...file, ...(now && { changed: now.changed }), ...(isInIgnored && { isInIgnored }) };
    }),
  };
}

function differences({
  snapshot: id,
  ended,
  milliseconds,
  isLeft,
  later,
}: Extract<SnapshotRequest, { kind: "compare" }>): Partial<SnapshotAnswer> {
  // A busy machine may have kept the timer waiting since before the command's last changes.
  touch(id);
  const until = performance.now() + milliseconds;
  const taken = snapshots.get(id);
  snapshots.delete(id);
  if (taken === undefined) {
    return { failed: "the snapshot is gone" };
  }
  const laters = later === undefined ? undefined : snapshots.get(later);
  if (later !== undefined && laters === undefined) {
    return { failed: "the snapshot after it is gone" };
  }
  const found = taken.map((each) => {
    const next = laters?.find(({ root }) => root === each.root);
    const after = next?.snapshot ?? takeSnapshot(each.root, until, most, each.snapshot);
    if (last.has(each.root)) {
      last.set(each.root, after);
    }
    const moves = each.repositories.flatMap(movesOf);
    if (isLeft) {
      const { mtimeMs } = lstatSync(each.root);
      const all = compare(each.snapshot, after);
      const settled = settledAt(all.files, each.snapshot, after, mtimeMs, ended);
      const told = { changes: [], ignored: 0, uncovered: all.uncovered, git: [], late: settled.late, real: each.root };
      return { files: settled.files, kept: each, told };
    }
    const { files: changed, ...told } = compare(each.snapshot, after, { ended, seen: Date.now() });
    return { files: changed, kept: each, later: next, told: { ...told, git: moves, real: each.root } };
  });
  if (isLeft || found.some(({ told }) => told.changes.length > 0 || told.ignored > 0)) {
    compared.set(id, found);
  }
  return { differences: found.map(({ told }) => told) };
}

/** Returns the program Git, unless the workspace itself brings it. */
function gitOutside(root: string): string | undefined {
  return git?.startsWith(`${root}/`) === true ? undefined : git;
}

function entriesOf({ folders }: Snapshot): number {
  return [...folders.values()].reduce((sum, { entries }) => sum + entries.size, 0);
}
