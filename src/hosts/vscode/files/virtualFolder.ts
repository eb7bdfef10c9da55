import * as vscode from "vscode";
import type { DirectoryEntry, FileKind } from "../../../ports/files.js";
import { compareCodeUnits } from "../../../text/nearest.js";
import { isTemporaryName } from "../../shared/temporaryNames.js";

/** Entries read in parallel. */
const STAT_BATCH = 32;

/**
 * Lists a folder that only VS Code's API can reach, sorted by name.
 *
 * @param sized how many files get their sizes
 * @throws vscode.FileSystemError
 */
export async function listVirtual(folder: vscode.Uri, sized: number): Promise<DirectoryEntry[]> {
  const all = await vscode.workspace.fs.readDirectory(folder);
  if (all.length === 0) {
    await refuseLocked(folder);
  }
  const entries = all
    .filter(([name]) => !isTemporaryName(name))
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([name, type]): DirectoryEntry => ({
      name,
      kind: kindOf(type),
      link: (type & vscode.FileType.SymbolicLink) !== 0,
      size: undefined,
    }));
  for (let from = 0; from < Math.min(sized, entries.length); from += STAT_BATCH) {
    await Promise.all(
      entries.slice(from, Math.min(from + STAT_BATCH, sized)).map((entry) => lookUpSize(folder, entry)),
    );
  }
  return entries;
}

async function lookUpSize(folder: vscode.Uri, entry: DirectoryEntry): Promise<void> {
  if (entry.kind === "file") {
    const info = await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, entry.name)).then(
      (stat) => stat,
      () => undefined,
    );
    entry.size = info?.size;
    if (info !== undefined) {
      entry.modified = info.mtime;
    }
  }
}

/**
 * Checks that a folder without entries may be read. VS Code itself reads folders of file systems that another extension
 * host provides, and shows those that it may not read as empty (`FileService.toFileStat`); looking at something in them
 * fails all the same.
 *
 * @throws vscode.FileSystemError `NoPermissions`
 */
async function refuseLocked(folder: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, crypto.randomUUID()));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "NoPermissions") {
      throw error;
    }
  }
}

/** Returns what an entry is, links followed. */
export function kindOf(type: vscode.FileType): FileKind {
  return (type & vscode.FileType.File) !== 0
    ? "file"
    : (type & vscode.FileType.Directory) !== 0
      ? "directory"
      : "other";
}
