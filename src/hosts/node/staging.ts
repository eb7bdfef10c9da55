import { constants } from "node:fs";
import { copyFile, link, lstat, rename, rm } from "node:fs/promises";
import type { CreateStep, Disk, Step } from "../disk.js";
import { alreadyThere, replacedMeanwhile } from "../fileAnswers.js";
import { notTakenBack } from "../steps.js";
import { errorCode, ioError } from "./diskErrors.js";
import { openRegular, statWritable } from "./openRegular.js";
import { checkUnmoved, makeFolders, parentsOf, removeEmpty } from "./parentFolders.js";
import { readied, removeAll, temporaryBeside, writeFlushed } from "./temporaries.js";

/** What a new file may be, before the umask takes its part. */
const NEW_FILE_MODE = 0o666;

/** `Disk.stageReplace` on Node's fs. */
export async function stageReplace(disk: Disk, path: string, bytes: Uint8Array, unchanged: () => Promise<void>): Promise<Step> {
  const temporary = temporaryBeside(path);
  const old = temporaryBeside(path);
  await readied(path, temporary, async () => {
    const { mode, uid, gid } = await statWritable(path);
    await writeFlushed(temporary, bytes, mode, async (file) => {
      // Only root may give a file away; for others it becomes theirs.
      await file.chown(uid, gid).catch(() => undefined);
      // The mode given to open() is cut by the umask, and a new owner takes the set-user-id bit off.
      await file.chmod(mode);
    });
  });
  let written: State | undefined;
  return {
    commit: () =>
      inWords(path, async () => {
        const seen = await stateOf(path);
        await unchanged();
        await checkUnmoved(disk, path, path);
        // The old file keeps a name until the end, so that taking the change back needs no space and no luck.
        const isLinked = await link(path, old).then(() => true, () => false);
        if (!isLinked) {
          await copyFile(path, old, constants.COPYFILE_EXCL);
        }
        const mine = await stateOf(temporary);
        await rename(temporary, path);
        if (isLinked && !isSame(await stateOf(old), seen)) {
          // Written to, or another one, since the look at its text: what somebody put there comes back.
          await rename(old, path).catch((error: unknown) => {
            throw notTakenBack(replacedMeanwhile(path), [`${path} (${ioError(path, error).message})`]);
          });
          throw replacedMeanwhile(path);
        }
        written = mine;
      }),
    undo: () =>
      inWords(path, async () => {
        await checkMine(path, written, bytes);
        await rename(old, path);
      }),
    release: () => removeAll([temporary, old]),
  };
}

/** `Disk.stageCreate` on Node's fs. */
export async function stageCreate(disk: Disk, path: string, bytes: Uint8Array, mode = NEW_FILE_MODE): Promise<CreateStep> {
  const temporary = temporaryBeside(path);
  const folders = await makeFolders(disk, path);
  await readied(path, temporary, () => writeFlushed(temporary, bytes, mode, async (file) => (mode === NEW_FILE_MODE ? undefined : file.chmod(mode)))).catch(async (error: unknown) => {
    await removeEmpty(folders);
    throw error;
  });
  let written: State | undefined;
  return {
    foldersMade: folders.length,
    commit: () =>
      inWords(path, async () => {
        await checkUnmoved(disk, path, path);
        written = await linkNew(temporary, path);
      }),
    undo: () =>
      inWords(path, async () => {
        await checkMine(path, written, bytes);
        await rm(path);
        written = undefined;
      }),
    release: async () => {
      await removeAll([temporary]);
      if (written === undefined) {
        await removeEmpty(folders);
      }
    },
  };
}

/** `Disk.stageRemove` on Node's fs. */
export async function stageRemove(disk: Disk, path: string, folders: number, unchanged: () => Promise<void>): Promise<Step> {
  const aside = temporaryBeside(path);
  await statWritable(path);
  let removed = false;
  return {
    commit: () =>
      inWords(path, async () => {
        const seen = await stateOf(path);
        await unchanged();
        await checkUnmoved(disk, path, path);
        // Moved aside first: taking it back is then one rename.
        await rename(path, aside);
        if (!isSame(await stateOf(aside), seen)) {
          await linkNew(aside, path);
          throw replacedMeanwhile(path);
        }
        removed = true;
      }),
    undo: () =>
      inWords(path, async () => {
        await linkNew(aside, path);
        removed = false;
      }),
    release: async () => {
      await removeAll([aside]);
      if (removed) {
        await removeEmpty(parentsOf(path, folders).reverse());
      }
    },
  };
}

/** `Disk.stageMove` on Node's fs. */
export async function stageMove(disk: Disk, from: string, to: string, bytes: Uint8Array | undefined, folders: number, unchanged: () => Promise<void>): Promise<CreateStep> {
  const source = await statWritable(from);
  if (bytes === undefined && disk.foldCase && from.toLowerCase() === to.toLowerCase()) {
    return otherCase(disk, from, to, unchanged);
  }
  const create = bytes === undefined ? await nameOnly(disk, from, to) : await stageCreate(disk, to, bytes, source.mode);
  const remove = await stageRemove(disk, from, folders, unchanged).catch(async (error: unknown) => {
    await create.release();
    throw error;
  });
  return {
    foldersMade: create.foldersMade,
    commit: async () => {
      await unchanged();
      await create.commit();
      await remove.commit().catch(async (error: unknown) => {
        await create.undo().catch((reason: unknown) => {
          throw notTakenBack(error, [`${to} (${ioError(to, reason).message})`]);
        });
        throw error;
      });
    },
    undo: async () => {
      await remove.undo();
      await create.undo();
    },
    release: async () => {
      await remove.release();
      await create.release();
    },
  };
}

/** Where case does not count, the new name is there already: it is the file's own. */
async function otherCase(disk: Disk, from: string, to: string, unchanged: () => Promise<void>): Promise<CreateStep> {
  let moved: State | undefined;
  return {
    foldersMade: 0,
    commit: () =>
      inWords(from, async () => {
        await unchanged();
        await checkUnmoved(disk, from, from);
        const mine = await stateOf(from);
        await rename(from, to);
        moved = mine;
      }),
    undo: () =>
      inWords(to, async () => {
        // What was written into the file goes back with it.
        if (moved === undefined || !isSameFile(await stateOf(to), moved)) {
          throw replacedMeanwhile(to);
        }
        await rename(to, from);
      }),
    release: () => Promise.resolve(),
  };
}

/** A second name for a file, which is all a move needs where the bytes stay the same. */
async function nameOnly(disk: Disk, from: string, to: string): Promise<CreateStep> {
  const folders = await makeFolders(disk, to);
  let made: State | undefined;
  return {
    foldersMade: folders.length,
    commit: () =>
      inWords(to, async () => {
        await checkUnmoved(disk, to, to);
        made = await linkNew(from, to);
      }),
    undo: () =>
      inWords(to, async () => {
        const now = await stateOf(to);
        const source = await stateOf(from).catch(() => undefined);
        // As long as both are names of one file, what was written into it stays under the old one.
        const isSecondName = source !== undefined && isSameFile(now, source);
        if (!isSecondName && (made === undefined || !isSame(now, made))) {
          throw replacedMeanwhile(to);
        }
        await rm(to);
        made = undefined;
      }),
    release: () => (made === undefined ? removeEmpty(folders) : Promise.resolve()),
  };
}

/** A file, and whether it has been written to. In nanoseconds: two writes may fall into one millisecond. */
interface State {
  dev: bigint;
  ino: bigint;
  size: bigint;
  modified: bigint;
}

async function stateOf(path: string): Promise<State> {
  const { dev, ino, size, mtimeNs } = await lstat(path, { bigint: true });
  return { dev, ino, size, modified: mtimeNs };
}

function isSameFile(a: State, b: State): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

function isSame(a: State, b: State): boolean {
  return isSameFile(a, b) && a.size === b.size && a.modified === b.modified;
}

/** What is taken back must still be what was put there: the same file, and not written into, which many editors do. */
async function checkMine(path: string, written: State | undefined, bytes: Uint8Array): Promise<void> {
  const now = await stateOf(path);
  if (written === undefined || !isSameFile(now, written) || now.size !== written.size || !(await holds(path, bytes))) {
    throw replacedMeanwhile(path);
  }
}

/** Whether a file holds these bytes: a clock that ticks slowly would not tell. */
async function holds(path: string, bytes: Uint8Array): Promise<boolean> {
  const file = await openRegular(path);
  try {
    return (await file.readFile()).equals(bytes);
  } finally {
    await file.close();
  }
}

async function inWords<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw ioError(path, error);
  }
}

/** Gives a file a name, never over another that is there by now, which a rename would do; which file it is. */
export async function linkNew(from: string, path: string): Promise<State> {
  try {
    const state = await stateOf(from);
    await link(from, path);
    return state;
  } catch (error) {
    switch (errorCode(error)) {
      case "EEXIST":
        throw alreadyThere(path);
      // FAT, exFAT and some network disks know no second names, and none reaches another disk.
      case "EPERM":
      case "ENOTSUP":
      case "EOPNOTSUPP":
      case "ENOSYS":
      case "EMLINK":
      case "EXDEV":
        return copyNew(from, path);
      default:
        throw error;
    }
  }
}

/** The same by a copy, whole before it has the name: a copy under the name itself would be half a file if we were killed. */
async function copyNew(from: string, path: string): Promise<State> {
  const copy = temporaryBeside(path);
  try {
    await copyFile(from, copy, constants.COPYFILE_EXCL);
    const state = await stateOf(copy);
    // Nothing can look and rename in one step; between the two lies no wait.
    if (await lstat(path).then(() => true, () => false)) {
      throw alreadyThere(path);
    }
    await rename(copy, path);
    return state;
  } finally {
    await removeAll([copy]);
  }
}
