import * as vscode from "vscode";
import type { GatedPath } from "../../../ports/files.js";
import type { CreateStep, Step } from "../../shared/disk.js";
import { alreadyThere, replacedMeanwhile } from "../../shared/fileAnswers.js";
import { ioError } from "./fileErrors.js";

/**
 * Changes files that are not on a local disk, through VS Code's API: it writes whole files and has no temporary names.
 */

export function replaceVirtual(
  at: GatedPath,
  uri: vscode.Uri,
  bytes: Uint8Array,
  old: Uint8Array,
  unchanged: () => Promise<void>,
): Step {
  return step(at, {
    commit: async () => {
      await unchanged();
      await vscode.workspace.fs.writeFile(uri, bytes);
    },
    undo: async () => {
      await checkMine(at, uri, bytes);
      await vscode.workspace.fs.writeFile(uri, old);
    },
  });
}

export async function createVirtual(at: GatedPath, uri: vscode.Uri, bytes: Uint8Array): Promise<CreateStep> {
  await refuseTaken(at, uri);
  const folders = await missingFolders(uri);
  return {
    foldersMade: folders.length,
    ...step(at, {
      commit: () =>
        orRemove(folders, async () => {
          // VS Code's API creates the parents, and cannot be told to write only if nothing exists.
          await refuseTaken(at, uri);
          await vscode.workspace.fs.writeFile(uri, bytes);
        }),
      undo: async () => {
        await checkMine(at, uri, bytes);
        await vscode.workspace.fs.delete(uri);
        await removeEmpty(folders);
      },
    }),
  };
}

export function removeVirtual(
  at: GatedPath,
  uri: vscode.Uri,
  folders: number,
  old: Uint8Array,
  unchanged: () => Promise<void>,
): Step {
  return step(at, {
    commit: async () => {
      await unchanged();
      await vscode.workspace.fs.delete(uri);
      await removeEmpty(parentsOf(uri, folders));
    },
    undo: async () => {
      await refuseTaken(at, uri);
      await vscode.workspace.fs.writeFile(uri, old);
    },
  });
}

export async function moveVirtual(
  at: GatedPath,
  from: vscode.Uri,
  to: vscode.Uri,
  bytes: Uint8Array | undefined,
  left: number,
  old: Uint8Array,
  unchanged: () => Promise<void>,
): Promise<CreateStep> {
  await refuseTaken(at, to);
  const folders = await missingFolders(to);
  return {
    foldersMade: folders.length,
    ...step(at, {
      commit: async () => {
        await orRemove(folders, async () => {
          await unchanged();
          await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(to, ".."));
          await vscode.workspace.fs.rename(from, to, { overwrite: false });
          if (bytes !== undefined) {
            await writeMoved(from, to, bytes);
          }
        });
        await removeEmpty(parentsOf(from, left));
      },
      undo: async () => {
        await checkMine(at, to, bytes ?? old);
        await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(from, ".."));
        await vscode.workspace.fs.rename(to, from, { overwrite: false });
        await vscode.workspace.fs.writeFile(from, old);
        await removeEmpty(folders);
      },
    }),
  };
}

/** Checks that a file to be undone still has the content that was put there. */
async function checkMine(at: GatedPath, uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
  const now = await vscode.workspace.fs.readFile(uri);
  if (now.length !== bytes.length || now.some((byte, index) => byte !== bytes[index])) {
    throw replacedMeanwhile(at.path);
  }
}

/** Runs work; if it fails, removes the folders that were created for it. */
async function orRemove(folders: readonly vscode.Uri[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await removeEmpty(folders);
    throw error;
  }
}

/** Gives a moved file its new text, or moves it back. */
async function writeMoved(from: vscode.Uri, to: vscode.Uri, bytes: Uint8Array): Promise<void> {
  try {
    await vscode.workspace.fs.writeFile(to, bytes);
  } catch (error) {
    await vscode.workspace.fs.rename(to, from, { overwrite: false });
    throw error;
  }
}

function step(
  at: GatedPath,
  { commit, undo }: { commit: () => PromiseLike<void>; undo: () => PromiseLike<void> },
): Step {
  const inWords = async (work: () => PromiseLike<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      throw ioError(at, error);
    }
  };
  return { commit: () => inWords(commit), undo: () => inWords(undo), release: () => Promise.resolve() };
}

async function refuseTaken(at: GatedPath, uri: vscode.Uri): Promise<void> {
  if (await exists(uri)) {
    throw alreadyThere(at.path);
  }
}

function exists(uri: vscode.Uri): Thenable<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

/** Returns the missing folders above a file, nearest first. */
async function missingFolders(uri: vscode.Uri): Promise<vscode.Uri[]> {
  const folders: vscode.Uri[] = [];
  for (
    let folder = vscode.Uri.joinPath(uri, "..");
    folder.path !== "/" && !(await exists(folder));
    folder = vscode.Uri.joinPath(folder, "..")
  ) {
    folders.push(folder);
  }
  return folders;
}

function parentsOf(uri: vscode.Uri, count: number): vscode.Uri[] {
  return Array.from({ length: count }, (_, index) =>
    vscode.Uri.joinPath(uri, ...Array.from({ length: index + 1 }, () => "..")),
  );
}

/** Removes folders that are empty, in the order given. */
async function removeEmpty(folders: readonly vscode.Uri[]): Promise<void> {
  for (const folder of folders) {
    if (!(await exists(folder))) {
      continue;
    }
    if (
      (await vscode.workspace.fs.readDirectory(folder).then(
        ({ length }) => length,
        () => 1,
      )) > 0
    ) {
      return;
    }
    await vscode.workspace.fs.delete(folder).then(undefined, () => undefined);
  }
}
