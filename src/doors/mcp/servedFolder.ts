import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { errorText } from "../../core/outcome.js";

export interface ServedFolderHost {
  /** The real path of the folder that is served. */
  folder: string;
  /** The folder in which the client started this process: it may be any. */
  startedIn: string;
  /** Whether two folders are in different working trees of one repository. */
  areTreesOfOne: (folder: string, other: string) => boolean;
}

/**
 * The folder that is served, for clients that work in another one: another working tree has the same paths, so a call
 * that means its file would change the file of this one.
 */
export class ServedFolder {
  readonly #host: ServedFolderHost;
  /** By what the client says of itself: few say more than one thing. */
  readonly #known = new Map<string, string | undefined>();

  constructor(host: ServedFolderHost) {
    this.#host = host;
  }

  /**
   * Returns why a client is not served; undefined if it is.
   *
   * @param roots the addresses of the folders in which it says that it works; none if it says nothing
   */
  refusal(roots: readonly string[]): string | undefined {
    const key = JSON.stringify(roots);
    if (!this.#known.has(key)) {
      const place = this.#otherPlace(roots.flatMap(folderOf));
      this.#known.clear();
      this.#known.set(key, place === undefined ? undefined : this.#words(place));
    }
    return this.#known.get(key);
  }

  /** Returns where the client works, if that is elsewhere. Its roots count more than where it started this process. */
  #otherPlace(roots: readonly string[]): string | undefined {
    const { folder, startedIn, areTreesOfOne } = this.#host;
    const isHere = (root: string): boolean =>
      (isIn(root, folder) || isIn(folder, root)) && !areTreesOfOne(folder, root);
    const [first] = roots;
    return first === undefined
      ? areTreesOfOne(folder, startedIn)
        ? startedIn
        : undefined
      : roots.some(isHere)
        ? undefined
        : first;
  }

  #words(place: string): string {
    return errorText({
      type: "outside_workspace",
      message: `Nothing was done: you work in ${place}, and this server serves ${this.#host.folder}.`,
      hint: `The user can start toolhost mcp in ${place}, without --workspace, to have that folder served.`,
    });
  }
}

/** Returns the real path of a folder; empty if it is not a folder on this machine. */
function folderOf(address: string): string[] {
  let path: string;
  try {
    path = isAbsolute(address) ? address : fileURLToPath(address);
  } catch {
    return [];
  }
  try {
    return [realpathSync(path)];
  } catch {
    return [resolve(path)];
  }
}

function isIn(folder: string, other: string): boolean {
  const between = relative(other, folder);
  return !isAbsolute(between) && between.split(sep)[0] !== "..";
}
