import type { GatedPath, Root } from "../../ports/files.js";
import { excerpt } from "../../text/clip.js";
import { nearestNames } from "../../text/nearest.js";
import { shownName } from "../../text/shownName.js";
import { ToolError } from "../errors.js";
import {
  baseName,
  checkPathShape,
  isAbsolutePath,
  joinPath,
  normalisePath,
  parentPath,
  pathBelow,
} from "./pathShape.js";
import { STATE_FOLDER } from "../../names/stateFolder.js";

/**
 * Folders that hold what agents keep or read. Of several workspace folders the first one has them, so their paths are
 * the same in every workspace.
 */
const OF_FIRST_FOLDER = [STATE_FOLDER, ".agents/skills", ".github/prompts"];

/** What the gate needs from a host. Paths use `/`, on Windows too. */
export interface PathGateHost {
  roots(): readonly Root[];
  /** Returns the path with every link followed; undefined if nothing is there. May throw `ToolError`. */
  realPath(root: Root, path: string): Promise<string | undefined>;
  /** Whether nothing has this name; see `Files.isMissing`. */
  isMissing?(path: string): boolean;
  readonly windows: boolean;
  /** Whether names that differ only in case are one file (Windows, macOS). */
  readonly foldCase: boolean;
  /**
   * Returns the location of an editor document that is not a file, from the editor's address for it; undefined for any
   * other path.
   */
  document?(raw: string): Pick<GatedPath, "path" | "absolute" | "root"> | undefined;
  /** The scheme of the disk for absolute paths outside all roots; if absent, nothing outside can be reached. */
  readonly disk?: string | undefined;
  /** Advice for a person on how to give the tools access to another folder. */
  readonly outsideHint: string;
  /** Advice for a person if there is no folder at all. */
  readonly noRootHint: string;
}

/** A given path, located lexically below a root. */
interface Placed {
  root: Root;
  /** The path below the root, `.` for the root itself. */
  below: string;
}

/**
 * The one gate for every path that a tool takes or returns: it refuses hostile shapes, resolves against the workspace's
 * folders, follows the links of the nearest existing ancestor, and lets through only what is really inside (vscode.md
 * §4.2; CVE-2026-50549 for the ancestor of a file that does not exist yet).
 */
export class PathGate {
  readonly #host: PathGateHost;

  constructor(host: PathGateHost) {
    this.#host = host;
  }

  /** See `Files.resolve`. */
  async resolve(raw: string): Promise<GatedPath> {
    const { noRootHint } = this.#host;
    const document = this.#host.document?.(raw);
    if (document !== undefined) {
      return makeGated({ ...document, realPath: document.path, lexical: document.absolute });
    }
    const normal = this.#normal(raw);
    const roots = this.#host.roots();
    const folders = this.#folders();
    if (folders.length === 0) {
      throw new ToolError("unavailable", `${excerpt(raw)}: no folder is open.`, noRootHint);
    }
    if (normal === "." && folders.length > 1) {
      return makeGated({ path: ".", realPath: ".", lexical: "", absolute: "", root: undefined });
    }
    await this.#refuseSlashInFront(raw, normal);
    const placed = await this.#place(raw, normal, roots);
    const lexical = joinPath(placed.root.path, placed.below);
    const absolute = await this.#follow(placed.root, lexical);
    // Without a link on the way to the path there is none on the way to its root.
    const real =
      absolute === lexical
        ? placed
        : await this.#locate(absolute, placed.root.scheme, [
            placed.root,
            ...roots.filter((root) => root !== placed.root),
          ]);
    if (real === undefined) {
      throw this.#outside(raw, "it is a link, or is below one, that leads out of the workspace");
    }
    return makeGated({
      path: this.#display(placed),
      realPath: this.#display(real),
      lexical,
      absolute,
      root: placed.root,
    });
  }

  /** See `Files.resolveEntry`. */
  async resolveEntry(raw: string): Promise<GatedPath> {
    const path = this.#normal(raw);
    const folder = await this.resolve(parentPath(path));
    const below = (above: string): string => (above === "." ? baseName(path) : joinPath(above, baseName(path)));
    return makeGated({
      path: below(folder.path),
      realPath: below(folder.realPath),
      lexical: below(folder.lexical),
      absolute: below(folder.absolute),
      root: folder.root,
    });
  }

  /** See `Files.resolvePlace`. */
  async resolvePlace(raw: string): Promise<GatedPath> {
    const normal = this.#normal(raw);
    const placed = await this.#place(raw, normal, this.#host.roots());
    const { root, below } = placed;
    const absolute = joinPath((await this.#host.realPath(root, root.path)) ?? root.path, below);
    const path = this.#display(placed);
    return makeGated({ path, realPath: path, lexical: joinPath(root.path, below), absolute, root });
  }

  /** See `Files.outside`. */
  async outside(raw: string, within?: GatedPath): Promise<GatedPath> {
    if (within !== undefined) {
      return this.#resolveWithin(raw, within);
    }
    try {
      return await this.resolve(raw);
    } catch (error) {
      const { disk } = this.#host;
      const lexical = disk !== undefined && isNotInside(error) ? await this.#placeOutside(raw, disk) : undefined;
      if (disk === undefined || lexical === undefined) {
        throw error;
      }
      const root: Root = { name: baseName(lexical), path: lexical, scheme: disk, beside: true };
      const absolute = await this.#follow(root, lexical);
      // A path that leads back in becomes its target: rules name the workspace's files by their own names.
      return (await this.#locate(absolute, disk, this.#host.roots())) === undefined
        ? makeGated({ path: lexical, realPath: absolute, lexical, absolute, root, outside: true })
        : this.resolve(absolute);
    }
  }

  /**
   * Returns the location of a path that the host found (a search result, a listing), or undefined if it is outside the
   * workspace.
   * @param folder where it was found: if that is outside the workspace, anything below it counts as inside
   */
  async admit(absolute: string, folder?: GatedPath): Promise<GatedPath | undefined> {
    try {
      return await (folder?.outside ? this.outside(absolute, folder) : this.resolve(absolute));
    } catch (error) {
      if (error instanceof ToolError) {
        return undefined;
      }
      throw error;
    }
  }

  /** Returns a path below an admitted folder outside. If a link on the way was swapped since, the path is refused. */
  async #resolveWithin(
    raw: string,
    { path, lexical: folder, absolute: real, root, outside }: GatedPath,
  ): Promise<GatedPath> {
    const { foldCase } = this.#host;
    const lexical = this.#normal(raw);
    if (outside && root !== undefined && pathBelow(folder, lexical, foldCase) !== undefined) {
      const absolute = await this.#follow(root, lexical);
      if (pathBelow(real, absolute, foldCase) !== undefined) {
        return makeGated({ path: lexical, realPath: absolute, lexical, absolute, root, outside });
      }
    }
    throw this.#outside(raw, `it lies outside ${excerpt(path)}`);
  }

  /**
   * Returns the absolute path, with links not followed, of a path that leads out of the workspace; undefined if it does
   * not identify a place on the disk.
   */
  async #placeOutside(raw: string, disk: string): Promise<string | undefined> {
    const { windows } = this.#host;
    const normal = this.#normal(raw);
    if (isAbsolutePath(normal)) {
      // Without a drive it would be on the process's current drive; two slashes begin the share of a workspace folder.
      return windows && /^\/(?!\/)/.test(normal) ? undefined : normal;
    }
    const [only, ...more] = this.#folders();
    if (only === undefined) {
      return undefined;
    }
    const up = more.length === 0 ? only : undefined;
    const { root, below } = leadsUp(normal)
      ? { root: up, below: normal }
      : await this.#place(raw, normal, this.#host.roots());
    return root?.scheme === disk ? normalisePath(joinPath(root.path, below), windows) : undefined;
  }

  /**
   * Refuses a workspace path with a leading /, if the file exists in the workspace and not even the path's first folder
   * exists on the disk.
   * @throws ToolError `not_found` with the intended path
   */
  async #refuseSlashInFront(raw: string, normal: string): Promise<void> {
    const root = await this.#rootMeant(normal);
    if (root !== undefined && !(await this.#isThere(root, normal.slice(0, `${normal}/`.indexOf("/", 1))))) {
      throw new ToolError("not_found", `${excerpt(raw)}: there is no such file or folder.`, withoutSlash(normal));
    }
  }

  /** Returns the folder that has the file of a path with a / too many in front; undefined if none has. */
  async #rootMeant(normal: string): Promise<Root | undefined> {
    const below = normal.slice(1);
    if (!/^\/(?!\/)/.test(normal) || below === "" || this.#below(this.#host.roots(), normal) !== undefined) {
      return undefined;
    }
    const folders = this.#folders();
    for (const root of folders) {
      const inside = folders.length === 1 ? below : pathBelow(root.name, below, false);
      if (
        inside !== undefined &&
        inside !== "." &&
        this.#host.isMissing?.(joinPath(root.path, inside)) !== true &&
        (await this.#isThere(root, joinPath(root.path, inside)))
      ) {
        return root;
      }
    }
    return undefined;
  }

  #isThere(root: Root, path: string): Promise<boolean> {
    return this.#host.realPath(root, path).then(
      (real) => real !== undefined,
      () => false,
    );
  }

  /** Finds the root that a path is meant to be below. */
  async #place(raw: string, normal: string, roots: readonly Root[]): Promise<Placed> {
    if (isAbsolutePath(normal)) {
      const placed = this.#below(roots, normal);
      if (placed !== undefined) {
        return placed;
      }
      // The root itself may be reached through a link: compare its real path as well.
      for (const root of roots) {
        const real = await this.#host.realPath(root, root.path);
        const below = real === undefined ? undefined : pathBelow(real, normal, this.#host.foldCase);
        if (below !== undefined) {
          return { root, below };
        }
      }
      const error = this.#outside(raw, "it lies outside the workspace");
      // Whether there is such a file on the disk is not said.
      throw (await this.#rootMeant(normal)) === undefined
        ? error
        : new ToolError(error.type, error.message, withoutSlash(normal));
    }
    if (leadsUp(normal)) {
      throw this.#outside(raw, "it leads out of the workspace");
    }
    const folders = this.#folders();
    const [only] = folders;
    if (folders.length === 1 && only !== undefined) {
      return { root: only, below: normal };
    }
    const [first = "", ...rest] = normal.split("/");
    const root = folders.find((candidate) => candidate.name === first);
    if (
      root === undefined &&
      only !== undefined &&
      OF_FIRST_FOLDER.some((folder) => pathBelow(folder, normal, false) !== undefined)
    ) {
      return { root: only, below: normal };
    }
    if (root === undefined) {
      const near =
        nearestNames(
          first,
          folders.map(({ name }) => name),
          1,
        )[0] ??
        only?.name ??
        "";
      throw new ToolError(
        "not_found",
        `${excerpt(raw)}: the workspace has several folders and none is named ${excerpt(first)}.`,
        `Begin the path with a folder: ${folders.map(({ name }) => name).join(", ")}. For example ${joinPath(near, normal)}.`,
      );
    }
    return { root, below: rest.join("/") || "." };
  }

  /** Returns the innermost root that lexically contains an absolute path. */
  #below(roots: readonly Root[], absolute: string): Placed | undefined {
    let best: Placed | undefined;
    for (const root of roots) {
      const below = pathBelow(root.path, absolute, this.#host.foldCase);
      if (below !== undefined && (best === undefined || root.path.length > best.root.path.length)) {
        best = { root, below };
      }
    }
    return best;
  }

  /** Follows the links of the nearest existing ancestor, and appends the rest again. */
  async #follow(root: Root, lexical: string): Promise<string> {
    let existing = lexical;
    for (;;) {
      const real = await this.#host.realPath(root, existing);
      if (real !== undefined) {
        const rest = lexical.slice(existing.length).replace(/^\//, "") || ".";
        return normalisePath(joinPath(real, rest), this.#host.windows);
      }
      const parent = parentPath(existing);
      if (parent === existing) {
        return lexical;
      }
      existing = parent;
    }
  }

  /** Returns the first root of a file system whose real location contains a real path. */
  async #locate(absolute: string, scheme: string, roots: readonly Root[]): Promise<Placed | undefined> {
    for (const root of roots.filter((each) => each.scheme === scheme)) {
      const real = (await this.#host.realPath(root, root.path)) ?? root.path;
      const below = pathBelow(real, absolute, this.#host.foldCase);
      if (below !== undefined) {
        return { root, below };
      }
    }
    return undefined;
  }

  #display({ root, below }: Placed): string {
    if (root.beside) {
      return joinPath(root.path, below);
    }
    return this.#folders().length > 1 ? joinPath(root.name, below) : below;
  }

  /** Checks a path's shape and resolves its dots. */
  #normal(raw: string): string {
    const { windows } = this.#host;
    const folders = windows ? this.#host.roots().map(({ path }) => path) : [];
    return normalisePath(checkPathShape(raw, windows, folders), windows);
  }

  /** Returns the workspace's own folders. */
  #folders(): readonly Root[] {
    return this.#host.roots().filter(({ beside }) => !beside);
  }

  #outside(raw: string, why: string): ToolError {
    return new ToolError("outside_workspace", `${excerpt(raw)}: ${why}.`, this.#host.outsideHint);
  }
}

function withoutSlash(normal: string): string {
  return `Did you mean ${shownName(normal.slice(1))}? Workspace paths begin without a slash.`;
}

function leadsUp(normal: string): boolean {
  return normal === ".." || normal.startsWith("../");
}

/** Whether the gate objects to a path only because it is in no folder of the workspace. */
function isNotInside(error: unknown): boolean {
  return error instanceof ToolError && (error.type === "outside_workspace" || error.type === "unavailable");
}

/** Makes a gated path; the only place that does. */
function makeGated(
  path: Pick<GatedPath, "path" | "realPath" | "lexical" | "absolute" | "root" | "outside">,
): GatedPath {
  return path as GatedPath;
}
