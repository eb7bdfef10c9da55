import { constants, renameSync, type Stats } from "node:fs";
import { chmod, copyFile } from "node:fs/promises";
import type { EntryState, LargeFile } from "../../../ports/files.js";
import type { CreateStep, Disk, Step, StepNote } from "../../shared/disk.js";
import { NotTakenBack, ToolError } from "../../../core/errors.js";
import { OTHERS_ALONE } from "../../../features/changes/journal/undo.js";
import { replacedMeanwhile } from "../../shared/fileAnswers.js";
import { notTakenBack } from "../../shared/steps.js";
import { writeAlike } from "./attributes.js";
import { errorCode, ioError } from "./diskErrors.js";
import { setEntry } from "./entries.js";
import { hashOf, inWords, isSame, isSameFile, stateIfThere, stateOf, type State } from "./fileState.js";
import { whileHeld } from "./held.js";
import { isLarge } from "./large.js";
import { copyWhole, exchange, linkNew, nameNew, putBack } from "./names.js";
import { openRegular, statWritable } from "./openRegular.js";
import { checkUnmoved, foldersBetween, makeFolders, removeEmpty } from "./parentFolders.js";
import { clearUp, foldersAbove, takeBack, writeInPlace } from "../state/takeBack.js";
import { oldBeside, readied, temporaryBeside, writeFlushing } from "./temporaries.js";

/** Permission of its owner to read and write a file while it is made. */
const OWN = 0o600;
/** Mode of a new file, before the umask applies. */
const NEW_FILE_MODE = 0o666;

/**
 * Error codes if nothing can take a file's place because it is a mount point, as in a container that was given a single
 * file.
 */
const MOUNTED = ["EBUSY", "EXDEV"];

/** Implements `Disk.stageReplace` on Node's fs. */
export async function stageReplace(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  unchanged: () => Promise<void>,
): Promise<Step> {
  const note = replaceNote(path, bytes);
  const alike = await readied(path, note.temporary, async () =>
    writeAlike(path, await statWritable(path), note.temporary, bytes),
  );
  const changeInPlace = async (seen: State): Promise<void> => {
    await copyWhole(path, note.old);
    await unchanged();
    try {
      await writeInPlace(path, bytes, (opened) => isSame(opened, seen));
    } catch (error) {
      await takeBack(note).catch((reason: unknown) => {
        throw notTakenBack(ioError(path, error), [`${path} (${ioError(path, reason).message})`]);
      });
      throw error;
    }
    if (!isSameFile(stateIfThere(path), seen)) {
      // Somebody replaced the file: the one we wrote to no longer has a name.
      throw replacedMeanwhile(path);
    }
  };
  return stepOf([note], {
    flushed: alike.flushed,
    settled: alike.settled,
    commit: async () => {
      const isReplaceable = await alike.isWhole();
      const seen = stateOf(path);
      await unchanged();
      await checkUnmoved(disk, path, path);
      if (!isReplaceable) {
        return changeInPlace(seen);
      }
      try {
        if ((await exchange(path, note.temporary, note.old, (taken) => isSame(taken, seen))) === undefined) {
          throw replacedMeanwhile(path);
        }
      } catch (error) {
        if (MOUNTED.includes(errorCode(error) ?? "")) {
          return changeInPlace(seen);
        }
        throw error instanceof ToolError && error.type === "path_conflict"
          ? madeMeanwhile(path)
          : leftAside(path, note.old, error);
      }
    },
  });
}

function replaceNote(path: string, bytes: Uint8Array): StepNote & { kind: "replace" } {
  const [temporary, old, back] = [temporaryBeside(path), oldBeside(path), oldBeside(path)];
  return { kind: "replace", path, temporary, old, back, hash: hashOf(bytes) };
}

/** Implements `Disk.stageBySave` on Node's fs. */
export async function stageBySave(path: string, bytes: Uint8Array): Promise<Step> {
  const note = replaceNote(path, bytes);
  await readied(path, note.temporary, async () => {
    const { mode } = await statWritable(path);
    await (
      await writeFlushing(note.temporary, bytes, mode & 0o700)
    ).flushed;
    await copyWhole(path, note.old);
  });
  return {
    notes: [note],
    commit: () => Promise.resolve(),
    undo: () => Promise.resolve(),
    release: () => clearUp(note, true),
  };
}

/**
 * Implements `Disk.stageCreate` on Node's fs. @param like the file whose mode, owner and attributes the new one gets
 */
export async function stageCreate(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  like?: { path: string; source: Stats } | { mode: number },
  top?: string,
): Promise<CreateStep> {
  const { folders, made, makeRest } = await foldersFor(disk, path, top);
  const temporary = temporaryBeside(top ?? path);
  const { flushed, settled } = await readied(path, temporary, async () => {
    if (like === undefined || "mode" in like) {
      const written = await writeFlushing(temporary, bytes, like === undefined ? NEW_FILE_MODE : like.mode & 0o700);
      if (like !== undefined) {
        // The umask does not apply to a file that had this mode before.
        await chmod(temporary, like.mode);
      }
      return {
        flushed: () => written.flushed,
        settled: () => written.flushed.catch(() => undefined),
      };
    }
    const alike = await writeAlike(like.path, like.source, temporary, bytes);
    if (!(await alike.isWhole())) {
      await alike.settled();
      throw new ToolError(
        "unsupported",
        `${path}: the new file could not be given the owner and attributes of the moved one. Nothing was changed.`,
        "Move the file without changing it, then edit it.",
      );
    }
    return alike;
  }).catch(async (error: unknown) => {
    await removeEmpty(made);
    throw error;
  });
  return {
    foldersMade: folders.length,
    ...stepOf([{ kind: "create", path, temporary, back: oldBeside(path), hash: hashOf(bytes), folders }], {
      ...{ flushed, settled },
      commit: async () => {
        await makeRest();
        await checkUnmoved(disk, path, path);
        nameNew(temporary, path);
      },
    }),
  };
}

/** The folders above a new file. */
interface Folders {
  /** Those that are new with it, topmost first. */
  folders: string[];
  /** Those of them that are there already. */
  made: string[];
  /** Makes the others, once their place is free. */
  makeRest: () => Promise<void>;
}

/** Makes the folders above a path, or says which its turn will make. @param top see `Disk.stageCreate` */
async function foldersFor(disk: Disk, path: string, top: string | undefined): Promise<Folders> {
  if (top === undefined) {
    const folders = await makeFolders(disk, path);
    return { folders, made: folders, makeRest: () => Promise.resolve() };
  }
  // The call makes the topmost by itself.
  const folders = foldersBetween(top, path);
  return { folders, made: [], makeRest: async () => void (await makeFolders(disk, path, folders)) };
}

/** Implements `Disk.stageRemove` on Node's fs. */
export async function stageRemove(
  disk: Disk,
  path: string,
  folders: number,
  unchanged: () => Promise<void>,
  top?: string,
): Promise<Step> {
  const note: StepNote = { kind: "remove", path, old: oldBeside(top ?? path), folders: foldersAbove(path, folders) };
  await statWritable(path);
  return stepOf([note], {
    commit: async () => {
      const seen = stateOf(path);
      await unchanged();
      await checkUnmoved(disk, path, path);
      // Move the file aside first: undoing is then a single rename.
      await whileHeld(
        () => renameSync(path, note.old),
        async () => {
          if (!isSame(stateOf(note.old), seen)) {
            await putBack(note.old, path).catch((error: unknown) => {
              throw leftAside(path, note.old, error);
            });
            throw replacedMeanwhile(path);
          }
        },
      );
    },
  });
}

/** Implements `Disk.stageMove` on Node's fs. */
export async function stageMove(
  disk: Disk,
  from: string,
  to: string,
  bytes: Uint8Array | undefined,
  folders: number,
  unchanged: () => Promise<void>,
): Promise<CreateStep> {
  const source = await statWritable(from);
  if (bytes === undefined && disk.foldCase && from.toLowerCase() === to.toLowerCase()) {
    return otherCase(disk, from, to, unchanged);
  }
  const create =
    bytes === undefined ? await nameOnly(disk, from, to) : await stageCreate(disk, to, bytes, { path: from, source });
  const remove = await stageRemove(disk, from, folders, unchanged).catch(async (error: unknown) => {
    await create.release().catch(() => undefined);
    throw error;
  });
  return {
    foldersMade: create.foldersMade,
    notes: [...(create.notes ?? []), ...(remove.notes ?? [])],
    flushed: async () => create.flushed?.(),
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
      try {
        await remove.release();
      } finally {
        await create.release();
      }
    },
  };
}

/** Implements `Disk.stageEntry` on Node's fs. */
export async function stageEntry(
  disk: Disk,
  path: string,
  before: EntryState | undefined,
  after: EntryState | undefined,
  folders: number,
  top?: string,
): Promise<CreateStep> {
  if (after !== undefined && "large" in after) {
    return stageLarge(disk, path, after.large, top);
  }
  if (before !== undefined && "large" in before) {
    const isExpected = async (): Promise<void> => {
      if (!(await isLarge(path, before.large))) {
        throw replacedMeanwhile(path);
      }
    };
    return { foldersMade: 0, ...(await stageRemove(disk, path, folders, isExpected, top)) };
  }
  const { folders: made, makeRest } =
    before === undefined ? await foldersFor(disk, path, top) : { folders: [], makeRest: () => Promise.resolve() };
  const old = oldBeside(top ?? path);
  const note: StepNote = {
    ...{ kind: "entry", path, old, folders: after === undefined ? foldersAbove(path, folders) : made },
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
  return {
    foldersMade: made.length,
    ...stepOf([note], {
      commit: async () => {
        await makeRest();
        await checkUnmoved(disk, path, path);
        setEntry(path, old, before, after);
      },
    }),
  };
}

/** Prepares a new file from the copy of its contents in the state. Disks that can share them have no more to write. */
async function stageLarge(disk: Disk, path: string, large: LargeFile, top?: string): Promise<CreateStep> {
  const { copy, mode, sha256, size } = large;
  if (copy === undefined || stateIfThere(copy)?.size !== BigInt(size)) {
    throw new ToolError(
      "conflict",
      `${path}: its earlier contents are no longer kept, to make room for later ones. Nothing was undone.`,
      `${OTHERS_ALONE}.`,
    );
  }
  const { folders, made, makeRest } = await foldersFor(disk, path, top);
  const temporary = temporaryBeside(top ?? path);
  await readied(path, temporary, async () => {
    await copyFile(copy, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await chmod(temporary, mode | OWN);
    const { file } = await openRegular(temporary);
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(temporary, mode);
  }).catch(async (error: unknown) => {
    await removeEmpty(made);
    throw error;
  });
  return {
    foldersMade: folders.length,
    ...stepOf([{ kind: "create", path, temporary, back: oldBeside(path), hash: sha256, folders }], {
      commit: async () => {
        await makeRest();
        await checkUnmoved(disk, path, path);
        nameNew(temporary, path);
      },
    }),
  };
}

/** Changes the case of a file's name. On a case-insensitive disk, the new name already exists: it is the file's own. */
async function otherCase(disk: Disk, from: string, to: string, unchanged: () => Promise<void>): Promise<CreateStep> {
  let moved: State | undefined;
  return {
    foldersMade: 0,
    ...stepOf([{ kind: "case", from, path: to }], {
      commit: async () => {
        await unchanged();
        await checkUnmoved(disk, from, from);
        const mine = stateOf(from);
        await whileHeld(
          () => renameSync(from, to),
          () => void (moved = mine),
        );
      },
    }),
    undo: () =>
      inWords(to, async () => {
        // Text that was written into the file in the meantime goes back with it.
        if (moved === undefined || !isSameFile(stateOf(to), moved)) {
          throw replacedMeanwhile(to);
        }
        renameSync(to, from);
      }),
  };
}

/** Gives a file a second name, which is all a move needs if the bytes stay the same. */
async function nameOnly(disk: Disk, from: string, to: string): Promise<CreateStep> {
  const folders = await makeFolders(disk, to);
  return {
    foldersMade: folders.length,
    ...stepOf([{ kind: "name", from, path: to, back: oldBeside(to), folders }], {
      commit: async () => {
        await checkUnmoved(disk, to, to);
        await linkNew(from, to);
      },
    }),
  };
}

/** What a step does; for one that writes no new file, nothing is to be flushed or waited for. */
interface StepWork {
  commit: () => Promise<void>;
  flushed?: () => Promise<void>;
  /** Resolves when nothing more is done to the files of the step, in whatever way that ended. */
  settled?: () => Promise<void>;
}

/** Makes a step that is undone and cleaned up according to its notes, the same way the next process would do it. */
function stepOf(notes: readonly [StepNote], { commit, flushed, settled }: StepWork): Step {
  const [note] = notes;
  let isMade = false;
  // A folder that has to give its place back must be empty before that, not only when all is over.
  const withoutFolders = (): Promise<void> => removeEmpty(isCreation(note) ? note.folders : []);
  return {
    notes,
    flushed: () => inWords(note.path, async () => flushed?.()),
    commit: () =>
      inWords(note.path, async () => {
        try {
          await commit();
        } catch (error) {
          await withoutFolders();
          throw error;
        }
        isMade = true;
      }),
    undo: async () => {
      await takeBack(note);
      await withoutFolders();
      isMade = false;
    },
    release: async () => {
      await settled?.();
      await clearUp(note, isMade);
    },
  };
}

function isCreation(note: StepNote): note is StepNote & { folders: string[] } {
  return "folders" in note && note.kind !== "remove" && !(note.kind === "entry" && note.after === undefined);
}

/**
 * Builds the error for a file that somebody created between moving the old one aside and naming the new one. It may be
 * part of what they meant to write, so the old text has to be kept.
 */
function madeMeanwhile(path: string): NotTakenBack {
  return new NotTakenBack(
    `${path}: another program created a new file there just as it was being replaced. That file stays, and the change was not made.`,
    "Read it. The undo journal has the earlier text.",
  );
}

/** Builds the error for a file that is missing because putting it back failed too. */
function leftAside(path: string, aside: string, error: unknown): unknown {
  return stateIfThere(aside) === undefined || stateIfThere(path) !== undefined
    ? error
    : notTakenBack(ioError(path, error), [`${path} (its text is in ${aside})`]);
}
