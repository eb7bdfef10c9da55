import { realpathSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { compare, type Differences } from "../../../features/effects/compare.js";
import type { Snapshot } from "../../../features/effects/snapshot.js";
import type { RootContents } from "../../../features/effects/snapshots.js";
import { contentsOf, type Kept } from "./contents/contents.js";
import { GitIndexes } from "./contents/gitFiles.js";
import { KeptFiles } from "./contents/keptFiles.js";
import type { SnapshotAnswer, SnapshotRequest, SnapshotThread } from "./messages.js";
import { takeSnapshot } from "./walk.js";

/**
 * Takes and compares snapshots on a thread of its own, which its host ends if it hangs on a file system; bundled to its
 * own file, dist/effects-worker.js.
 */

/** A root at the start of a command. */
interface Taken extends Kept {
  snapshot: Snapshot;
}

const { entries: most, git, configs } = workerData as SnapshotThread;
const snapshots = new Map<number, Taken[]>();
const compared = new Map<number, (Pick<Differences, "files" | "left"> & { kept: Kept })[]>();
const indexes = new GitIndexes(configs);
const kept = new KeptFiles();

parentPort?.on("message", (request: SnapshotRequest) => {
  if (request.kind === "drop") {
    snapshots.delete(request.snapshot);
    compared.delete(request.snapshot);
    return;
  }
  let answer: SnapshotAnswer;
  try {
    answer = { id: request.id, ...answerTo(request) };
  } catch (error) {
    answer = { id: request.id, failed: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
});

function answerTo(request: Exclude<SnapshotRequest, { kind: "drop" }>): Partial<SnapshotAnswer> {
  switch (request.kind) {
    case "take":
      return take(request);
    case "compare":
      return differences(request);
    case "contents": {
      const found = compared.get(request.snapshot);
      compared.delete(request.snapshot);
      return found === undefined ? { failed: "the comparison is gone" } : { contents: found.map(contents) };
    }
  }
}

function take({
  id,
  folders,
  milliseconds,
  copy,
}: Extract<SnapshotRequest, { kind: "take" }>): Partial<SnapshotAnswer> {
  const until = performance.now() + milliseconds;
  let left = most - [...snapshots.values()].flat().reduce((sum, { snapshot }) => sum + entriesOf(snapshot), 0);
  const walked = folders.map((folder) => {
    const root = realpathSync(folder);
    const snapshot = takeSnapshot(root, until, left);
    left -= entriesOf(snapshot);
    return { root, snapshot };
  });
  const copyUntil = performance.now() + copy;
  const taken = walked.map(({ root, snapshot }) => {
    const files = gitOutside(root) === undefined ? [] : indexes.of(root, snapshot);
    return { root, snapshot, git: files, copies: kept.keep(root, snapshot, files, copyUntil) };
  });
  snapshots.set(id, taken);
  return {};
}

function contents({ kept: each, files, left }: Pick<Differences, "files" | "left"> & { kept: Kept }): RootContents {
  const found = contentsOf(each, files, gitOutside(each.root));
  return { ...found, left: [...found.left, ...left] };
}

function differences({
  snapshot: id,
  ended,
  milliseconds,
}: Extract<SnapshotRequest, { kind: "compare" }>): Partial<SnapshotAnswer> {
  const until = performance.now() + milliseconds;
  const taken = snapshots.get(id);
  snapshots.delete(id);
  if (taken === undefined) {
    return { failed: "the snapshot is gone" };
  }
  const found = taken.map((each) => {
    const after = takeSnapshot(each.root, until, most, each.snapshot);
    const { files, left, ...told } = compare(each.snapshot, after, { ended, seen: Date.now() });
    return { files, left, kept: each, told: { ...told, real: each.root } };
  });
  if (found.some(({ told }) => told.changes.length > 0 || told.ignored > 0)) {
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
