import { randomBytes } from "node:crypto";
import { open, readdir, rm, type FileHandle } from "node:fs/promises";
import { joinPath, parentPath } from "../../core/pathShape.js";
import { errorCode, ioError } from "./diskErrors.js";

/** Names of temporary files say whose they are, so that what a killed process left can be told from what is in use. */
const TEMPORARY = /^\.toolhost-(\d+)-[0-9a-f]+\.tmp$/;

/** A name for a temporary file in the folder of `path`: a rename stays on one disk. */
export function temporaryBeside(path: string): string {
  return joinPath(parentPath(path), `.toolhost-${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
}

/** Writes a temporary file, or leaves none. */
export async function readied(path: string, temporary: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await removeAll([temporary]);
    throw ioError(path, error);
  }
}

/** Writes a file that must not exist yet, down to the disk. */
export async function writeFlushed(path: string, bytes: Uint8Array, mode: number, prepare: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(bytes);
    await prepare(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes files that may be there. */
export async function removeAll(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { force: true }).catch(() => undefined)));
}

/** Removes temporary files in a folder whose process is no more. */
export async function sweepTemporaries(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => {
    const pid = Number(TEMPORARY.exec(name)?.[1]);
    return pid > 0 && !isAlive(pid);
  });
  await removeAll(left.map((name) => joinPath(folder, name)));
}

/** Whether a process with this number runs on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
