import * as vscode from "vscode";
import type { Place } from "../../hosts/web/state/savedStore.js";

/** Where VS Code keeps a file of an extension for a workspace. @param folder `ExtensionContext.storageUri` */
export function placeIn(folder: vscode.Uri, name: string): Place {
  const { fs } = vscode.workspace;
  const file = vscode.Uri.joinPath(folder, name);
  return {
    read: async () => {
      try {
        return await fs.readFile(file);
      } catch (error) {
        if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") {
          return undefined;
        }
        throw error;
      }
    },
    write: async (bytes) => {
      await fs.createDirectory(folder);
      const next = vscode.Uri.joinPath(folder, `${name}.new`);
      await fs.writeFile(next, bytes);
      await fs.rename(next, file, { overwrite: true });
    },
    setAside: async () => {
      const aside = `${name}.corrupt-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
      await fs.rename(file, vscode.Uri.joinPath(folder, aside));
      return aside;
    },
  };
}

/** How long to wait for a tab that is being closed or reloaded to give up its lock, in ms. */
const PATIENCE = 1_000;

/** The locks of a browser's origin, as much of them as is needed here (MDN, "Web Locks API"). */
interface Locks {
  request(name: string, options: { signal: AbortSignal }, held: () => Promise<void>): Promise<void>;
}

/** Takes a name for this tab, until it is closed. Returns whether no other tab has it. */
export function takeForTab(name: string): Promise<boolean> {
  const { locks } = navigator as unknown as { locks: Locks };
  const signal = AbortSignal.timeout(PATIENCE);
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
