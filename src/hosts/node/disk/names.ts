import { constants, copyFileSync, linkSync, renameSync } from "node:fs";
import { copyFile, open, rename } from "node:fs/promises";
import { alreadyThere } from "../../shared/fileAnswers.js";
import { errorCode } from "./diskErrors.js";
import { stateIfThere, stateOf, type State } from "./fileState.js";
import { whileHeld } from "./held.js";
import { removeAll, temporaryBeside } from "./temporaries.js";

/** Errors of link(2): FAT, exFAT and some network disks have no hard links, and no hard link reaches another disk. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"];

/**
 * Gives a file a second name, never overwriting another that exists by now, as a rename would. Returns the file's
 * state. If the disk has no hard links, a copy gets the name.
 *
 * @throws ToolError `path_conflict` if something exists there
 */
export async function linkNew(from: string, path: string): Promise<State> {
  const state = stateOf(from);
  if (tryLink(from, path)) {
    return state;
  }
  const copy = temporaryBeside(path);
  try {
    // Copy completely before naming it: a copy under the name itself would be half a file if we were killed.
    await copyFile(from, copy, constants.COPYFILE_EXCL);
    const made = stateOf(copy);
    renameNew(copy, path);
    return made;
  } finally {
    await removeAll([copy]).catch(() => undefined);
  }
}

/** Gives a file this name; its other name stays if the disk has hard links. @throws as `linkNew` */
export function nameNew(from: string, path: string): State {
  const state = stateOf(from);
  if (!tryLink(from, path)) {
    renameNew(from, path);
  }
  return state;
}

/**
 * Moves the file at a path aside within its folder, and puts a prepared file in its place.
 *
 * No Node call compares and renames in one step, so a rename over the file could hit what another program has just
 * saved, and that text would be gone. Instead, whatever is at the path by now is moved aside, checked, and put back if
 * it is not what was expected. Between moving it and naming the new file, nothing exists at the path for some
 * microseconds (both calls are synchronous), as when Vim saves; if we are killed there, the next process rolls it back.
 *
 * @param isExpected called with what was moved aside
 * @returns the state of the new file; undefined if the old file was not as expected: then everything is as before
 * @throws ToolError `path_conflict` if somebody created a file there meanwhile, which stays; the old file is then at
 *   `aside`
 */
export async function exchange(
  path: string,
  ready: string,
  aside: string,
  isExpected: (taken: State) => boolean,
): Promise<State | undefined> {
  return whileHeld(
    () => renameSync(path, aside),
    async () => {
      if (!isExpected(stateOf(aside))) {
        await putBack(aside, path);
        return undefined;
      }
      try {
        return nameNew(ready, path);
      } catch (error) {
        if (stateIfThere(path) === undefined) {
          await putBack(aside, path);
        }
        throw error;
      }
    },
  );
}

/**
 * Gives a file that was moved aside its name back. @throws ToolError `path_conflict` if somebody created one there,
 * which stays
 */
export async function putBack(aside: string, path: string): Promise<void> {
  nameNew(aside, path);
  await removeAll([aside]).catch(() => undefined);
}

function renameNew(from: string, path: string): void {
  // No call checks and renames in one step; there is no wait between the two.
  if (stateIfThere(path) !== undefined) {
    throw alreadyThere(path);
  }
  renameSync(from, path);
}

/** @returns false if the disk has no hard links */
function tryLink(from: string, path: string): boolean {
  try {
    linkSync(from, path);
    return true;
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (code === "EEXIST") {
      throw alreadyThere(path);
    }
    if (!NO_LINKS.includes(code)) {
      throw error;
    }
    return false;
  }
}

/** Copies a file; the copy gets its name only once it is complete and flushed. */
export async function copyWhole(from: string, path: string): Promise<void> {
  const half = temporaryBeside(path);
  try {
    copyFileSync(from, half, constants.COPYFILE_EXCL);
    // The copy has the original's mode, which may make it read-only for us; Windows only flushes files that are open
    // for writing.
    const file = await open(half, process.platform === "win32" ? "r+" : "r");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(half, path);
  } finally {
    await removeAll([half]).catch(() => undefined);
  }
}
