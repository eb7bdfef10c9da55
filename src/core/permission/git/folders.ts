import type { Files } from "../../../ports/files.js";
import { joinPath, parentPath } from "../../paths/pathShape.js";
import { hooksFolder, kindOf, openRepository, trackedBy, type GitRepository } from "./repository.js";
import { resolveAnywhere } from "../commands/resolveAnywhere.js";

/** Maximum number of submodules whose folders are looked up. In further ones only files' names count. */
const MAX_INNER = 100;

/** The names of hooks (githooks(5)). */
const HOOK =
  /^(?:(?:pre|post)-[a-z-]+|applypatch-msg|prepare-commit-msg|commit-msg|update|reference-transaction|proc-receive|push-to-checkout|sendemail-validate|fsmonitor-watchman|p4-[a-z-]+)$/;

/** A folder from which git runs programs. */
interface GuardedFolder {
  path: string;
  why: string;
  /** Whether it is the working tree, or contains it: git then runs only files with the names of hooks from it. */
  holdsAll: boolean;
}

/**
 * Where git reads its configuration and hooks from, according to the repositories themselves: `core.hooksPath`, and the
 * file `.git` of a working tree or submodule. Read once for all files of a call.
 */
export class GitFolders {
  readonly #files: Files;
  /** By the folder that has the `.git`. */
  readonly #guarded = new Map<string, Promise<readonly GuardedFolder[]>>();

  constructor(files: Files) {
    this.#files = files;
  }

  /**
   * Returns why a change to a file, or to a folder that contains such files, always needs approval; undefined if git
   * runs nothing from it.
   * @param path the host's own absolute path
   */
  async reasonFor(path: string): Promise<string | undefined> {
    const above: Promise<readonly GuardedFolder[]>[] = [];
    for (let at = path; parentPath(at) !== at;) {
      at = parentPath(at);
      let guarded = this.#guarded.get(at);
      if (guarded === undefined) {
        guarded = this.#lookAt(at);
        this.#guarded.set(at, guarded);
      }
      above.push(guarded);
    }
    // Looked at side by side: each takes a dozen calls of the system, one after another.
    const folders = (await Promise.all(above)).flat();
    return folders.find((folder) => isIn(folder, path))?.why;
  }

  /** Finds a repository's guarded folders. If something cannot be read here, git cannot read it either. */
  async #lookAt(top: string): Promise<readonly GuardedFolder[]> {
    // All but one of the folders above a file are not repositories, and finding that out properly takes a dozen calls of
    // the system each. A repository without a `.git` has a folder `objects`, which nothing replaces.
    if (["objects", ".git"].every((name) => this.#files.isMissing?.(joinPath(top, name)) === true)) {
      return [];
    }
    const kind = (name: string): Promise<string | undefined> => kindOf(this.#files, joinPath(top, name));
    const head = kind("HEAD");
    // Nobody waits for it if there is a `.git`.
    head.catch(() => undefined);
    try {
      const dotGit = await kind(".git");
      if (dotGit !== undefined) {
        return await this.#guardedBy(await openRepository(this.#files, top, dotGit));
      }
      // A bare repository, such as that of working trees elsewhere.
      return (await head) !== undefined && (await kind("objects")) !== undefined
        ? [{ path: top, why: "Git reads configuration and hooks from it", holdsAll: false }]
        : [];
    } catch {
      return [];
    }
  }

  async #guardedBy(repository: GitRepository): Promise<readonly GuardedFolder[]> {
    const { own, shared, top } = repository;
    const hooks = hooksFolder(repository);
    const folders = [...new Set([own, shared])].map((path) => ({
      path,
      why: "Git reads configuration and hooks from it",
    }));
    const all = [...folders, ...(hooks === undefined ? [] : [{ path: hooks, why: "Git runs hooks from it" }])];
    const placed = await Promise.all(
      all.map(async ({ path, why }) =>
        [...new Set([path, await this.#realPath(path)])].map((at) => ({ path: at, why, holdsAll: isBelow(top, at) })),
      ),
    );
    return [...placed.flat(), ...(await this.#ofSubmodules(repository))];
  }

  /** Finds the guarded folders of submodules, whose hooks may be anywhere, including outside their own folders. */
  async #ofSubmodules(repository: GitRepository): Promise<readonly GuardedFolder[]> {
    if ((await kindOf(this.#files, joinPath(repository.shared, "modules"))) === undefined) {
      return [];
    }
    const { entries } = await trackedBy(this.#files, repository);
    const inner = entries.filter(({ isRepository }) => isRepository).slice(0, MAX_INNER);
    return (await Promise.all(inner.map(({ path }) => this.#lookAt(joinPath(repository.top, path))))).flat();
  }

  async #realPath(path: string): Promise<string> {
    return (await resolveAnywhere(this.#files, path)).absolute;
  }
}

/** Whether a change to a path changes a folder's contents. Case is ignored, as in some file systems. */
function isIn({ path: folder, holdsAll }: GuardedFolder, path: string): boolean {
  if (holdsAll) {
    return (
      isBelow(path, folder) &&
      parentPath(path).toLowerCase() === folder.toLowerCase() &&
      HOOK.test(path.slice(path.lastIndexOf("/") + 1).toLowerCase())
    );
  }
  return isBelow(path, folder) || isBelow(folder, path);
}

/** Whether a path is the folder or in it. */
function isBelow(path: string, folder: string): boolean {
  const [inner, outer] = [path.toLowerCase(), folder.toLowerCase()];
  return inner === outer || inner.startsWith(outer.endsWith("/") ? outer : `${outer}/`);
}
