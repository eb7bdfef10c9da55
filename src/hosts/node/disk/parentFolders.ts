import { existsSync, mkdirSync, statSync } from "node:fs";
import { lstat, mkdir, realpath, rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { parentPath } from "../../../core/paths/pathShape.js";
import type { Disk } from "../../shared/disk.js";
import { movedFolder, underFile } from "../../shared/fileAnswers.js";
import { errorCode, ioError } from "./diskErrors.js";

/** Removes folders that are empty, last first. A folder stays if others have put something into it in the meantime. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of [...folders].reverse()) {
    await rmdir(folder).catch(() => undefined);
  }
}

/** Returns the nearest folders above a path, nearest first. */
export function parentsOf(path: string, count: number): string[] {
  const folders: string[] = [];
  for (let folder = parentPath(path); folders.length < count; folder = parentPath(folder)) {
    folders.push(folder);
  }
  return folders;
}

/** Creates the missing folders above a path; returns them, topmost first. */
export async function makeFolders(disk: Disk, path: string): Promise<string[]> {
  const missing = await missingFolders(path);
  try {
    await checkUnmoved(disk, path, missing[0] ?? path);
    for (const folder of missing) {
      await mkdir(folder).catch(onlyNew);
    }
    if (!(await stat(parentPath(path))).isDirectory()) {
      throw underFile(path);
    }
    return missing;
  } catch (error) {
    await removeEmpty(missing);
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
  const slashed = (name: string): string => (disk.windows ? name.replaceAll("\\", "/") : name);
  const same = (name: string): string => (disk.foldCase ? name.normalize().toLowerCase() : name);
  if (same(slashed(await realpath(folder))) !== same(folder)) {
    throw movedFolder(path);
  }
}
