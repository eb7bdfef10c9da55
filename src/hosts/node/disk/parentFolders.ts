import { existsSync, mkdirSync, statSync } from "node:fs";
import { lstat, mkdir, realpath, rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { parentPath } from "../../../core/paths/pathShape.js";
import type { Disk } from "../../shared/disk.js";
import { movedFolder, underFile } from "../../shared/fileAnswers.js";
import { errorCode, ioError, isMissing } from "./diskErrors.js";

/**
 * Removes folders that are empty, last first. A folder stays if others have put something into it in the meantime, and if
 * a link leads to it by now.
 */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of [...folders].reverse()) {
    if (await isInPlace(folder).catch(() => false)) {
      await rmdir(folder).catch(() => undefined);
    }
  }
}

/** Whether no link leads to a path. False if nothing is in its place; throws the system's error for any other reason. */
export async function isInPlace(path: string): Promise<boolean> {
  const folder = parentPath(path);
  try {
    return isSamePlace(await realpath(folder), folder, process.platform === "win32", isFolding);
  } catch (error) {
    if (isMissing(error)) {
      return false;
    }
    throw error;
  }
}

/** Whether names that differ only in case are one file. */
const isFolding = process.platform === "win32" || process.platform === "darwin";

function isSamePlace(real: string, folder: string, windows: boolean, foldCase: boolean): boolean {
  const slashed = windows ? real.replaceAll("\\", "/") : real;
  const same = (name: string): string => (foldCase ? name.normalize().toLowerCase() : name);
  return same(slashed) === same(folder);
}

/** Returns the nearest folders above a path, nearest first. */
export function parentsOf(path: string, count: number): string[] {
  const folders: string[] = [];
  for (let folder = parentPath(path); folders.length < count; folder = parentPath(folder)) {
    folders.push(folder);
  }
  return folders;
}

/** Returns the folders between a folder and a path, without both, topmost first. */
export function foldersBetween(folder: string, path: string): string[] {
  const folders: string[] = [];
  for (let each = parentPath(path); each.length > folder.length; each = parentPath(each)) {
    folders.unshift(each);
  }
  return folders;
}

/**
 * Creates the missing folders above a path; returns them, topmost first.
 *
 * @param among only those; they are missing or there
 */
export async function makeFolders(disk: Disk, path: string, among?: readonly string[]): Promise<string[]> {
  const missing = (await missingFolders(path)).filter((folder) => among?.includes(folder) !== false);
  const made: string[] = [];
  try {
    await checkUnmoved(disk, path, missing[0] ?? path);
    for (const folder of missing) {
      await mkdir(folder).then(() => made.push(folder), onlyNew);
    }
    if (!(await stat(parentPath(path))).isDirectory()) {
      throw underFile(path);
    }
    if (missing.length > 0) {
      await checkUnmoved(disk, path, path);
    }
    return missing;
  } catch (error) {
    // Just made, also where somebody has put a link in the way meanwhile.
    for (const folder of made.reverse()) {
      await rmdir(folder).catch(() => undefined);
    }
    throw ioError(path, errorCode(error) === "EEXIST" || errorCode(error) === "ENOTDIR" ? underFile(path) : error);
  }
}

/**
 * Creates a folder and its missing parents, one call for each: Node's `recursive` loops forever if an existing folder
 * claims not to exist (/proc).
 */
export function makeFolderSync(folder: string, mode: number): void {
  const missing: string[] = [];
  for (let each = folder; !existsSync(each) && dirname(each) !== each; each = dirname(each)) {
    missing.unshift(each);
  }
  for (const each of missing) {
    try {
      mkdirSync(each, { mode });
    } catch (error) {
      onlyNew(error);
    }
  }
  if (!statSync(folder).isDirectory()) {
    throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${folder}'`), { code: "ENOTDIR" });
  }
}

/** Ignores the error if somebody else created the folder in the meantime: that is just as good. */
function onlyNew(error: unknown): void {
  if (errorCode(error) !== "EEXIST") {
    throw error;
  }
}

/** Returns the missing folders above a path, topmost first. */
async function missingFolders(path: string): Promise<string[]> {
  const folders: string[] = [];
  for (let folder = parentPath(path); parentPath(folder) !== folder; folder = parentPath(folder)) {
    if (
      await lstat(folder).then(
        () => true,
        () => false,
      )
    ) {
      break;
    }
    folders.unshift(folder);
  }
  return folders;
}

/** Checks that the folder of `below` still is neither a link nor behind one, as when the gate let it through. */
export async function checkUnmoved(disk: Disk, path: string, below: string): Promise<void> {
  const folder = parentPath(below);
  if (!isSamePlace(await realpath(folder), folder, disk.windows, disk.foldCase)) {
    throw movedFolder(path);
  }
}
