import * as vscode from "vscode";
import { withoutLastSlash } from "../../core/paths/pathShape.js";
import type { GatedPath, Root } from "../../ports/files.js";

/** A workspace folder as a root, with its address in VS Code. */
export interface FolderRoot extends Root {
  readonly uri: vscode.Uri;
}

/** The root of documents that were never saved: on no disk, in no folder, only in the editor. */
export const UNTITLED: FolderRoot = {
  name: "untitled",
  path: "",
  scheme: "untitled",
  uri: vscode.Uri.from({ scheme: "untitled" }),
  beside: true,
};

/** The window's folders, as roots; or one of them, as if it were the only one. */
export class WorkspaceRoots {
  readonly #only: string | undefined;
  #key = "";
  #roots: readonly FolderRoot[] = [];

  /**
   * @param only the path of the only folder that there is here, on this machine's disk; it has the name that it has in the
   *   window
   */
  constructor(only?: string) {
    this.#only = only;
  }

  /** Returns the folders; none while the only one is not open. */
  current(): readonly FolderRoot[] {
    const all = this.all();
    return this.#only === undefined ? all : all.filter(({ path, scheme }) => path === this.#only && scheme === "file");
  }

  /** Returns all folders of the window. */
  all(): readonly FolderRoot[] {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const key = folders.map(({ name, uri }) => `${name}\n${uri.toString()}`).join("\n");
    if (key !== this.#key) {
      this.#key = key;
      this.#roots = toRoots(folders);
    }
    return this.#roots;
  }

  /** Returns the address of a path that the gate let through. */
  uriOf(at: GatedPath, path: string = at.absolute): vscode.Uri {
    if (at.root?.scheme === UNTITLED.scheme) {
      return UNTITLED.uri.with({ path });
    }
    if (at.outside) {
      return vscode.Uri.file(path);
    }
    const folders = this.current();
    // VS Code rebuilds the list whenever a folder is added, even while a question is waiting for its answer.
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
 * Numbers folders with the same name: a path must say which one it means. A user may name a folder anything, but the
 * first segment of a path must be plain.
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

/** Returns an address's path with `/`, on Windows too, without a trailing one unless it is the top of a disk. */
export function hostPath(uri: vscode.Uri): string {
  return withoutLastSlash(uri.scheme === "file" ? uri.fsPath.replaceAll("\\", "/") : uri.path);
}
