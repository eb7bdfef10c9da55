import type { Files, GatedPath } from "../../../ports/files.js";
import { ToolError } from "../../errors.js";
import { joinPath, normalisePath, parentPath } from "../../paths/pathShape.js";
import type { ReachedFile } from "../touches.js";
import { isPattern, nameMatcher } from "./namePatterns.js";

/** Maximum number of folder entries checked for a command line; one that needs more asks. */
const MAX_ENTRIES = 5_000;
/**
 * Cost of following a path, in folder entries (about 0.2 ms). Charged twice per path, so about 200 paths fit in
 * MAX_ENTRIES.
 */
export const PLACE_COST = 12;
/** Number of names in a path that costs this much: each name is checked for links, and so is the way to it. */
const NAMES_AT_COST = 20;

/** Maximum number of parent folders searched for a repository, or for files that make a program run something. */
const MAX_LEVELS = 100;

/** An entry of a folder. */
interface FolderEntry {
  name: string;
  kind: string;
  link: boolean;
}

/** Thrown if there are too many entries to check. */
export class TooMany extends Error {}

/** Thrown if a file has a name that the command reads as a flag. */
export class FlagName extends Error {}

/**
 * Locates the paths in a command's words as the system would: links followed name by name, `..` after them, patterns
 * matched against existing files. A pattern may be treated as matching more than it does in the shell, never less.
 */
export class CommandPlaces {
  readonly files: Files;
  readonly workdir: GatedPath;
  /** Whether `C:/x` is an absolute path, as on Windows, and not a file in a folder called `C:`. */
  readonly #hasDrives: boolean;
  /** Number of entries checked so far. */
  #entries = 0;
  /**
   * Entries of folders, each read once, and one folder at a time: in parallel, all of them would be in memory before
   * they are counted.
   */
  readonly #listings = new Map<string, Promise<readonly FolderEntry[]>>();
  #lastListing: Promise<unknown> = Promise.resolve();

  /**
   * @param workdir where the command line starts
   * @param hasDrives whether `C:/x` in its words is an absolute path
   */
  constructor(files: Files, workdir: GatedPath, hasDrives = false) {
    this.#hasDrives = hasDrives;
    this.files = files;
    this.workdir = workdir;
  }

  /**
   * Returns the absolute paths of the folders that a command may run in.
   * @param bases as in `PathUse`
   * @throws TooMany for a folder with too many parents to check
   */
  async foldersOf(bases: readonly string[]): Promise<readonly string[]> {
    const found = (await Promise.all(bases.map((base) => this.locate(base, "."))))
      .flat()
      .map(({ absolute }) => absolute);
    if (found.some((folder) => folder.split("/").length > MAX_LEVELS)) {
      throw new TooMany();
    }
    return [...new Set(found)];
  }

  /**
   * Locates what a path leads to from a folder; both may be patterns.
   * @param base where the path starts, relative to where the command line starts
   * @param flagLike whether the command reads a name with a leading dash as a flag
   * @param anyCase as in `PathUse`
   * @throws FlagName, TooMany, ToolError if it cannot be located
   */
  async locate(base: string, path: string, flagLike = false, anyCase = false): Promise<ReachedFile[]> {
    if (base.startsWith("~") || path.startsWith("~")) {
      return [unknownPlace(path.startsWith("~") ? path : joinPath(base, path))];
    }
    const start = this.workdir.absolute;
    // `cd a/..` follows names where the system follows links: both are checked.
    const written = this.#hasDrives && this.isAbsolute(base) ? base : joinPath(start, base);
    const folders = base === "." ? [start] : [...new Set([normalisePath(written), await this.#walk(start, base)])];
    const found = await Promise.all(folders.map((folder) => this.match(folder, path, flagLike, anyCase)));
    return found.flat();
  }

  /** Whether a path is the same from every folder. */
  isAbsolute(path: string): boolean {
    return this.#topOf(path) !== undefined;
  }

  /** Returns the top of the disk that a path begins at; undefined for a relative path. */
  #topOf(path: string): string | undefined {
    return (this.#hasDrives ? /^(?:[A-Za-z]:)?\// : /^\//).exec(path)?.[0];
  }

  /** Returns the path that names lead to from a folder. Links before a `..` are followed first. */
  async #walk(folder: string, path: string): Promise<string> {
    const top = this.#topOf(path);
    let at = top ?? folder;
    let named = top !== undefined;
    for (const name of path.slice(top?.length ?? 0).split("/")) {
      if (name === "" || name === ".") {
        continue;
      }
      if (name === "..") {
        at = parentPath(named ? (await this.place(at)).absolute : at);
      } else {
        at = joinPath(at, name);
        named = true;
      }
    }
    return at;
  }

  /** Locates what a pattern matches from a folder, or the file that a plain path leads to. */
  async match(folder: string, path: string, flagLike: boolean, anyCase = false): Promise<ReachedFile[]> {
    const names = path.split("/");
    const magic = names.findIndex((name) => isPattern(name));
    if (magic < 0) {
      return [await this.place(await this.#walk(folder, path))];
    }
    const rest = names.slice(magic).filter((name) => name !== "" && name !== ".");
    if (flagLike && magic === 0) {
      await this.#refuseFlags(folder, names[0] ?? "");
    }
    if (rest.includes("..")) {
      throw new ToolError("invalid_input", path);
    }
    const above = names.slice(0, magic).join("/");
    const top = this.#topOf(path);
    const from = await this.place(
      await this.#walk(folder, `${above}/`.length <= (top?.length ?? 0) ? (top ?? "/") : above || "."),
    );
    // A pattern without matches is passed on as written, and names nothing.
    return from.outside ? [{ ...from, path: joinPath(from.path, rest.join("/")) }] : this.#expand(from, rest, anyCase);
  }

  /** @throws FlagName if a name that a pattern matches begins with a dash */
  async #refuseFlags(folder: string, pattern: string): Promise<void> {
    const matches = nameMatcher(pattern);
    const found = (await this.list(await this.place(folder))).find(({ name }) => name.startsWith("-") && matches(name));
    if (found !== undefined) {
      throw new FlagName(
        `\`${pattern}\` matches the file \`${found.name}\`, which the command reads as a flag: write \`./${pattern}\``,
      );
    }
  }

  /** Returns what a pattern matches below a folder. */
  async #expand(
    folder: ReachedFile,
    [pattern = "", ...rest]: readonly string[],
    anyCase: boolean,
  ): Promise<ReachedFile[]> {
    if (folder.outside) {
      return [folder];
    }
    const matches = nameMatcher(pattern, anyCase);
    const found = (await this.list(folder)).filter(({ name }) => matches(name));
    const places = await Promise.all(
      found.map(async ({ name, link, kind }) => ({ kind, at: await this.entry(folder, name, link) })),
    );
    if (rest.length === 0) {
      return places.map(({ at }) => at);
    }
    const deeper = await Promise.all(
      places
        .filter(({ kind, at }) => kind === "directory" || at.outside)
        .map(({ at }) => this.#expand(at, rest, anyCase)),
    );
    return deeper.flat();
  }

  /**
   * Locates a folder's entry, following a link.
   * @throws ToolError if its name is not valid UTF-8: the listed name differs, and cannot be used to open it
   */
  async entry(folder: ReachedFile, name: string, link: boolean): Promise<ReachedFile> {
    if (name.includes("\uFFFD")) {
      throw new ToolError("invalid_input", name);
    }
    return link ? this.place(joinPath(folder.absolute, name)) : below(folder, name);
  }

  /** Returns a folder's entries; empty if there is no such folder. */
  list({ absolute }: ReachedFile): Promise<readonly FolderEntry[]> {
    let listing = this.#listings.get(absolute);
    if (listing === undefined) {
      listing = this.#lastListing.then(() => this.#listNow(absolute));
      this.#lastListing = listing.catch(() => undefined);
      this.#listings.set(absolute, listing);
    }
    return listing;
  }

  async #listNow(absolute: string): Promise<readonly FolderEntry[]> {
    this.count(0);
    try {
      const entries = await this.files.list(await this.files.resolve(absolute));
      this.count(entries.length);
      return entries;
    } catch (error) {
      if (error instanceof ToolError) {
        return [];
      }
      throw error;
    }
  }

  /** Spends some of what may be checked for a command line. @throws TooMany if that is more than is left */
  count(entries: number): void {
    this.#entries += entries;
    if (this.#entries > MAX_ENTRIES) {
      throw new TooMany();
    }
  }

  /** Locates an absolute path, following links. */
  async place(absolute: string): Promise<ReachedFile> {
    this.count(PLACE_COST * Math.ceil(absolute.split("/").length / NAMES_AT_COST));
    const at = await this.#resolve(absolute);
    return at === undefined
      ? unknownPlace(normalisePath(absolute))
      : { path: at.path, realPath: at.realPath, absolute: at.absolute, outside: at.outside === true };
  }

  async #resolve(absolute: string): Promise<GatedPath | undefined> {
    try {
      return await this.files.resolve(absolute);
    } catch (error) {
      if (!(error instanceof ToolError) || error.type !== "outside_workspace") {
        throw error;
      }
    }
    return this.files.outside?.(absolute).catch(() => undefined);
  }
}

function unknownPlace(path: string): ReachedFile {
  return { path, realPath: path, absolute: path, outside: true };
}

/** Returns the place of an entry of a folder that is not a link. */
export function below({ path, realPath, absolute }: ReachedFile, name: string): ReachedFile {
  return {
    path: inFolder(path, name),
    realPath: inFolder(realPath, name),
    absolute: joinPath(absolute, name),
    outside: false,
  };
}

/** Returns a path below a folder, which may be the workspace itself (`.`). */
export function inFolder(folder: string, name: string): string {
  return folder === "." ? name : joinPath(folder, name);
}
