import { ToolError } from "../../../../src/core/errors.js";
import type { PathGateHost } from "../../../../src/core/paths/pathGate.js";
import type { Root } from "../../../../src/ports/files.js";

/** A disk in memory, as far as the path gate looks at one: what exists, and which of it are links. */
export class FakeDisk implements PathGateHost {
  readonly windows: boolean;
  readonly foldCase: boolean;
  readonly disk: string | undefined;
  readonly outsideHint = "Add the folder.";
  readonly noRootHint = "Open a folder.";
  readonly #roots: readonly Root[];
  readonly #entries = new Set<string>();
  readonly #links = new Map<string, string>();

  /**
   * @param paths files and folders; their parents exist, too
   * @param links absolute path of a link and of its target, which need not exist
   * @param disk scheme of what lies outside the roots; undefined in a browser. Default file
   */
  constructor(options: {
    roots: readonly Root[];
    paths?: readonly string[];
    links?: Readonly<Record<string, string>>;
    windows?: boolean;
    foldCase?: boolean;
    disk?: string | undefined;
  }) {
    this.disk = "disk" in options ? options.disk : "file";
    this.windows = options.windows ?? false;
    this.foldCase = options.foldCase ?? this.windows;
    this.#roots = options.roots;
    for (const path of [
      ...options.roots.map((root) => root.path),
      ...(options.paths ?? []),
      ...Object.keys(options.links ?? {}),
    ]) {
      for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
        this.#entries.add(this.#fold(path.slice(0, end)));
      }
    }
    for (const [link, target] of Object.entries(options.links ?? {})) {
      this.#links.set(this.#fold(link), target);
    }
  }

  roots(): readonly Root[] {
    return this.#roots;
  }

  async realPath(_root: Root, path: string): Promise<string | undefined> {
    return this.#follow(path, 0);
  }

  #follow(path: string, depth: number): string | undefined {
    const segments = path.split("/");
    for (let count = 2; count <= segments.length; count++) {
      const target = this.#links.get(this.#fold(segments.slice(0, count).join("/")));
      if (target !== undefined) {
        const real = depth > 8 ? undefined : this.#follow([target, ...segments.slice(count)].join("/"), depth + 1);
        if (real === undefined && count === segments.length) {
          throw new ToolError("not_found", `${path} is a link whose target does not exist.`);
        }
        return real;
      }
    }
    return path === "/" || this.#entries.has(this.#fold(path)) ? path : undefined;
  }

  #fold(path: string): string {
    return this.foldCase ? path.toLowerCase() : path;
  }
}

/** A root folder; named like its last segment unless told otherwise. */
export function rootAt(path: string, more: Partial<Root> = {}): Root {
  return { name: path.slice(path.lastIndexOf("/") + 1), path, scheme: "file", ...more };
}
