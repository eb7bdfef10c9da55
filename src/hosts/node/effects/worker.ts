import { realpathSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { compare } from "../../../features/effects/compare.js";
import type { Snapshot } from "../../../features/effects/snapshot.js";
import type { SnapshotAnswer, SnapshotRequest } from "./messages.js";
import { takeSnapshot } from "./walk.js";

/**
 * Takes and compares snapshots on a thread of its own, which its host ends if it hangs on a file system; bundled to its
 * own file, dist/effects-worker.js.
 */

/** Maximum number of entries of all snapshots that are kept: commands in the background keep theirs for hours. */
const most = workerData as number;
const snapshots = new Map<number, { real: string; snapshot: Snapshot }[]>();

parentPort?.on("message", (request: SnapshotRequest) => {
  if (request.kind === "drop") {
    snapshots.delete(request.snapshot);
    return;
  }
  let answer: SnapshotAnswer;
  try {
    answer = { id: request.id, ...(request.kind === "take" ? take(request) : differences(request)) };
  } catch (error) {
    answer = { id: request.id, failed: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
});

function take({ id, folders, milliseconds }: Extract<SnapshotRequest, { kind: "take" }>): Partial<SnapshotAnswer> {
  const until = performance.now() + milliseconds;
  let left = most - [...snapshots.values()].flat().reduce((sum, { snapshot }) => sum + entriesOf(snapshot), 0);
  const taken = folders.map((folder) => {
    const real = realpathSync(folder);
    const snapshot = takeSnapshot(real, until, left);
    left -= entriesOf(snapshot);
    return { real, snapshot };
  });
  snapshots.set(id, taken);
  return {};
}

function differences({
  snapshot: id,
  milliseconds,
}: Extract<SnapshotRequest, { kind: "compare" }>): Partial<SnapshotAnswer> {
  const until = performance.now() + milliseconds;
  const taken = snapshots.get(id);
  snapshots.delete(id);
  return taken === undefined
    ? { failed: "the snapshot is gone" }
    : {
        differences: taken.map(({ real, snapshot }) => ({
          ...compare(snapshot, takeSnapshot(real, until, most, snapshot)),
          real,
        })),
      };
}

function entriesOf({ folders }: Snapshot): number {
  return [...folders.values()].reduce((sum, { entries }) => sum + entries.size, 0);
}
