import { realpathSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { homedir } from "node:os";
import type { Root } from "../../ports/files.js";
import { slashed } from "./disk/slashed.js";

/**
 * Opens the folders a command line works in: the workspace and any extra roots.
 *
 * @param others the workspace's other folders, if it has several; folders with the same name are numbered
 * @throws Error if one is not a folder
 */
export function openRoots(workspace: string, more: readonly string[] = [], others: readonly string[] = []): Root[] {
  const names = new Set<string>();
  const own = [workspace, ...others].map((folder): Root => {
    const root = openRoot(folder);
    let { name } = root;
    for (let number = 2; names.has(name); number++) {
      name = `${root.name}-${number}`;
    }
    names.add(name);
    return { ...root, name };
  });
  return [...own, ...more.map((folder) => ({ ...openRoot(folder), beside: true }))];
}

function openRoot(folder: string): Root {
  const path = folderPath(folder);
  return { name: basename(path) || "root", path, scheme: "file" };
}

function folderPath(folder: string): string {
  const expanded = folder.startsWith("~/") ? resolve(homedir(), folder.slice(2)) : resolve(folder);
  if (!isFolder(expanded)) {
    throw new Error(`${folder}: there is no such folder. Name an existing one with --workspace or --root.`);
  }
  return slashed(realpathSync(expanded));
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
