import { constants, copyFileSync, linkSync, renameSync } from "node:fs";
import { copyFile, open, rename } from "node:fs/promises";
import { alreadyThere } from "../../shared/fileAnswers.js";
import { errorCode } from "./diskErrors.js";
import { stateIfThere, stateOf, type State } from "./fileState.js";
import { removeAll, temporaryBeside } from "./temporaries.js";

/** FAT, exFAT and some network disks know no second names, and none reaches another disk. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"];

/**
 * Gives a file a second name, never over another that is there by now, which a rename would do; which file it is then.
 * Where the disk knows no second names, a copy has it.
 *
 * @throws ToolError `path_conflict` when something is there
 */
export async function linkNew(from: string, path: string): Promise<State> {
  const state = stateOf(from);
  if (tryLink(from, path)) {
    return state;
  }
  const copy = temporaryBeside(path);
  try {
    // Whole before it has the name: a copy under the name itself would be half a file if we were killed.
    await copyFile(from, copy, constants.COPYFILE_EXCL);
    const made = stateOf(copy);
    renameNew(copy, path);
    return made;
  } finally {
    await removeAll([copy]).catch(() => undefined);
  }
}

/** Gives a file this name, and where the disk knows second names leaves it the other. @throws as `linkNew` */
export function nameNew(from: string, path: string): State {
  const state = stateOf(from);
  if (!tryLink(from, path)) {
    renameNew(from, path);
  }
  return state;
}

/**
 * Gives what is at a path a new name in the same folder, and puts a file that is ready in its place.
 *
 * No call of Node compares and renames in one step, so a rename over the file could hit what another program has saved
 * the moment before, and its text would be gone. What is at the path is taken aside instead, whatever it is by now,
 * looked at, and put back when it is not what was expected. Between taking it and naming the new file there is none at
 * the path for some microseconds (both calls are made without giving the thread away), as when Vim saves; who is killed
 * there is taken back by the next process.
 *
 * @param isExpected told what was taken
 * @returns what was put there; undefined when it was not as expected: then everything is as before
 * @throws ToolError `path_conflict` when somebody made a file there meanwhile, which stays; what was taken is at
 * `aside`
 */
export async function exchange(
  path: string,
  ready: string,
  aside: string,
  isExpected: (taken: State) => boolean,
): Promise<State | undefined> {
  renameSync(path, aside);
  if (isExpected(stateOf(aside))) {
    try {
      return nameNew(ready, path);
    } catch (error) {
      if (stateIfThere(path) === undefined) {
        await putBack(aside, path);
      }
      throw error;
    }
  }
  await putBack(aside, path);
  return undefined;
}

/**
 * Gives a file that was taken aside its name again. @throws ToolError `path_conflict` when somebody made one there,
 * which stays
 */
export async function putBack(aside: string, path: string): Promise<void> {
  nameNew(aside, path);
  await removeAll([aside]).catch(() => undefined);
}

function renameNew(from: string, path: string): void {
  // Nothing can look and rename in one step; between the two lies no wait.
  if (stateIfThere(path) !== undefined) {
    throw alreadyThere(path);
  }
  renameSync(from, path);
}

/** @returns false where the disk knows no second names */
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

/** A copy that has its name only when it is whole, flushed. */
export async function copyWhole(from: string, path: string): Promise<void> {
  const half = temporaryBeside(path);
  try {
    copyFileSync(from, half, constants.COPYFILE_EXCL);
    // It has the other's mode, which may let its new owner read alone; Windows flushes only what is open for writing.
    const file = await open(half, process.platform === "win32" ? "r+" : "r");
    await file.sync().finally(() => file.close());
    await rename(half, path);
  } finally {
    await removeAll([half]).catch(() => undefined);
  }
}
