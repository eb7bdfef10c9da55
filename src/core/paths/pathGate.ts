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

/** What the gate needs of a host. Paths use `/`, on Windows too. */
export interface PathGateHost {
  roots(): readonly Root[];
  /** The path with every link followed; undefined when nothing is there. May throw `ToolError`. */
  realPath(root: Root, path: string): Promise<string | undefined>;
  readonly windows: boolean;
  /** Whether names that differ in case alone are one file (Windows, macOS). */
  readonly foldCase: boolean;
  /**
   * The place of a document of the editor that is no file, by its own kind of address; undefined for every other path.
   */
  document?(raw: string): Pick<GatedPath, "path" | "absolute" | "root"> | undefined;
  /**
   * The scheme of the disk that absolute paths outside of all roots lie on; where there is none, nothing outside is
   * reached.
   */
  readonly disk?: string | undefined;
  /** What a person can do to let the tools into another folder. */
  readonly outsideHint: string;
  /** What a person can do when there is no folder at all. */
  readonly noRootHint: string;
}

/** A name of the path as it was given, found lexically below a root. */
interface Placed {
  root: Root;
  /** Below the root, `.` for the root itself. */
  below: string;
}

/**
 * The one gate for every path that a tool takes or gives: it refuses hostile shapes, resolves against the
 * workspace's folders, follows links of the nearest existing ancestor, and lets through only what really
 * lies inside (vscode.md §4.2; CVE-2026-50549 for the ancestor of a file that does not exist yet).
 */
export class PathGate {
  readonly #host: PathGateHost;

  constructor(host: PathGateHost) {
    this.#host = host;
  }

  /** See `Files.resolve`. */
  async resolve(raw: string): Promise<GatedPath> {
    const { windows, noRootHint } = this.#host;
    const document = this.#host.document?.(raw);
    if (document !== undefined) {
      return makeGated({ ...document, realPath: document.path, lexical: document.absolute });
    }
    const path = checkPathShape(raw, windows);
    const roots = this.#host.roots();
    const folders = this.#folders();
    if (folders.length === 0) {
      throw new ToolError("unavailable", `${excerpt(raw)}: no folder is open.`, noRootHint);
    }
    const normal = normalisePath(path);
    if (normal === "." && folders.length > 1) {
      return makeGated({ path: ".", realPath: ".", lexical: "", absolute: "", root: undefined });
    }
    await this.#refuseSlashInFront(raw, normal);
    const placed = await this.#place(raw, normal, roots);
    const lexical = joinPath(placed.root.path, placed.below);
    const absolute = await this.#follow(placed.root, lexical);
    const real = await this.#locate(absolute, placed.root.scheme, [
      placed.root,
      ...roots.filter((root) => root !== placed.root),
    ]);
    if (real === undefined) {
      throw this.#outside(raw, "it is a link, or lies behind one, that leads out of the workspace");
    }
    return makeGated({
      path: this.#display(placed),
      realPath: this.#display(real),
      lexical,
      absolute,
      root: placed.root,
    });
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
      // What leads back in is what it leads to: rules name the workspace's files by their own names.
      return (await this.#locate(absolute, disk, this.#host.roots())) === undefined
        ? makeGated({ path: lexical, realPath: absolute, lexical, absolute, root, outside: true })
        : this.resolve(absolute);
    }
  }

  /**
   * Where a path that the host found (a search result, a listing) lies, or undefined when it is outside.
   *
   * @param folder where it was found: in one outside the workspace, what lies below it is inside
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

  /** A path below one outside that was let through. A link on the way that was exchanged since leads nowhere new. */
  async #resolveWithin(
    raw: string,
    { path, lexical: folder, absolute: real, root, outside }: GatedPath,
  ): Promise<GatedPath> {
    const { windows, foldCase } = this.#host;
    const lexical = normalisePath(checkPathShape(raw, windows));
    if (outside && root !== undefined && pathBelow(folder, lexical, foldCase) !== undefined) {
      const absolute = await this.#follow(root, lexical);
      if (pathBelow(real, absolute, foldCase) !== undefined) {
        return makeGated({ path: lexical, realPath: absolute, lexical, absolute, root, outside });
      }
    }
    throw this.#outside(raw, `it lies outside ${excerpt(path)}`);
  }

  /**
   * The absolute path, links not followed, of one that leads out of the workspace; undefined when it does not say which
   * place on the disk it means.
   */
  async #placeOutside(raw: string, disk: string): Promise<string | undefined> {
    const { windows } = this.#host;
    const normal = normalisePath(checkPathShape(raw, windows));
    if (isAbsolutePath(normal)) {
      // Without a drive it would be on the one that the process happens to be on.
      return windows && normal.startsWith("/") ? undefined : normal;
    }
    const [only, ...more] = this.#folders();
    if (only === undefined) {
      return undefined;
    }
    const up = more.length === 0 ? only : undefined;
    const { root, below } = leadsUp(normal)
      ? { root: up, below: normal }
      : await this.#place(raw, normal, this.#host.roots());
    return root?.scheme === disk ? normalisePath(joinPath(root.path, below)) : undefined;
  }

  /**
   * A path of the workspace with / in front: what lies there is in the workspace, and not even its first folder is on
   * the disk.
   *
   * @throws ToolError `not_found` with the path that is meant
   */
  async #refuseSlashInFront(raw: string, normal: string): Promise<void> {
    const below = normal.slice(1);
    if (!normal.startsWith("/") || below === "" || this.#below(this.#host.roots(), normal) !== undefined) {
      return;
    }
    const folders = this.#folders();
    for (const root of folders) {
      const inside = folders.length === 1 ? below : pathBelow(root.name, below, false);
      const isThere = (path: string): Promise<boolean> =>
        this.#host.realPath(root, path).then(
          (real) => real !== undefined,
          () => false,
        );
      if (
        inside !== undefined &&
        inside !== "." &&
        (await isThere(joinPath(root.path, inside))) &&
        !(await isThere(normal.slice(0, `${normal}/`.indexOf("/", 1))))
      ) {
        throw new ToolError(
          "not_found",
          `${excerpt(raw)}: there is no such file or folder.`,
          `Did you mean ${shownName(below)}? Paths of the workspace begin without a slash.`,
        );
      }
    }
  }

  /** Finds the root a path is meant to lie below. */
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
      throw this.#outside(raw, "it lies outside the workspace");
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

  /** The innermost root that lexically holds an absolute path. */
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

  /** Follows the links of the nearest ancestor that exists, and puts the rest behind it again. */
  async #follow(root: Root, lexical: string): Promise<string> {
    let existing = lexical;
    for (;;) {
      const real = await this.#host.realPath(root, existing);
      if (real !== undefined) {
        return normalisePath(joinPath(real, lexical.slice(existing.length).replace(/^\//, "") || "."));
      }
      const parent = parentPath(existing);
      if (parent === existing) {
        return lexical;
      }
      existing = parent;
    }
  }

  /** The first root of a file system whose real place holds a real path. */
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

  /** The workspace's own folders. */
  #folders(): readonly Root[] {
    return this.#host.roots().filter(({ beside }) => !beside);
  }

  #outside(raw: string, why: string): ToolError {
    return new ToolError("outside_workspace", `${excerpt(raw)}: ${why}.`, this.#host.outsideHint);
  }
}

function leadsUp(normal: string): boolean {
  return normal === ".." || normal.startsWith("../");
}

/** Whether the gate found nothing worse with a path than that it lies in no folder of the workspace. */
function isNotInside(error: unknown): boolean {
  return error instanceof ToolError && (error.type === "outside_workspace" || error.type === "unavailable");
}

/** The only place where a gated path is made. */
function makeGated(
  path: Pick<GatedPath, "path" | "realPath" | "lexical" | "absolute" | "root" | "outside">,
): GatedPath {
  return path as GatedPath;
}
