import * as vscode from "vscode";
import type { Place } from "../../hosts/web/state/savedStore.js";

/**
 * Where VS Code keeps a file of an extension for a workspace.
 *
 * VS Code moves a file over another one by deleting that one first (`FileService.doMoveCopy`): a tab that is closed in
 * between leaves the new file alone, under the name that it had before it was moved.
 *
 * @param folder `ExtensionContext.storageUri`
 */
export function placeIn(folder: vscode.Uri, name: string): Place {
  const { fs } = vscode.workspace;
  const file = vscode.Uri.joinPath(folder, name);
  const next = vscode.Uri.joinPath(folder, `${name}.new`);
  const there = async (uri: vscode.Uri): Promise<Uint8Array | undefined> => {
    try {
      return await fs.readFile(uri);
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") {
        return undefined;
      }
      throw error;
    }
  };
  return {
    read: async () => (await there(file)) ?? there(next),
    write: async (bytes) => {
      await fs.createDirectory(folder);
      await fs.writeFile(next, bytes);
      await fs.rename(next, file, { overwrite: true });
    },
    setAside: async () => {
      const aside = `${name}.corrupt-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
      const read = (await there(file)) === undefined ? next : file;
      await fs.rename(read, vscode.Uri.joinPath(folder, aside));
      return aside;
    },
  };
}

/** The locks of a browser's origin, as much of them as is needed here (MDN, "Web Locks API"). */
interface Locks {
  request(name: string, options: { signal: AbortSignal }, held: () => Promise<void>): Promise<void>;
}

/**
 * Takes a name for this tab, until it is closed.
 *
 * @param patience how long to wait for a tab that is being closed or reloaded to give it up, in ms
 * @returns whether no other tab has it
 * @throws Error where the page has no locks: it came by an address that the browser does not trust
 */
export async function takeForTab(name: string, patience: number): Promise<boolean> {
  const { locks } = navigator as unknown as { locks?: Locks };
  if (locks === undefined) {
    throw new Error("this page cannot keep another tab out, since its address is not a secure one (https)");
  }
  const signal = AbortSignal.timeout(patience);
  let taken: (isTaken: boolean) => void = () => undefined;
  const answer = new Promise<boolean>((resolve) => {
    taken = resolve;
  });
  const held = locks.request(name, { signal }, () => {
    taken(true);
    return new Promise<void>(() => undefined);
  });
  const refused = held.then(
    () => false,
    (error: unknown) => {
      if (signal.aborted) {
        return false;
      }
      throw error;
    },
  );
  return Promise.race([answer, refused]);
}
