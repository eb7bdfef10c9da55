import type { GatedPath, Root } from "../ports/files.js";
import { excerpt } from "../text/clip.js";
import { nearestNames } from "../text/nearest.js";
import { ToolError } from "./errors.js";
import { checkPathShape, joinPath, normalisePath, parentPath, pathBelow } from "./pathShape.js";

/** What the gate needs of a host. Paths use `/`, on Windows too. */
export interface PathGateHost {
  roots(): readonly Root[];
  /** The path with every link followed; undefined when nothing is there. May throw `ToolError`. */
  realPath(root: Root, path: string): Promise<string | undefined>;
  readonly windows: boolean;
  /** Whether names that differ in case alone are one file (Windows, macOS). */
  readonly foldCase: boolean;
  /** The place of a document of the editor that is no file, by its own kind of address; undefined for every other path. */
  document?(raw: string): Pick<GatedPath, "path" | "absolute" | "root"> | undefined;
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
    const placed = await this.#place(raw, normal, roots);
    const lexical = joinPath(placed.root.path, placed.below);
    const absolute = await this.#follow(placed.root, lexical);
    const real = await this.#locate(absolute, placed.root);
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

  /** Where a path that the host found (a search result, a listing) lies, or undefined when it is outside. */
  async admit(absolute: string): Promise<GatedPath | undefined> {
    try {
      return await this.resolve(absolute);
    } catch (error) {
      if (error instanceof ToolError) {
        return undefined;
      }
      throw error;
    }
  }

  /** Finds the root a path is meant to lie below. */
  async #place(raw: string, normal: string, roots: readonly Root[]): Promise<Placed> {
    if (isAbsolute(normal)) {
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
    if (normal === ".." || normal.startsWith("../")) {
      throw this.#outside(raw, "it leads out of the workspace");
    }
    const folders = this.#folders();
    const [only] = folders;
    if (folders.length === 1 && only !== undefined) {
      return { root: only, below: normal };
    }
    const [first = "", ...rest] = normal.split("/");
    const root = folders.find((candidate) => candidate.name === first);
    if (root === undefined) {
      const near = nearestNames(first, folders.map(({ name }) => name), 1)[0] ?? only?.name ?? "";
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

  /** The root whose real place holds a real path. */
  async #locate(absolute: string, preferred: Root): Promise<Placed | undefined> {
    const roots = [preferred, ...this.#host.roots().filter((root) => root !== preferred)];
    for (const root of roots) {
      if (root.scheme !== preferred.scheme) {
        continue;
      }
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

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:\//.test(path);
}

/** The only place where a gated path is made. */
function makeGated(path: Pick<GatedPath, "path" | "realPath" | "lexical" | "absolute" | "root">): GatedPath {
  return path as GatedPath;
}
