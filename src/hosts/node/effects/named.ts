// The files that a command names as those that it changes: nobody was asked about it, since undo brings these back.
import { below, folderOf } from "../../../features/effects/snapshot.js";
import { objectOf } from "./contents/gitFiles.js";
import type { Taken } from "./storedSnapshots.js";

/** Paths of a root. */
export class Named {
  readonly #paths: readonly string[];

  /** @param paths relative to the root: files and folders */
  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** Whether a path is one of them, or in one of them. */
  has(path: string): boolean {
    return this.#paths.some((each) => isIn(path, each));
  }

  /** Whether a folder is one of them, or in one of them, or holds one. */
  leadsTo(folder: string): boolean {
    return this.#paths.some((each) => isIn(folder, each) || isIn(each, folder));
  }

  /** Returns why the contents of one are not known to be kept; undefined if they all are. */
  lost({ root, snapshot, git, copies, clones }: Omit<Taken, "repositories">): string | undefined {
    const isCovered = (path: string): boolean => {
      for (let folder = folderOf(path); ; folder = folderOf(folder)) {
        if (snapshot.uncovered.has(folder) || folder === "") {
          return !snapshot.uncovered.has(folder);
        }
      }
    };
    const left = [...snapshot.uncovered.keys()];
    const unseen = this.#paths.find((path) => !isCovered(path) || left.some((each) => this.has(each)));
    if (unseen !== undefined) {
      return `the folder of ${unseen} could not be looked at in time`;
    }
    for (const [folder, { entries }] of snapshot.folders) {
      for (const [name, entry] of this.leadsTo(folder) ? entries : []) {
        const path = below(folder, name);
        const isNamed = entry.kind === "file" && this.has(path);
        const isCopied = copies.get(path) !== undefined || clones?.has(path) === true;
        if (isNamed && !isCopied && objectOf(git, `${root}/${path}`, entry) === undefined) {
          return `${path} could not be copied`;
        }
      }
    }
    return undefined;
  }
}

function isIn(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}
