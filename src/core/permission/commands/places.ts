import type { LeftOut, Listed, PathUse, Steering, TrackedUse } from "../../../shell/analysis.js";
import { isOrdinaryEnding } from "../../../shell/ordinaryEndings.js";
import type { Files, GatedPath } from "../../../ports/files.js";
import type { Programs } from "../../../ports/programs.js";
import { ToolError } from "../../errors.js";
import { joinPath, normalisePath, parentPath, pathBelow } from "../../paths/pathShape.js";
import { protectedReason, secretReason } from "../../paths/protectedFiles.js";
import { ListedNames } from "./listedNames.js";
import { addressDoubt, trackedDoubt } from "../git/tracked.js";
import { repositoryDoubt } from "../git/programs.js";
import { findRepository, isSure, kindOf, openRepository, tagDoubt, textOf, trackedBy } from "../git/repository.js";
import { programDoubt } from "./programDoubt.js";
import { matchesParts, matchesText } from "../rules/patterns.js";
import { ANY_NAME, broughtBack, IGNORE_FILES, mayShow } from "../unhidden.js";
import { guardOfChange, secretOf, type CommandUse, type ReachedFile } from "../touches.js";

/** Maximum number of folder entries checked for a command line; one that needs more asks. */
const MAX_ENTRIES = 5_000;
/**
 * Cost of following a path, in folder entries (about 0.2 ms). Charged twice per path, so about 200 paths fit in
 * MAX_ENTRIES.
 */
const PLACE_COST = 12;
/** Number of names in a path that costs this much: each name is checked for links, and so is the way to it. */
const NAMES_AT_COST = 20;

/** Maximum number of parent folders searched for a repository, or for files that make a program run something. */
const MAX_LEVELS = 100;

/** Maximum size of an ignore file, in bytes; a longer one may bring anything back. */
const MAX_IGNORE_FILE = 200_000;

/**
 * Maximum size of a file that a command may change unasked, in bytes: less than what is kept for undo when a command
 * starts (`hosts/node/effects/contents`).
 */
const LARGEST_RESTORED = 8_000_000;

/** Files that every process has, without contents. */
const HARMLESS = new Set(["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"]);

/** Large folders that are skipped: git's own, in which only some files are secret, and packages published by others. */
const PASSED_OVER = new Set([".git", "node_modules"]);

/** Maximum number of names passed to a search as names to skip. */
const MAX_LEFT_OUT = 12;

/** Names without characters special to the shell or to patterns. */
const PLAIN_NAME = /^[\w.@+-]+$/;

/** Characters that make a name a pattern, or precede such a character when it is quoted. */
const MAGIC = /[*?[\\]/;

/** An entry of a folder. */
interface FolderEntry {
  name: string;
  kind: string;
  link: boolean;
}

/** Thrown if there are too many entries to check. */
class TooMany extends Error {}

/** Thrown if a file has a name that the command reads as a flag. */
class FlagName extends Error {}

/**
 * Locates the paths in a command's words as the system would: links followed name by name, `..` after them, patterns
 * matched against existing files. A pattern may be treated as matching more than it does in the shell, never less.
 */
export class CommandPlaces {
  readonly #files: Files;
  readonly #workdir: GatedPath;
  /** Number of entries checked so far. */
  #entries = 0;
  /**
   * Entries of folders, each read once, and one folder at a time: in parallel, all of them would be in memory before
   * they are counted.
   */
  readonly #listings = new Map<string, Promise<readonly FolderEntry[]>>();
  #lastListing: Promise<unknown> = Promise.resolve();
  /** Objections to programs, each looked up once per folder. */
  readonly #programs = new Map<string, Promise<string | undefined>>();

  /** @param workdir where the command line starts */
  constructor(files: Files, workdir: GatedPath) {
    this.#files = files;
    this.#workdir = workdir;
  }

  /** Locates a command's path, from each folder the command may run in. */
  async find({
    kind,
    path,
    bases,
    deep = false,
    shownOnly,
    ordinaryOnly = false,
    leftOut,
    links = false,
    flagLike = false,
    listed,
    moved,
  }: PathUse): Promise<CommandUse> {
    const use = {
      kind,
      written: path,
      deep,
      ...(flagLike ? { mayBeFlag: true } : {}),
      ...(moved === true ? { moved } : {}),
    };
    if (HARMLESS.has(path)) {
      return { ...use, files: [] };
    }
    // Before any work starts, because there may be thousands of words.
    this.#entries += PLACE_COST;
    if (this.#entries > MAX_ENTRIES) {
      return { ...use, files: [], problem: tooMany(path) };
    }
    try {
      const found = await Promise.all(
        (isAbsolute(path) ? ["."] : bases).map((base) => this.#from(base, path, flagLike)),
      );
      const files = found.flat();
      if (listed !== undefined) {
        // A deep read of a listed folder may reach any file in it.
        return await this.#ofList({ ...use, files }, deep ? anyOf(listed) : listed, bases);
      }
      const hidden =
        deep && kind === "read" ? await this.#secretBelow(files, { shownOnly, links, ordinaryOnly, leftOut }) : {};
      return { ...use, files, ...hidden };
    } catch (error) {
      const problem =
        error instanceof TooMany
          ? tooMany(path)
          : error instanceof FlagName
            ? error.message
            : `\`${path}\` cannot be located`;
      return { ...use, files: [], problem };
    }
  }

  /**
   * Returns what a command reads if it gets the names that a listing of places prints. `files` includes any listed file
   * that may be secret.
   */
  async #ofList(use: CommandUse, listed: Listed, bases: readonly string[]): Promise<CommandUse> {
    const list = new ListedNames(MAGIC.test(use.written) ? withoutPaths(listed) : listed);
    const strays =
      list.odd(use.written.replace(/[*?[\]]/g, "")) ??
      list.oddMatch(use.written, use.files) ??
      (await this.#oddOfGit(list, use.files, bases));
    if (strays !== undefined) {
      return { ...use, strays };
    }
    const patterns = use.files.filter(({ path }) => list.isMatchPattern(use.written, path));
    const again = await Promise.all(
      patterns.map(({ absolute }) => this.#match(this.#workdir.absolute, absolute, false)),
    );
    const reached: ReachedFile[] = [...use.files, ...again.flat()];
    // `find ./` prints `./x`, and on macOS `.//x`.
    const starts = use.written.endsWith("/") ? [use.written.slice(0, -1), use.written] : [use.written];
    const open = use.files.filter(({ outside }) => !outside).map((at) => ({ at, printed: starts, depth: 0 }));
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const { at: above, printed: before, depth } = folder;
      const entries = (await this.#list(above)).map(({ name, kind, link }) => {
        const printed = before.map((each) => `${each}/${name}`);
        const goesOn = kind === "directory" && !link && list.goesInto(name, printed, depth);
        return { name, kind, link, printed, goesOn, has: list.has(name, printed, link) };
      });
      const namedSo = entries.filter(({ name, goesOn, has }) => (goesOn || has) && list.isPattern(name));
      const anyFolder = namedSo.some(({ goesOn }) => goesOn);
      if (anyFolder && list.leavesOut) {
        return {
          ...use,
          files: reached,
          strays: "a folder's name is a pattern that may match excluded folders",
        };
      }
      for (const { name, kind, link, printed, goesOn, has } of entries) {
        const isMatched = namedSo.some((pattern) => nameMatcher(pattern.name)(name));
        if (!goesOn && !has && !isMatched) {
          continue;
        }
        const odd = depth === 0 ? list.oddFirst(name) : list.odd(name);
        if (odd !== undefined) {
          return { ...use, files: reached, strays: odd };
        }
        const at = below(above, name);
        if (has || isMatched) {
          const real = await this.#entry(above, name, link);
          if (real.outside || secretOf(at) !== undefined || secretOf(real) !== undefined) {
            reached.push(real.outside ? real : at);
          }
        }
        const isFolder = goesOn || (isMatched && anyFolder && kind === "directory");
        if (isFolder && (anyFolder || !(await this.#isLeftOut(at, name, list)))) {
          open.push({ at: await this.#entry(above, name, false), printed, depth: depth + 1 });
        }
      }
    }
    return { ...use, files: reached };
  }

  /** Returns why the next command may misread a name that git lists, whose file need not exist. */
  async #oddOfGit(
    list: ListedNames,
    places: readonly ReachedFile[],
    bases: readonly string[],
  ): Promise<string | undefined> {
    if (list.from !== "index") {
      return list.from === undefined ? undefined : "names that exist only in commits may be misread when passed on";
    }
    for (const folder of await this.#foldersOf(bases)) {
      const repository = await findRepository(this.#files, folder);
      const paths =
        repository === undefined
          ? []
          : (await trackedBy(this.#files, repository)).entries.map(({ path }) => joinPath(repository.top, path));
      const listed = paths.filter((path) =>
        places.some(({ absolute }) => pathBelow(absolute, path, true) !== undefined),
      );
      const odd = list.oddOfGit(listed.map((path) => pathBelow(folder, path, false) ?? path));
      if (odd !== undefined) {
        return odd;
      }
    }
    return undefined;
  }

  /** Whether nothing below a folder is listed, because it is git's own or excluded by a .gitignore next to it. */
  async #isLeftOut(at: ReachedFile, name: string, { byGit }: ListedNames): Promise<boolean> {
    return byGit && (name === ".git" || (name === "node_modules" && (await this.#ignoresPackages(at))));
  }

  /** Whether the folder that contains a package folder excludes it from git, and nothing there reverts that. */
  async #ignoresPackages({ absolute }: ReachedFile): Promise<boolean> {
    try {
      const folder = parentPath(absolute);
      const names = (await this.#files.list(await this.#files.resolve(folder))).map(({ name }) => name);
      if (names.some((name) => name === ".ignore" || name === ".rgignore")) {
        return false;
      }
      const { text } = await this.#files.readSnapshot(
        await this.#files.resolve(joinPath(folder, ".gitignore")),
        MAX_IGNORE_FILE,
      );
      const rules = text.split(/\r?\n/);
      return rules.some((rule) => /^\/?node_modules\/?$/.test(rule)) && !rules.some((rule) => rule.startsWith("!"));
    } catch {
      return false;
    }
  }

  /**
   * Returns the objections to running git in folders. In one that looks like a bare repository, git reads its
   * configuration, which names programs that `git status` runs, from files that anyone may have made (git-config(1),
   * `safe.bareRepository`).
   * @param bases as in `PathUse`
   */
  async repositories(bases: readonly string[]): Promise<CommandUse[]> {
    const use = { kind: "read", written: ".", deep: false, files: [] } as const;
    try {
      const folders = (await Promise.all(bases.map((base) => this.#from(base, ".")))).flat();
      const bare = (await Promise.all(folders.map((folder) => this.#bareRepository(folder)))).find(
        (path) => path !== undefined,
      );
      return bare === undefined
        ? []
        : [
            {
              ...use,
              problem: `git treats ${bare === "." ? "the workspace" : bare} itself as a bare repository, whose configuration can make git run programs`,
            },
          ];
    } catch {
      return [{ ...use, problem: "the folder git runs in cannot be read" }];
    }
  }

  /**
   * Returns why a read-only git command in one of these folders might run a program that the repository configures;
   * undefined if it cannot.
   * @param bases as in `PathUse`
   */
  async gitDoubt(bases: readonly string[]): Promise<string | undefined> {
    const doubts = await Promise.all(
      (await this.#foldersOf(bases)).map((folder) => repositoryDoubt(this.#files, folder)),
    );
    return doubts.find((doubt) => doubt !== undefined);
  }

  /** Returns the objection to Git printing tracked files in these folders. */
  async trackedSecrets(bases: readonly string[], tracked: TrackedUse): Promise<CommandUse[]> {
    return this.#inRepositories(bases, (folder) => trackedDoubt(this.#files, folder, tracked));
  }

  /** Returns the objection to Git printing the addresses of remotes. */
  async addresses(bases: readonly string[]): Promise<CommandUse[]> {
    return this.#inRepositories(bases, (folder) => addressDoubt(this.#files, folder));
  }

  /** Returns the objection to passing the output of `git describe` to another command. */
  async tags(bases: readonly string[]): Promise<CommandUse[]> {
    return this.#inRepositories(bases, (folder) => tagDoubt(this.#files, folder));
  }

  async #inRepositories(
    bases: readonly string[],
    doubtOf: (folder: string) => Promise<string | undefined>,
  ): Promise<CommandUse[]> {
    const use = { kind: "read", written: ".", deep: false, files: [] } as const;
    try {
      const doubts = await Promise.all((await this.#foldersOf(bases)).map(doubtOf));
      const problem = doubts.find((doubt) => doubt !== undefined);
      return problem === undefined ? [] : [{ ...use, problem }];
    } catch {
      return [{ ...use, problem: "the folder git runs in cannot be read" }];
    }
  }

  /**
   * Returns why `git diff` compares files on disk as `diff -r` does (git-diff(1), `--no-index`): there is no
   * repository, or a path leads out of it; undefined if it does not.
   * @param bases as in `PathUse`
   */
  async comparesFiles(
    bases: readonly string[],
    paths: readonly PathUse[],
  ): Promise<"no repository" | "a path" | undefined> {
    const places = (
      await Promise.all(
        paths
          .flatMap(({ path }) =>
            path === "." ? [] : bases.map((base) => this.#from(path.startsWith("/") ? "." : base, path)),
          )
          .map((found) => found.catch(() => undefined)),
      )
    ).flat();
    for (const folder of await this.#foldersOf(bases)) {
      const repository = await findRepository(this.#files, folder).catch(() => undefined);
      const isOne = repository !== undefined && (await isSure(this.#files, repository).catch(() => false));
      if (!isOne) {
        return "no repository";
      }
      if (places.some((at) => at === undefined || pathBelow(repository.top, at.absolute, false) === undefined)) {
        return "a path";
      }
    }
    return undefined;
  }

  /**
   * Returns why a program's name may refer to another program in one of these folders; undefined if it does not.
   * @param bases as in `PathUse`
   */
  async programDoubt(programs: Programs, name: string, bases: readonly string[]): Promise<string | undefined> {
    const doubts = await Promise.all(
      (await this.#foldersOf(bases)).map((folder) => this.#programDoubt(programs, name, folder)),
    );
    return doubts.find((doubt) => doubt !== undefined);
  }

  /** @throws TooMany for a folder with too many parents to check */
  async #foldersOf(bases: readonly string[]): Promise<readonly string[]> {
    const found = (await Promise.all(bases.map((base) => this.#from(base, "."))))
      .flat()
      .map(({ absolute }) => absolute);
    if (found.some((folder) => folder.split("/").length > MAX_LEVELS)) {
      throw new TooMany();
    }
    return [...new Set(found)];
  }

  #programDoubt(programs: Programs, name: string, folder: string): Promise<string | undefined> {
    const key = `${name}\n${folder}`;
    const doubt = this.#programs.get(key) ?? programDoubt(programs, this.#files, name, folder);
    this.#programs.set(key, doubt);
    return doubt;
  }

  /**
   * Returns the first of some files that is in one of these folders or their parents.
   * @param bases as in `PathUse`
   * @returns its name, as shown in a reason
   */
  async findAbove(bases: readonly string[], names: Steering["files"]): Promise<string | undefined> {
    for (const folder of await this.#foldersOf(bases)) {
      for (let at = folder; ; at = parentPath(at)) {
        for (const { name, harmless } of names) {
          this.#count(PLACE_COST);
          const path = joinPath(at, name);
          if (
            harmless === undefined
              ? (await kindOf(this.#files, path)) !== undefined
              : !harmless.test((await textOf(this.#files, path)) ?? "")
          ) {
            return `\`${name}\``;
          }
        }
        if (parentPath(at) === at) {
          break;
        }
      }
    }
    return undefined;
  }

  /**
   * Returns why a change to places might not be taken back by undo, or reaches more than they say; undefined if nothing
   * speaks against it.
   *
   * @param targets where the places are moved to, if they are moved
   */
  async beyondUndo(
    places: readonly ReachedFile[],
    targets: readonly ReachedFile[] | undefined,
  ): Promise<string | undefined> {
    try {
      for (const at of places) {
        const why =
          at.path === at.realPath ? await this.#beyondUndo(at, targets) : `${at.path} is, or is behind, a link`;
        if (why !== undefined) {
          return why;
        }
      }
      return undefined;
    } catch (error) {
      return error instanceof TooMany ? "it reaches more files than are checked" : "a file cannot be looked up";
    }
  }

  async #beyondUndo(at: ReachedFile, targets: readonly ReachedFile[] | undefined): Promise<string | undefined> {
    this.#count(PLACE_COST);
    const path = await this.#files.resolve(at.absolute);
    const info = await this.#files.stat(path).catch((error: unknown) => {
      if (error instanceof ToolError && error.type === "not_found") {
        return undefined;
      }
      throw error;
    });
    if (info === undefined) {
      return undefined;
    }
    if (info.kind === "directory") {
      return targets === undefined ? undefined : this.#beyondMove(at, targets);
    }
    if (info.kind !== "file") {
      return `${at.path} is not an ordinary file`;
    }
    return info.size > LARGEST_RESTORED ? `${at.path} is too large for undo` : undefined;
  }

  /** Returns why a folder cannot be moved like a file: something in it would be, or is, more than a file by its name. */
  async #beyondMove(folder: ReachedFile, targets: readonly ReachedFile[]): Promise<string | undefined> {
    const open: { at: ReachedFile; within: string }[] = [{ at: folder, within: "" }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const { name, kind, link } of await this.#list(next.at)) {
        const at = below(next.at, name);
        const within = next.within === "" ? name : joinPath(next.within, name);
        if (link || (kind !== "file" && kind !== "directory")) {
          return `${at.path}, which is moved with it, is not an ordinary file`;
        }
        const guard =
          guardOfChange(at) ??
          secretOf(at) ??
          targets.map(({ path }) => protectedReason(inFolder(path, within))).find((why) => why !== undefined);
        if (guard !== undefined) {
          return `${at.path}, which is moved with it, is protected: ${guard}`;
        }
        if (kind === "directory") {
          open.push({ at, within });
        }
      }
    }
    return undefined;
  }

  /** Returns the nearest folder that git treats as a bare repository, before one that has a repository. */
  async #bareRepository(folder: ReachedFile): Promise<string | undefined> {
    let at = folder;
    while (!at.outside) {
      const names = new Set((await this.#list(at)).map(({ name }) => name.toLowerCase()));
      if (names.has(".git")) {
        return undefined;
      }
      if (names.has("head") && ["objects", "refs", "commondir"].some((name) => names.has(name))) {
        return at.path;
      }
      const above = parentPath(at.absolute);
      if (above === at.absolute) {
        return undefined;
      }
      at = await this.#place(above);
    }
    return undefined;
  }

  async #from(base: string, path: string, flagLike = false): Promise<ReachedFile[]> {
    if (base.startsWith("~") || path.startsWith("~")) {
      return [unknownPlace(path.startsWith("~") ? path : joinPath(base, path))];
    }
    const start = this.#workdir.absolute;
    // `cd a/..` follows names where the system follows links: both are checked.
    const folders =
      base === "." ? [start] : [...new Set([normalisePath(joinPath(start, base)), await this.#walk(start, base)])];
    const found = await Promise.all(folders.map((folder) => this.#match(folder, path, flagLike)));
    return found.flat();
  }

  /** Returns the path that names lead to from a folder. Links before a `..` are followed first. */
  async #walk(folder: string, path: string): Promise<string> {
    let at = isAbsolute(path) ? "/" : folder;
    let named = isAbsolute(path);
    for (const name of path.split("/")) {
      if (name === "" || name === ".") {
        continue;
      }
      if (name === "..") {
        at = parentPath(named ? (await this.#place(at)).absolute : at);
      } else {
        at = joinPath(at, name);
        named = true;
      }
    }
    return at;
  }

  async #match(folder: string, path: string, flagLike: boolean): Promise<ReachedFile[]> {
    const names = path.split("/");
    const magic = names.findIndex((name) => MAGIC.test(name));
    if (magic < 0) {
      return [await this.#place(await this.#walk(folder, path))];
    }
    const rest = names.slice(magic).filter((name) => name !== "" && name !== ".");
    if (flagLike && magic === 0) {
      await this.#refuseFlags(folder, names[0] ?? "");
    }
    if (rest.includes("..")) {
      throw new ToolError("invalid_input", path);
    }
    const above = names.slice(0, magic).join("/");
    const from = await this.#place(await this.#walk(folder, isAbsolute(path) ? above || "/" : above || "."));
    // A pattern without matches is passed on as written, and names nothing.
    return from.outside ? [{ ...from, path: joinPath(from.path, rest.join("/")) }] : this.#expand(from, rest);
  }

  /** @throws FlagName if a name that a pattern matches begins with a dash */
  async #refuseFlags(folder: string, pattern: string): Promise<void> {
    const matches = nameMatcher(pattern);
    const found = (await this.#list(await this.#place(folder))).find(
      ({ name }) => name.startsWith("-") && matches(name),
    );
    if (found !== undefined) {
      throw new FlagName(
        `\`${pattern}\` matches the file \`${found.name}\`, which the command reads as a flag: write \`./${pattern}\``,
      );
    }
  }

  /** Returns what a pattern matches below a folder. */
  async #expand(folder: ReachedFile, [pattern = "", ...rest]: readonly string[]): Promise<ReachedFile[]> {
    if (folder.outside) {
      return [folder];
    }
    const matches = nameMatcher(pattern);
    const found = (await this.#list(folder)).filter(({ name }) => matches(name));
    const places = await Promise.all(
      found.map(async ({ name, link, kind }) => ({ kind, at: await this.#entry(folder, name, link) })),
    );
    if (rest.length === 0) {
      return places.map(({ at }) => at);
    }
    const deeper = await Promise.all(
      places.filter(({ kind, at }) => kind === "directory" || at.outside).map(({ at }) => this.#expand(at, rest)),
    );
    return deeper.flat();
  }

  /**
   * Returns the objection to reading everything below folders: something there may be secret. Includes the names, if
   * the command could skip all of it.
   */
  async #secretBelow(
    folders: readonly ReachedFile[],
    {
      shownOnly,
      links,
      ordinaryOnly,
      leftOut = { files: [], folders: [] },
    }: {
      shownOnly: readonly string[] | undefined;
      links: boolean;
      ordinaryOnly: boolean;
      leftOut: LeftOut | undefined;
    },
  ): Promise<Pick<CommandUse, "problem" | "leavable">> {
    const open = folders.filter(({ outside }) => !outside);
    const followed = new Set<string>();
    const found = { files: new Set<string>(), folders: new Set<string>() };
    let first: ReachedFile | undefined;
    const shown = shownOnly === undefined ? undefined : [...shownOnly, ...(await this.#broughtBackAbove(open))];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const entries = await this.#list(folder);
      shown?.push(...(await this.#broughtBack(folder, entries)));
      for (const { name, kind, link } of entries) {
        const isFolder = kind === "directory" && !link;
        // A link that is followed may lead to a file or a folder.
        const isLeftOut =
          !(link && links) && leftOut[isFolder ? "folders" : "files"].some((pattern) => matchesText(pattern, name));
        if (isLeftOut || (shown !== undefined && name.startsWith(".") && !mayShow(shown, name))) {
          continue;
        }
        const at = below(folder, name);
        // A folder is entered whatever its extension.
        const isRead = !ordinaryOnly || link || isOrdinaryEnding(name.slice(name.lastIndexOf(".") + 1));
        const real = link && links ? await this.#entry(folder, name, link) : undefined;
        const isGits = name === ".git" && isFolder && !ordinaryOnly && (await this.#hasSecrets(at));
        const isSecret = isGits || (isRead && secretOf(at) !== undefined);
        if (isSecret || (real !== undefined && (real.outside || secretOf(real) !== undefined))) {
          first ??= at;
          // If a file is secret because of its folder, skipping its name would also skip others with that name.
          if (real !== undefined || !PLAIN_NAME.test(name) || (!isGits && secretReason(name) === undefined)) {
            return { problem: readsBelow(at) };
          }
          found[isFolder ? "folders" : "files"].add(name);
          if (found.files.size + found.folders.size > MAX_LEFT_OUT) {
            return { problem: readsBelow(first) };
          }
          continue;
        }
        if (real !== undefined && !followed.has(real.absolute)) {
          followed.add(real.absolute);
          open.push(real);
        }
        if (isFolder && !PASSED_OVER.has(name)) {
          open.push(await this.#entry(folder, name, link));
        }
      }
    }
    return first === undefined
      ? {}
      : { problem: readsBelow(first), leavable: { files: [...found.files], folders: [...found.folders] } };
  }

  /** Whether one of git's own folders contains a file with remote addresses. */
  async #hasSecrets(at: ReachedFile): Promise<boolean> {
    return (await this.#list(at)).some(({ name }) => secretOf(below(at, name)) !== undefined);
  }

  /** Returns what a folder's ignore files bring back; any name if one cannot be read. */
  async #broughtBack(folder: ReachedFile, entries: readonly { name: string }[]): Promise<readonly string[]> {
    const patterns: string[] = [];
    for (const { name } of entries.filter((entry) => IGNORE_FILES.has(entry.name))) {
      this.#count(PLACE_COST);
      try {
        const bytes = await this.#files.readBytes(
          await this.#files.resolve(joinPath(folder.absolute, name)),
          MAX_IGNORE_FILE,
        );
        patterns.push(...broughtBack(new TextDecoder().decode(bytes)));
      } catch {
        patterns.push(ANY_NAME);
      }
    }
    if (entries.some(({ name }) => name === ".git")) {
      patterns.push(...(await this.#broughtBackByGit(folder.absolute)));
    }
    return patterns;
  }

  /** Like `#broughtBack`, for the list next to a repository's configuration (gitignore(5)). */
  async #broughtBackByGit(top: string): Promise<readonly string[]> {
    this.#count(PLACE_COST);
    try {
      const kind = (await kindOf(this.#files, joinPath(top, ".git"))) ?? "other";
      const { own, shared } = await openRepository(this.#files, top, kind);
      const texts = await Promise.all(
        [...new Set([own, shared])].map((folder) => textOf(this.#files, joinPath(folder, "info/exclude"))),
      );
      return texts.flatMap((text) => (text === undefined ? [] : broughtBack(text)));
    } catch {
      return [ANY_NAME];
    }
  }

  /** Like `#broughtBack`, for the parent folders. */
  async #broughtBackAbove(folders: readonly ReachedFile[]): Promise<readonly string[]> {
    const patterns: string[] = [];
    const seen = new Set<string>();
    for (const folder of folders) {
      let at = await this.#place(parentPath(folder.absolute));
      for (
        ;
        !at.outside && !seen.has(at.absolute) && parentPath(at.absolute) !== at.absolute;
        at = await this.#place(parentPath(at.absolute))
      ) {
        seen.add(at.absolute);
        patterns.push(...(await this.#broughtBack(at, await this.#list(at))));
      }
      // Ignore files apply up to the top of the disk; those above the workspace may be of the same repository.
      for (let above = at.absolute; at.outside && !seen.has(above); above = parentPath(above)) {
        seen.add(above);
        patterns.push(...(await this.#broughtBackOutside(above)));
      }
    }
    return patterns;
  }

  /** Returns what the ignore files of a folder above the workspace bring back. */
  async #broughtBackOutside(folder: string): Promise<readonly string[]> {
    this.#count(PLACE_COST);
    const texts = await Promise.all(
      [...IGNORE_FILES].map((name) =>
        textOf(this.#files, joinPath(folder, name)).catch((error: unknown) =>
          error instanceof ToolError && error.type === "outside_workspace" ? undefined : `!${ANY_NAME}`,
        ),
      ),
    );
    const hasGit = (await kindOf(this.#files, joinPath(folder, ".git")).catch(() => undefined)) !== undefined;
    return [
      ...texts.flatMap((text) => (text === undefined ? [] : broughtBack(text))),
      ...(hasGit ? await this.#broughtBackByGit(folder) : []),
    ];
  }

  /**
   * Locates a folder's entry, following a link.
   * @throws ToolError if its name is not valid UTF-8: the listed name differs, and cannot be used to open it
   */
  async #entry(folder: ReachedFile, name: string, link: boolean): Promise<ReachedFile> {
    if (name.includes("\uFFFD")) {
      throw new ToolError("invalid_input", name);
    }
    return link ? this.#place(joinPath(folder.absolute, name)) : below(folder, name);
  }

  /** Returns a folder's entries; empty if there is no such folder. */
  #list({ absolute }: ReachedFile): Promise<readonly FolderEntry[]> {
    let listing = this.#listings.get(absolute);
    if (listing === undefined) {
      listing = this.#lastListing.then(() => this.#listNow(absolute));
      this.#lastListing = listing.catch(() => undefined);
      this.#listings.set(absolute, listing);
    }
    return listing;
  }

  async #listNow(absolute: string): Promise<readonly FolderEntry[]> {
    this.#count(0);
    try {
      const entries = await this.#files.list(await this.#files.resolve(absolute));
      this.#count(entries.length);
      return entries;
    } catch (error) {
      if (error instanceof ToolError) {
        return [];
      }
      throw error;
    }
  }

  #count(entries: number): void {
    this.#entries += entries;
    if (this.#entries > MAX_ENTRIES) {
      throw new TooMany();
    }
  }

  /** Locates an absolute path, following links. */
  async #place(absolute: string): Promise<ReachedFile> {
    this.#count(PLACE_COST * Math.ceil(absolute.split("/").length / NAMES_AT_COST));
    const at = await this.#resolve(absolute);
    return at === undefined
      ? unknownPlace(normalisePath(absolute))
      : { path: at.path, realPath: at.realPath, absolute: at.absolute, outside: at.outside === true };
  }

  async #resolve(absolute: string): Promise<GatedPath | undefined> {
    try {
      return await this.#files.resolve(absolute);
    } catch (error) {
      if (!(error instanceof ToolError) || error.type !== "outside_workspace") {
        throw error;
      }
    }
    return this.#files.outside?.(absolute).catch(() => undefined);
  }
}

function readsBelow({ path }: ReachedFile): string {
  return `it reads all files below, including \`${path}\``;
}

/** Returns a listing of everything at a listed place. */
function anyOf({ bare, byGit, from, quoted, parting, colons }: Listed): Listed {
  return {
    ...(from === undefined ? {} : { from }),
    ...(quoted === true ? { quoted } : {}),
    ...(bare === true ? { bare } : {}),
    ...(byGit === true ? { byGit } : {}),
    ...(parting === undefined ? {} : { parting }),
    ...(colons === true ? { colons } : {}),
  };
}

/** Returns the listing without its excluded paths: if the place is a pattern, the printed paths are unknown. */
function withoutPaths({ except = [], ...listed }: Listed): Listed {
  return { ...listed, except: except.filter(({ of }) => of !== "path") };
}

function tooMany(path: string): string {
  return `\`${path}\` is, or matches, more files than are checked`;
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/");
}

function unknownPlace(path: string): ReachedFile {
  return { path, realPath: path, absolute: path, outside: true };
}

function below({ path, realPath, absolute }: ReachedFile, name: string): ReachedFile {
  return {
    path: inFolder(path, name),
    realPath: inFolder(realPath, name),
    absolute: joinPath(absolute, name),
    outside: false,
  };
}

function inFolder(folder: string, name: string): string {
  return folder === "." ? name : joinPath(folder, name);
}

/**
 * Whether a pattern may match a name. `?` counts as any characters, and so does everything from a bracket or an escaped
 * character on: bash's rules are long.
 */
function nameMatcher(pattern: string): (name: string) => boolean {
  const [plain = "", ...rest] = pattern.split(/[[\\]/);
  const parts = `${plain}${rest.length > 0 ? "*" : ""}`.replaceAll("?", "*").split("*");
  const dots = pattern.startsWith(".") || pattern.startsWith("[");
  return (name) => (dots || !name.startsWith(".")) && matchesParts(parts, name);
}
