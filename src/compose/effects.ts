import { join } from "node:path";
import { isFull, STATE_IS_FULL } from "../hosts/node/disk/room.js";
import { isOfChange } from "../hosts/node/disk/temporaries.js";
import type { ChangeKeeper } from "../features/changes/changes.js";
import { CommandEffects } from "../features/effects/effects.js";
import type { WatchedRoot } from "../features/effects/snapshots.js";
import { ThreadSnapshots } from "../hosts/node/effects/threadSnapshots.js";
import { readRegular } from "../hosts/node/effects/readRegular.js";
import type { Door } from "../core/pipeline/activity.js";
import type { Files, Root } from "../ports/files.js";
import type { KeptState } from "./state.js";

/** The folder of a workspace's state with the snapshots of commands that run. */
const SNAPSHOTS = "commands";
/** Maximum bytes of a file that is kept when the user saves it while a command runs. */
const MAX_SAVED = 2_000_000;

/** Whether a path is in another root, which covers it. */
function isBelow(path: string, { path: other, scheme }: Root): boolean {
  return scheme === "file" && path.startsWith(`${other}/`);
}

/** Returns how many times longer snapshots may take: the user's wish, from 1 to 100; 1 for anything else. */
export function snapshotPatience(wish: string | undefined): number {
  const times = Number(wish);
  return times >= 1 && times <= 100 ? times : 1;
}

/** Returns the workspace's folders on this machine's disk, none in another, with what people write before paths in them. */
export function rootsOnDisk(files: Files): WatchedRoot[] {
  const all = files.roots().filter(({ beside }) => beside !== true);
  return all
    .filter(({ scheme, path }) => scheme === "file" && !all.some((other) => isBelow(path, other)))
    .map(({ name, path }) => ({ folder: path, prefix: all.length === 1 ? "" : `${name}/` }));
}

/** Whether a folder is there, on a disk that is full. */
function isDiskFull(folder: string): boolean {
  try {
    return isFull(folder);
  } catch {
    return false;
  }
}

/**
 * Creates the watcher that reports which files commands change.
 *
 * @param folder the bundle's folder, for the program that looks at the workspace
 * @param onLeft gets a sentence for people about each command that a killed process left
 * @param alone see `ALONE`, its default
 */
export function watchCommands(
  folder: string,
  files: Files,
  { changes, state }: { changes: ChangeKeeper; state: Pick<KeptState, "folder"> },
  onLeft: (message: string) => void,
  alone?: number,
): CommandEffects {
  return new CommandEffects({
    ...(alone !== undefined && { alone }),
    snapshots: new ThreadSnapshots(folder, () => join(state.folder(), SNAPSHOTS), {
      patience: snapshotPatience(process.env["TOOLHOST_SNAPSHOT_PATIENCE"]),
    }),
    onLeft,
    whyLost: () => (isDiskFull(state.folder()) ? STATE_IS_FULL : undefined),
    roots: () => rootsOnDisk(files),
    isOfChange,
    hasChanged: async (since) => (await changes.journal()).hasChanged(since),
    unfinished: () => changes.unfinished(),
    record: (call, changed, meanwhile, notes) =>
      changes.recordCommand({ ...call, door: call.door as Door }, changed, meanwhile, files, notes),
    read: (absolute) => readRegular(absolute, MAX_SAVED)?.bytes,
    now: Date.now,
  });
}
