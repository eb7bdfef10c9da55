import { constants, renameSync, rmSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { baseName, parentPath } from "../../../core/paths/pathShape.js";
import type { StepNote } from "../../shared/disk.js";
import { alreadyThere, replacedMeanwhile } from "../../shared/fileAnswers.js";
import { ToolError } from "../../../core/errors.js";
import { entryAt, isEntry, restoreName, setEntry } from "../disk/entries.js";
import { bytesOf, hashOf, inWords, isSameFile, stateIfThere, stateOf, type State } from "../disk/fileState.js";
import { exchange, putBack } from "../disk/names.js";
import { hashOfFile } from "../disk/large.js";
import { isInPlace, parentsOf, removeEmpty } from "../disk/parentFolders.js";
import { removeAll } from "../disk/temporaries.js";

type Note<Kind extends StepNote["kind"]> = Extract<StepNote, { kind: Kind }>;

/**
 * Rolls back one change of a file, wherever it was interrupted: its own process does so if a later change fails, and
 * the next process if it was killed. May itself be interrupted and repeated. Removes only files that the change left: a
 * file with any other content belongs to somebody else.
 *
 * @throws ToolError `stale`, `path_conflict` if somebody has changed the file since: it stays as it is
 */
export function takeBack(note: StepNote): Promise<void> {
  return inWords(note.path, async () => {
    if (!(await isInPlace(note.path))) {
      // A folder above is gone, a file or a link. Whatever a link leads to is not ours.
      const isUndone = note.kind === "create" || note.kind === "name" || note.kind === "entry";
      if (isUndone && !("before" in note)) {
        return;
      }
      throw replacedMeanwhile(note.path);
    }
    switch (note.kind) {
      case "replace":
        return takeBackReplace(note);
      case "create":
        return takeBackCreate(note);
      case "remove":
        return takeBackRemove(note);
      case "name":
        return takeBackName(note);
      case "case":
        return takeBackCase(note);
      case "entry":
        return takeBackEntry(note);
    }
  });
}

/**
 * Removes the files that a change left next to its own.
 *
 * @param isMade whether the change counts as made
 * @throws ToolError if something could not be removed
 */
export async function clearUp(note: StepNote, isMade: boolean): Promise<void> {
  await inWords(note.path, async () => {
    switch (note.kind) {
      case "replace":
        // If there is no file at the path, these are the only copies.
        await removeAll([note.temporary, ...(stateIfThere(note.path) === undefined ? [] : [note.old, note.back])]);
        break;
      case "create":
        // A file that is still moved aside was not found to be ours, and may be somebody's only copy.
        await removeAll([note.temporary]);
        break;
      case "remove":
        await removeAll(isMade || (await isThere(note.path)) ? [note.old] : []);
        break;
      case "entry":
        await removeAll(isMade ? [note.old] : []);
        break;
      case "name":
      case "case":
        break;
    }
  });
  const isRemoval = note.kind === "remove" || (note.kind === "entry" && note.after === undefined);
  if ("folders" in note && isMade === isRemoval) {
    await removeEmpty(note.folders);
  }
}

/** Whether something is at a path itself, not where a link above leads to. */
async function isThere(path: string): Promise<boolean> {
  return stateIfThere(path) !== undefined && (await isInPlace(path));
}

/**
 * Rolls back a whole interrupted call, last change first. A file that somebody has changed since stays; the caller
 * finds that out by reading the files.
 *
 * @throws ToolError if a file cannot be read or written now; everything else has been rolled back then
 */
export async function takeAllBack(notes: readonly StepNote[]): Promise<void> {
  const failures: unknown[] = [];
  for (const note of [...notes].reverse()) {
    try {
      await takeBack(note).catch((error: unknown) => {
        if (!(error instanceof ToolError) || error.type === "io_error") {
          throw error;
        }
      });
      await clearUp(note, false);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, "Some files could not be restored now.");
  }
}

async function takeBackReplace({ path, temporary, old, back, hash }: Note<"replace">): Promise<void> {
  const isOurs = async (file: string): Promise<boolean> => hashOf(await bytesOf(file)) === hash;
  if (stateIfThere(back) !== undefined && stateIfThere(path) === undefined && !(await isOurs(back))) {
    // It was interrupted while it checked a file that somebody had saved.
    await putBack(back, path);
    throw replacedMeanwhile(path);
  }
  if (stateIfThere(old) === undefined) {
    return;
  }
  const now = stateIfThere(path);
  if (now === undefined) {
    // It was interrupted between moving the old file aside and naming the new one; if the new one already had its name,
    // somebody removed it.
    if (stateIfThere(temporary) === undefined && stateIfThere(back) === undefined) {
      throw replacedMeanwhile(path);
    }
    return putBack(old, path);
  }
  if (isSameFile(now, stateOf(old))) {
    return removeAll([old]);
  }
  const staged = stateIfThere(temporary);
  if (staged === undefined ? await isOurs(path) : isSameFile(now, staged)) {
    if (!(await isOurs(path))) {
      throw replacedMeanwhile(path);
    }
    await removeAll([back]);
    if ((await exchange(path, old, back, (taken) => isSameFile(taken, now))) === undefined) {
      throw replacedMeanwhile(path);
    }
    return removeAll([old, back]);
  }
  if (staged === undefined) {
    throw replacedMeanwhile(path);
  }
  await takeBackInPlace(path, await bytesOf(old), await bytesOf(temporary));
  await removeAll([old]);
}

/**
 * Rolls back a file that was written in place. It contains the new text up to some byte, and the earlier text after it.
 */
async function takeBackInPlace(path: string, before: Buffer, after: Buffer): Promise<void> {
  const now = await bytesOf(path);
  if (now.equals(before)) {
    return;
  }
  const written = sharedBeginning(now, after);
  const isMixed = now.subarray(written).equals(before.subarray(written));
  // VS Code empties a file before writing it.
  if (!isMixed && written < now.length) {
    throw replacedMeanwhile(path);
  }
  await writeInPlace(path, before);
}

function sharedBeginning(a: Buffer, b: Buffer): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    if (a[at] !== b[at]) {
      return at;
    }
  }
  return end;
}

/**
 * Overwrites a file's bytes in place: its owner, permissions, attributes and other names stay. If interrupted, the file
 * is a mix of both.
 *
 * @throws ToolError `stale` if the file is not as expected; nothing is written then
 */
export async function writeInPlace(
  path: string,
  bytes: Uint8Array,
  isExpected: (opened: State) => boolean = () => true,
): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    const { dev, ino, size, mtimeNs } = await file.stat({ bigint: true });
    if (!isExpected({ dev, ino, size, modified: mtimeNs })) {
      throw replacedMeanwhile(path);
    }
    for (let at = 0; at < bytes.length;) {
      at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
    }
    await file.truncate(bytes.length);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function takeBackCreate({ path, temporary, back, hash }: Note<"create">): Promise<void> {
  if (stateIfThere(back) === undefined) {
    const now = stateIfThere(path);
    const staged = stateIfThere(temporary);
    if (now === undefined) {
      return;
    }
    if (staged !== undefined && !isSameFile(now, staged)) {
      throw replacedMeanwhile(path);
    }
  }
  await removeOurs(path, back, async (name) => (await hashOfFile(name)) === hash);
}

/**
 * Removes a file that we created. It is checked under its name, so that nothing of others is touched (a folder above
 * may have become a link), and again once moved aside, where nobody else changes it. A file that is not ours, or cannot
 * be read, is put back.
 */
async function removeOurs(path: string, back: string, isOurs: (name: string) => Promise<boolean>): Promise<void> {
  if (stateIfThere(back) === undefined) {
    if (!(await isOurs(path))) {
      throw replacedMeanwhile(path);
    }
    renameSync(path, back);
  }
  const found = await isOurs(back).catch(async (error: unknown) => {
    await putBack(back, path);
    throw error;
  });
  if (!found) {
    await putBack(back, path);
    throw replacedMeanwhile(path);
  }
  await removeAll([back]);
}

async function takeBackRemove({ path, old }: Note<"remove">): Promise<void> {
  const kept = stateIfThere(old);
  if (kept === undefined) {
    return;
  }
  const now = stateIfThere(path);
  if (now !== undefined && !isSameFile(now, kept)) {
    throw alreadyThere(path);
  }
  await (now === undefined ? putBack(old, path) : removeAll([old]));
}

async function takeBackName({ from, path, back }: Note<"name">): Promise<void> {
  const source = stateIfThere(from);
  const isSecond = async (name: string): Promise<boolean> =>
    source !== undefined &&
    (isSameFile(stateIfThere(name), source) || (await bytesOf(name)).equals(await bytesOf(from)));
  if (stateIfThere(back) === undefined && stateIfThere(path) === undefined) {
    return;
  }
  // While both are names of the same file, text that was written into it stays under the old name.
  await removeOurs(path, back, isSecond);
}

async function takeBackCase({ from, path }: Note<"case">): Promise<void> {
  const names = await readdir(parentPath(path));
  if (names.includes(baseName(path)) && !names.includes(baseName(from))) {
    renameSync(path, from);
  }
}

function takeBackEntry({ path, old, before, after }: Note<"entry">): void {
  if (stateIfThere(old) !== undefined) {
    // It was interrupted while a link was aside, which may not be the one that was expected.
    restoreName(old, path);
    if (before !== undefined && isEntry(entryAt(old), before)) {
      rmSync(old);
    }
  }
  const now = entryAt(path);
  if (isEntry(now, before)) {
    return;
  }
  if (!isEntry(now, after)) {
    throw replacedMeanwhile(path);
  }
  setEntry(path, old, after, before);
}

/** Returns, as a note has them, the folders that are removed with a file if they are empty. */
export function foldersAbove(path: string, count: number): string[] {
  return parentsOf(path, count).reverse();
}
