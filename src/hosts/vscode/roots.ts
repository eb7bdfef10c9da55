import * as vscode from "vscode";
import type { GatedPath, Root } from "../../ports/files.js";

/** A workspace folder as a root, with the address VS Code knows it by. */
export interface FolderRoot extends Root {
  readonly uri: vscode.Uri;
}

/** Where documents are that were never saved: on no disk, in no folder, and nowhere but in the editor. */
export const UNTITLED: FolderRoot = {
  name: "untitled",
  path: "",
  scheme: "untitled",
  uri: vscode.Uri.from({ scheme: "untitled" }),
  beside: true,
};

/** The window's folders as roots. */
export class WorkspaceRoots {
  #key = "";
  #roots: readonly FolderRoot[] = [];

  current(): readonly FolderRoot[] {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const key = folders.map(({ name, uri }) => `${name}\n${uri.toString()}`).join("\n");
    if (key !== this.#key) {
      this.#key = key;
      this.#roots = toRoots(folders);
    }
    return this.#roots;
  }

  /** The address of a path that the gate let through. */
  uriOf(at: GatedPath, path: string = at.absolute): vscode.Uri {
    if (at.root?.scheme === UNTITLED.scheme) {
      return UNTITLED.uri.with({ path });
    }
    if (at.outside) {
      return vscode.Uri.file(path);
    }
    const folders = this.current();
    // The list is made anew whenever a folder is added, also while a question waits for its answer.
    const root =
      folders.find((candidate) => candidate === at.root) ??
      folders.find(({ path: own, scheme }) => own === at.root?.path && scheme === at.root.scheme);
    if (root === undefined) {
      throw new Error(`${at.path}: its workspace folder has been closed.`);
    }
    return root.scheme === "file" ? vscode.Uri.file(path) : root.uri.with({ path });
  }
}

/**
 * Folders of the same name get a number: a path must say which one it means. A user may name a folder anything,
 * but what stands at the head of a path is one plain segment.
 */
function toRoots(folders: readonly vscode.WorkspaceFolder[]): FolderRoot[] {
  const names = new Set<string>();
  return folders.map(({ name: given, uri }) => {
    const wanted = given.replaceAll(/[/\\:]/g, "-").replace(/^\.{1,2}$|[. ]+$/, "") || "folder";
    let name = wanted;
    for (let number = 2; names.has(name); number++) {
      name = `${wanted}-${number}`;
    }
    names.add(name);
    return { name, path: hostPath(uri), scheme: uri.scheme, uri };
  });
}

/** The path of an address with `/`, also on Windows, without one at its end. */
export function hostPath(uri: vscode.Uri): string {
  const path = uri.scheme === "file" ? uri.fsPath.replaceAll("\\", "/") : uri.path;
  return path.length > 1 ? path.replace(/\/$/, "") : path;
}
