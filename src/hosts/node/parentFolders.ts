import { lstat, mkdir, realpath, rmdir } from "node:fs/promises";
import { parentPath } from "../../core/pathShape.js";
import type { Disk } from "../disk.js";
import { movedFolder, underFile } from "../fileAnswers.js";
import { errorCode, ioError } from "./diskErrors.js";

/** Removes folders that are empty, the last first. What others put into them meanwhile stays. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of [...folders].reverse()) {
    await rmdir(folder).catch(() => undefined);
  }
}

/** The nearest folders of a path, the nearest first. */
export function parentsOf(path: string, count: number): string[] {
  const folders: string[] = [];
  for (let folder = parentPath(path); folders.length < count; folder = parentPath(folder)) {
    folders.push(folder);
  }
  return folders;
}

/** Makes the folders of a path that do not exist; gives them, the uppermost first. */
export async function makeFolders(disk: Disk, path: string): Promise<string[]> {
  const missing = await missingFolders(path);
  try {
    await checkUnmoved(disk, path, missing[0] ?? path);
    await mkdir(parentPath(path), { recursive: true });
    return missing;
  } catch (error) {
    await removeEmpty(missing);
    throw ioError(path, errorCode(error) === "EEXIST" || errorCode(error) === "ENOTDIR" ? underFile(path) : error);
  }
}

/** The folders of a path that do not exist, the uppermost first. */
export async function missingFolders(path: string): Promise<string[]> {
  const folders: string[] = [];
  for (let folder = parentPath(path); parentPath(folder) !== folder; folder = parentPath(folder)) {
    if (await lstat(folder).then(() => true, () => false)) {
      break;
    }
    folders.unshift(folder);
  }
  return folders;
}

/** What the gate let through was a real place: the folder of `below` must still be no link, nor behind one. */
export async function checkUnmoved(disk: Disk, path: string, below: string): Promise<void> {
  const folder = parentPath(below);
  const slashed = (name: string): string => (disk.windows ? name.replaceAll("\\", "/") : name);
  const same = (name: string): string => (disk.foldCase ? name.normalize().toLowerCase() : name);
  if (same(slashed(await realpath(folder))) !== same(folder)) {
    throw movedFolder(path);
  }
}
