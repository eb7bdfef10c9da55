import { constants, renameSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { baseName, parentPath } from "../../../core/paths/pathShape.js";
import type { StepNote } from "../../shared/disk.js";
import { alreadyThere, replacedMeanwhile } from "../../shared/fileAnswers.js";
import { ToolError } from "../../../core/errors.js";
import { bytesOf, hashOf, inWords, isSameFile, stateIfThere, stateOf, type State } from "../disk/fileState.js";
import { exchange, putBack } from "../disk/names.js";
import { parentsOf, removeEmpty } from "../disk/parentFolders.js";
import { removeAll } from "../disk/temporaries.js";

type Note<Kind extends StepNote["kind"]> = Extract<StepNote, { kind: Kind }>;

/**
 * Takes one change of a file back, wherever it was cut off: the process that made it does so when a later change fails,
 * and the next process when it was killed. Can be cut off and made again itself. Only what the change left is taken
 * away: a file that holds anything else is somebody's.
 *
 * @throws ToolError `stale`, `path_conflict` when somebody has changed the file since: it stays as it is
 */
export function takeBack(note: StepNote): Promise<void> {
  return inWords(note.path, () => {
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
    }
  });
}

/**
 * Removes what a change left beside its file. @param isMade whether the change counts. @throws ToolError when something
 * stays
 */
export async function clearUp(note: StepNote, isMade: boolean): Promise<void> {
  await inWords(note.path, async () => {
    switch (note.kind) {
      case "replace":
        // With no file at the path these are the only ones there are.
        await removeAll([note.temporary, ...(stateIfThere(note.path) === undefined ? [] : [note.old, note.back])]);
        break;
      case "create":
        // What is still aside was not found to be ours, and may be all that somebody has.
        await removeAll([note.temporary]);
        break;
      case "remove":
        await removeAll(isMade || stateIfThere(note.path) !== undefined ? [note.old] : []);
        break;
      case "name":
      case "case":
        break;
    }
  });
  if ("folders" in note && isMade === (note.kind === "remove")) {
    await removeEmpty(note.folders);
  }
}

/**
 * Takes a whole call back that was cut off, the last change first. What somebody changed since stays, which the caller
 * finds out by looking.
 *
 * @throws ToolError when a file cannot be read or written now; what could be taken back is
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
    throw new AggregateError(failures, "Some files could not be taken back now.");
  }
}

async function takeBackReplace({ path, temporary, old, back, hash }: Note<"replace">): Promise<void> {
  const isOurs = async (file: string): Promise<boolean> => hashOf(await bytesOf(file)) === hash;
  if (stateIfThere(back) !== undefined && stateIfThere(path) === undefined && !(await isOurs(back))) {
    // Cut off while it looked at what somebody had saved.
    await putBack(back, path);
    throw replacedMeanwhile(path);
  }
  if (stateIfThere(old) === undefined) {
    return;
  }
  const now = stateIfThere(path);
  if (now === undefined) {
    // Cut off between taking the old file and naming the new one; a new one that had its name was removed by somebody.
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

/** A file that was written in place holds the new text up to some byte, and what was there before behind it. */
async function takeBackInPlace(path: string, before: Buffer, after: Buffer): Promise<void> {
  const now = await bytesOf(path);
  if (now.equals(before)) {
    return;
  }
  const written = sharedBeginning(now, after);
  const isMixed = now.subarray(written).equals(before.subarray(written));
  // VS Code empties a file before it writes it.
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
 * Writes new bytes over those of a file, which stays the same one: its owner, rights, attributes and other names stay.
 * Cut off, it is a mix of both.
 *
 * @throws ToolError `stale` when the file is not as expected, nothing written
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
  await removeOurs(path, back, async (name) => hashOf(await bytesOf(name)) === hash);
}

/**
 * Removes a file that we made. It is looked at under its name, so that nothing of others is touched (a folder above may
 * have become a link), and again aside, where nobody else changes it: what is not ours, or cannot be read, goes back.
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
  // As long as both are names of one file, what was written into it stays under the old one.
  await removeOurs(path, back, isSecond);
}

async function takeBackCase({ from, path }: Note<"case">): Promise<void> {
  const names = await readdir(parentPath(path));
  if (names.includes(baseName(path)) && !names.includes(baseName(from))) {
    renameSync(path, from);
  }
}

/** The folders that go with a removed file when they are empty, as a note has them. */
export function foldersAbove(path: string, count: number): string[] {
  return parentsOf(path, count).reverse();
}
