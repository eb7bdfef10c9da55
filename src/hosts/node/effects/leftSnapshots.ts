import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasEnded, temporaryTag } from "../state/owner.js";
import { SNAPSHOT_ENDING } from "./storedSnapshots.js";

/** A process's folder: its number, its start and where both mean something, as in the names of temporary files. */
const TAG = /^(\d+)-(\d+)-([0-9a-f]+)$/;

/** What the names of folders begin with that a process has taken over. */
const TAKEN = "of-";

/** How long a process takes at most to record what it has taken over, in ms. */
export const RECORDED = 20_000;

/** How long a process that cannot be seen from here is silent before its snapshots are taken over, in ms. */
const SILENT = 600_000;

/** Returns the folder for the snapshots of this process. @param folder of all processes */
export function ownSnapshots(folder: string): string {
  return join(folder, temporaryTag());
}

/**
 * Takes over the snapshots of processes that have ended, and returns their files, oldest first. Of several processes that
 * try it, each folder is one's.
 */
export function takeLeft(folder: string): string[] {
  return namesIn(folder).flatMap((name) => {
    const [, pid, ticks = "", place = ""] = TAG.exec(name) ?? [];
    const taken = join(ownSnapshots(folder), `${TAKEN}${name}`);
    try {
      if (pid === undefined || !isOver(join(folder, name), Number(pid), ticks, place)) {
        return [];
      }
      if (filesIn(join(folder, name)).length === 0) {
        removeSnapshots(join(folder, name));
        return [];
      }
      mkdirSync(ownSnapshots(folder), { recursive: true, mode: 0o700 });
      renameSync(join(folder, name), taken);
      return filesIn(taken);
    } catch {
      // Another process takes it over at this moment.
      return [];
    }
  });
}

/**
 * Whether another process that runs has taken over snapshots, and has not yet recorded what they tell. One that took them
 * long ago has failed to record them, and keeps them for the process after it.
 *
 * @param now in milliseconds since 1970
 */
export function isTakenElsewhere(folder: string, now = Date.now()): boolean {
  return namesIn(folder).some((name) => {
    const [, pid, ticks = "", place = ""] = TAG.exec(name) ?? [];
    try {
      return (
        pid !== undefined &&
        name !== temporaryTag() &&
        !isOver(join(folder, name), Number(pid), ticks, place) &&
        namesIn(join(folder, name)).some(
          (each) =>
            each.startsWith(TAKEN) &&
            now - statSync(join(folder, name, each)).ctimeMs < RECORDED &&
            filesIn(join(folder, name, each)).length > 0,
        )
      );
    } catch {
      // It is being removed at this moment, or has been.
      return false;
    }
  });
}

/** Removes the folder of a process that has recorded what all its commands changed. */
export function removeSnapshots(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Removes a snapshot that was taken over, and its folder with the copies after the last one in it. */
export function removeLeft(path: string): void {
  rmSync(path, { force: true });
  const folder = dirname(path);
  if (filesIn(folder).length === 0) {
    removeSnapshots(folder);
  }
}

/**
 * Whether a process no longer runs: one that cannot be seen from here, as it ran before the machine started again or in a
 * container, if it has not said for long that its commands run.
 */
function isOver(folder: string, pid: number, ticks: string, place: string): boolean {
  if (hasEnded(pid, ticks, place)) {
    return true;
  }
  const isHere = temporaryTag().endsWith(`-${place}`);
  const last = isHere ? Infinity : Math.max(...[folder, ...filesIn(folder)].map((path) => statSync(path).mtimeMs));
  return Date.now() - last > SILENT;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the snapshots in a folder, and in those that its process had taken over. */
function filesIn(folder: string): string[] {
  const numberOf = (name: string): number => Number(name.slice(0, -SNAPSHOT_ENDING.length));
  const entries = readdirSync(folder, { withFileTypes: true });
  const earlier = entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => filesIn(join(folder, name)));
  const own = entries.map(({ name }) => name).filter((name) => name.endsWith(SNAPSHOT_ENDING));
  return [...earlier, ...own.sort((a, b) => numberOf(a) - numberOf(b)).map((name) => join(folder, name))];
}
