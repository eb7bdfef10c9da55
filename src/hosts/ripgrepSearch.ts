import { ToolError } from "../core/errors.js";
import { baseName, joinPath, parentPath } from "../core/pathShape.js";
import { globMatcher } from "../core/globMatcher.js";
import { belowRoot, IgnoreRules, loadIgnoreRules } from "../core/ignoreRules.js";
import { secretGlobs } from "../core/protectedFiles.js";
import type { FileMatches, FindRequest, FindResult, Search, SearchRequest, SearchResult } from "../ports/search.js";
import type { FileKind, Files, GatedPath, Root } from "../ports/files.js";
import { compareCodeUnits } from "../text/nearest.js";
import { noFileFits } from "./noFileFits.js";
import { badRequest, type Ripgrep } from "./ripgrep.js";
import { anyCase, bringsBackIgnored, checkArguments, fileFlags, matchFlags, namesIn } from "./ripgrepArguments.js";
import { MatchCollector } from "./ripgrepEvents.js";
import { endsLogLine, IgnoredEntries, isKnownLog, isTorn } from "./ripgrepLog.js";
import { admits, ANYWHERE, isAmong, isBelow, isLeftIn, nameBelow, plainName, type RuleScope, type Target } from "./ripgrepTarget.js";

/** Lines held of one search: some 50 MB. A search with more is told to be narrowed. */
const MAX_HELD = 100_000;
/** Paths held of one search for names: some 100 MB. */
const MAX_FOUND = 500_000;
/** Milliseconds spent on telling that there would be matches in ignored files. */
const IGNORED_LIMIT = 3_000;
/** Problems told: the rest are more of the same. */
const MAX_PROBLEMS = 5;

/** A document whose text in the editor is not what lies on disk. */
export interface UnsavedText {
  /** Relative to the workspace. */
  path: string;
  /** Host's absolute path, links followed. */
  absolute: string;
  text: string;
}

/** What the search needs of its host. */
export interface RipgrepSearchHost {
  run: Ripgrep;
  roots(): readonly Root[];
  resolve(path: string): Promise<GatedPath>;
  kindOf(at: GatedPath): Promise<FileKind>;
  /** Documents of the editor with unsaved text; none on the command line. */
  unsaved(): Promise<readonly UnsavedText[]>;
  /** Where rules of .gitignore come from for a folder below a root; both are absolute, links followed. */
  ruleScope?(folder: string, root: string): Promise<RuleScope>;
  /** Reads the rules between a root and a folder where ripgrep must not. */
  files?: Files;
}

/** Search by ripgrep, with the editor's unsaved texts searched by the same engine in place of their files. */
export class RipgrepSearch implements Search {
  readonly #host: RipgrepSearchHost;
  /** Whether ripgrep's log can be read. */
  #hasKnownLog = false;
  #asked: Promise<void> | undefined;
  /** Folders whose log was too long to wait for. */
  readonly #longLogs = new Set<string>();

  constructor(host: RipgrepSearchHost) {
    this.#host = host;
  }

  async search(request: SearchRequest, signal: AbortSignal): Promise<SearchResult> {
    checkArguments(request);
    const targets = await this.#targets(request.at);
    const unsaved = (await this.#host.unsaved()).filter((document) => isBelow(document.absolute, targets));
    const deadline = AbortSignal.timeout(request.timeLimit);
    const found = await this.#searchAll(request, targets, unsaved, AbortSignal.any([signal, deadline]));
    signal.throwIfAborted();
    const files = [...found.files.values()].sort((a, b) => compareCodeUnits(a.path, b.path));
    const none = files.length === 0 && !deadline.aborted;
    const { withheld, ignoredMatches } = none ? await this.#countUnsearched(request, targets, found.ignored, unsaved, signal) : { withheld: 0, ignoredMatches: 0 };
    if (found.searched === 0 && request.include.length > 0 && ignoredMatches === 0 && !deadline.aborted) {
      found.problems.push(noFileFits(request.include));
    }
    return {
      files,
      partial: found.full ? "size" : deadline.aborted ? "time" : undefined,
      withheld,
      ignoredMatches,
      problems: found.problems,
    };
  }

  async find(request: FindRequest, signal: AbortSignal): Promise<FindResult> {
    const targets = await this.#targets(request.at);
    const deadline = AbortSignal.timeout(request.timeLimit);
    const { full, ...found } = await this.#findAll(request, targets, AbortSignal.any([signal, deadline]));
    signal.throwIfAborted();
    const ignored = found.paths.length === 0 && !request.includeIgnored && !deadline.aborted ? await this.#countIgnoredFiles(request, targets, signal) : 0;
    return { ...found, partial: full || deadline.aborted, ignored };
  }

  async #findAll(request: FindRequest, targets: readonly Target[], signal: AbortSignal): Promise<FoundFiles> {
    // Not ripgrep's --glob, which would bring back what .gitignore leaves out.
    const matches = globMatcher(request.pattern);
    const include = namesIn(request.pattern);
    const paths: string[] = [];
    const problems: string[] = [];
    const full = new AbortController();
    for (const target of targets) {
      if (signal.aborted || full.signal.aborted) {
        break;
      }
      const { exitCode, errors } = await this.#listFiles({ include, exclude: [], includeIgnored: request.includeIgnored }, target, AbortSignal.any([signal, full.signal]), (name) => {
        const path = nameBelow(target, name);
        // With several folders, paths begin with one: a glob may, too.
        if (matches(name) || (request.at.root === undefined && matches(path))) {
          paths.push(path);
        }
        if (paths.length >= MAX_FOUND) {
          full.abort();
        }
      });
      if (exitCode === 2) {
        problems.push(...describeProblems(errors, target.prefix));
      }
    }
    return { paths: paths.sort(compareCodeUnits), problems, full: full.signal.aborted };
  }

  async #countIgnoredFiles(request: FindRequest, targets: readonly Target[], signal: AbortSignal): Promise<number> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(IGNORED_LIMIT)]);
    const { paths } = await this.#findAll({ ...request, includeIgnored: true }, targets, limit);
    signal.throwIfAborted();
    return paths.length;
  }

  async #searchAll(request: SearchRequest, targets: readonly Target[], unsaved: readonly UnsavedText[], signal: AbortSignal): Promise<Found> {
    const found: Found = { files: new Map(), problems: [], full: false, searched: 0, ignored: new Map(), cutShort: false };
    for (const target of targets) {
      if (signal.aborted || found.full) {
        break;
      }
      await this.#searchDisk(request, target, found, signal);
      const texts = unsaved.filter((document) => isBelow(document.absolute, [target]));
      for (const document of await this.#searched(request, target, texts, signal)) {
        const name = document.absolute.slice(joinPath(target.cwd, "x").length - 1);
        found.files.delete(nameBelow(target, name));
        if (admits(request, target, name)) {
          await this.#searchText(request, document, nameBelow(target, name), found, signal);
        }
      }
    }
    return found;
  }

  /** @param isLogged whether ripgrep tells what rules leave out */
  async #searchDisk(request: SearchRequest, target: Target, found: Found, signal: AbortSignal, isLogged = this.#isLogged(request, target)): Promise<void> {
    const matches = new MatchCollector();
    const ignored = new IgnoredEntries(target);
    const full = new AbortController();
    const long = new AbortController();
    const onLog = (line: string): void => {
      ignored.take(line);
      if (ignored.isLong) {
        long.abort();
      }
    };
    const { exitCode, errors } = await this.#host.run({
      args: [
        ...matchFlags(request),
        ...fileFlags(request, target.cwd, target.scope),
        // A few files given by name would be mapped into memory, and then looked through for a NUL in another way.
        ...(target.isFile ? [] : ["--no-mmap"]),
        ...(isLogged ? ["--debug"] : []),
        "--",
        ...target.operands,
      ],
      cwd: target.cwd,
      ...(isLogged ? { onLog } : {}),
      signal: AbortSignal.any([signal, full.signal, long.signal]),
      onLine: (line) => {
        matches.take(line);
        if (matches.held > MAX_HELD) {
          full.abort();
        }
      },
    });
    if (long.signal.aborted) {
      this.#longLogs.add(target.cwd);
    }
    if (!signal.aborted && (long.signal.aborted || (exitCode === 2 && isLogged && isTorn(errors)))) {
      return this.#searchDisk(request, target, found, signal, false);
    }
    if (isLogged && exitCode !== undefined && ignored.names !== undefined) {
      found.ignored.set(target, ignored.names);
    }
    found.cutShort ||= matches.cutShort.length > 0;
    found.full ||= full.signal.aborted;
    found.searched += matches.searched;
    const files = [...matches.files.values()];
    const covered = files.length > 0 && !target.isFile && bringsBackIgnored(request) ? await this.#list({ ...request, include: [] }, target, signal) : undefined;
    for (const file of files) {
      const name = plainName(file.path, target);
      const path = nameBelow(target, name);
      // Dropped here, so that nothing told later depends on what stands in such a file.
      if (admits(request, target, name) && isLeftIn(request, target, name) && (covered === undefined || covered.has(joinPath(target.cwd, name)))) {
        found.files.set(path, { ...file, path });
      }
    }
    found.problems.push(...describeBinary(matches, request, target));
    if (exitCode === 2) {
      const bad = badRequest(errors);
      if (bad !== undefined) {
        throw bad;
      }
      found.problems.push(...describeProblems(errors, target.prefix));
    }
  }

  #isLogged(request: SearchRequest, target: Target): boolean {
    return this.#hasKnownLog && tellsIgnored(request, target) && !this.#longLogs.has(target.cwd);
  }

  async #searchText(request: SearchRequest, document: UnsavedText, path: string, found: Found, signal: AbortSignal): Promise<void> {
    const matches = new MatchCollector();
    const { exitCode, errors } = await this.#host.run({
      args: [...matchFlags(request), "--", "-"],
      // The folder a text is searched in has no effect, but it must exist.
      cwd: document.absolute === "" ? "/" : parentPath(document.absolute),
      input: document.text,
      signal,
      onLine: (line) => matches.take(line),
    });
    const bad = exitCode === 2 ? badRequest(errors) : undefined;
    if (bad !== undefined) {
      throw bad;
    }
    for (const file of matches.files.values()) {
      found.files.set(path, { ...file, path, unsaved: true });
    }
  }

  /** The unsaved documents that this search would have searched on disk: not those that its globs or .gitignore leave out. */
  async #searched(request: SearchRequest, target: Target, texts: readonly UnsavedText[], signal: AbortSignal): Promise<readonly UnsavedText[]> {
    if (texts.length === 0 || target.isFile) {
      return texts;
    }
    const listed = await this.#list(request, target, signal);
    const covered = bringsBackIgnored(request) ? await this.#list({ ...request, include: [] }, target, signal) : listed;
    return texts.filter(({ absolute }) => listed.has(absolute) && covered.has(absolute));
  }

  /** Absolute paths of the files that a search of a folder covers. */
  async #list(request: SearchRequest, target: Target, signal: AbortSignal): Promise<Set<string>> {
    const listed = new Set<string>();
    await this.#listFiles(request, target, signal, (name) => listed.add(joinPath(target.cwd, name)));
    return listed;
  }

  /** Lists the files a search would cover, by their names below the folder. */
  #listFiles(
    request: Pick<SearchRequest, "include" | "exclude" | "includeIgnored">,
    target: Target,
    signal: AbortSignal,
    onName: (name: string) => void,
  ): ReturnType<Ripgrep> {
    return this.#host.run({
      args: ["--no-config", "--files", "--null", ...fileFlags(request, target.cwd, target.scope), "--", ...target.operands],
      cwd: target.cwd,
      signal,
      lineEnd: "\0",
      onLine: (line) => {
        const name = plainName(line, target);
        if (isLeftIn(request, target, name)) {
          onName(name);
        }
      },
    });
  }

  /**
   * When nothing matched: what was not searched, so that «no match» is not mistaken for «not there».
   *
   * @param ignored for each folder whose log told it, what rules leave out
   */
  async #countUnsearched(
    request: SearchRequest,
    targets: readonly Target[],
    ignored: Found["ignored"],
    unsaved: readonly UnsavedText[],
    signal: AbortSignal,
  ): Promise<Pick<SearchResult, "withheld" | "ignoredMatches">> {
    // A file that is named is searched whatever leaves it out.
    const folders = targets.filter(({ isFile }) => !isFile);
    // Ahead of the listing, which keeps every core busy: beside it these looks and the search after them took twice as long.
    const parts = request.includeIgnored ? [] : await Promise.all(folders.map((folder) => this.#ignoredPart(folder, ignored.get(folder))));
    const [ignoredMatches, withheld] = await Promise.all([
      this.#countIgnored(request, folders, parts, unsaved, signal),
      this.#countWithheld(request, folders, ignored, signal),
      this.#askVersion(request, targets),
    ]);
    return { withheld, ignoredMatches };
  }

  /**
   * How many more lines would match with ignored files.
   *
   * @param parts what is to be searched for them of the folders
   */
  async #countIgnored(
    request: SearchRequest,
    folders: readonly Target[],
    parts: readonly Target[],
    unsaved: readonly UnsavedText[],
    signal: AbortSignal,
  ): Promise<number> {
    const all = { ...request, includeIgnored: true, context: 0 };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(IGNORED_LIMIT)]);
    let found = await this.#searchAll(all, parts.filter(({ operands }) => operands.length > 0), unsaved, limit);
    // A file that is named is searched past a NUL, too, where a search of its folder ends.
    if (found.cutShort && parts.some((part) => !folders.includes(part))) {
      found = await this.#searchAll(all, folders, unsaved, limit);
    }
    signal.throwIfAborted();
    return [...found.files.values()].reduce((sum, file) => sum + file.matchCount, 0);
  }

  /** What is to be searched of a folder for matches that rules leave out: all of it where they are not known for sure. */
  async #ignoredPart(folder: Target, names: readonly string[] | undefined): Promise<Target> {
    if (names === undefined) {
      return folder;
    }
    const parents = [...new Set(names.map(parentPath))];
    const entries = new Map(await Promise.all(parents.map(async (parent) => [parent, await this.#plainEntries(folder, parent)] as const)));
    const areKnown = names.every((name) => entries.get(parentPath(name))?.has(baseName(name)));
    return areKnown ? { ...folder, operands: names.map((name) => `./${name}`) } : folder;
  }

  /**
   * Files and folders in a folder below the one that is searched. Further down ripgrep follows no link and passes pipes
   * over; but a link that it is given it follows, and at a pipe it waits.
   */
  async #plainEntries(folder: Target, below: string): Promise<ReadonlySet<string>> {
    try {
      const at = await this.#host.resolve(nameBelow(folder, below));
      const entries = (at.absolute === joinPath(folder.cwd, below) && (await this.#host.files?.list(at))) || [];
      return new Set(entries.some(({ name }) => endsLogLine(name)) ? [] : entries.filter(({ kind, link }) => !link && kind !== "other").map(({ name }) => name));
    } catch {
      return new Set();
    }
  }

  /** Learns for the searches to come whether ripgrep's log can be read. */
  async #askVersion(request: SearchRequest, targets: readonly Target[]): Promise<void> {
    if (!targets.some((target) => tellsIgnored(request, target))) {
      return;
    }
    this.#asked ??= this.#host
      // Without effect on the answer, but it must exist.
      .run({ args: ["--version"], cwd: "/", signal: AbortSignal.timeout(IGNORED_LIMIT), onLine: (line) => (this.#hasKnownLog ||= isKnownLog(line)) })
      .then(() => undefined, () => undefined);
    return this.#asked;
  }

  /** Files that were not searched because `admits` refuses them. Whether the pattern stands in one has no part in it. */
  async #countWithheld(request: SearchRequest, folders: readonly Target[], ignored: Found["ignored"], signal: AbortSignal): Promise<number> {
    let count = 0;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(IGNORED_LIMIT)]);
    for (const folder of folders) {
      if (limit.aborted) {
        break;
      }
      count += await this.#countRefused(request, folder, ignored.get(folder), limit);
    }
    signal.throwIfAborted();
    return count;
  }

  /**
   * Of a folder, listing only what may be secret: `admits` refuses nothing else. To print all names and look at each takes
   * longer than the walk.
   *
   * @param ignored what rules leave out, where it is known
   */
  async #countRefused(request: SearchRequest, target: Target, ignored: readonly string[] | undefined, signal: AbortSignal): Promise<number> {
    const count = async (include: readonly string[], leftOut: readonly string[]): Promise<number> => {
      let refused = 0;
      await this.#listFiles({ ...request, include }, target, signal, (name) => {
        refused += admits(request, target, name) || isAmong(name, leftOut) ? 0 : 1;
      });
      return refused;
    };
    const globs = request.include.length === 0 ? secretGlobs([target.prefix, target.realPrefix]) : undefined;
    if (globs === undefined) {
      return count(request.include, []);
    }
    // Such globs bring back what rules leave out.
    const leftOut = request.includeIgnored ? [] : ignored;
    const refused = await count(globs.map(anyCase), leftOut ?? []);
    return refused === 0 || leftOut !== undefined || signal.aborted ? refused : count([], []);
  }

  async #targets(at: GatedPath): Promise<Target[]> {
    if (at.root === undefined) {
      const folders = await Promise.all(this.#host.roots().filter(({ beside }) => !beside).map(({ name }) => this.#host.resolve(name)));
      return (await Promise.all(folders.map((folder) => this.#targets(folder)))).flat();
    }
    if (at.root.scheme !== "file") {
      throw new ToolError("unavailable", `${at.path}: text search works on local folders only, and this one is ${at.root.scheme}:.`, "Use ls and read.");
    }
    const isFile = (await this.#host.kindOf(at)) !== "directory";
    const cwd = isFile ? parentPath(at.absolute) : at.absolute;
    const scope = isFile ? ANYWHERE : await this.#scopeOf(at, at.root);
    return [
      {
        cwd,
        operands: [isFile ? `./${baseName(at.absolute)}` : "./"],
        prefix: isFile ? parentPath(at.path) : at.path,
        realPrefix: isFile ? parentPath(at.realPath) : at.realPath,
        isFile,
        scope,
        rules: scope.fromAbove && this.#host.files !== undefined ? (await loadIgnoreRules(this.#host.files, at)).asNamed() : IgnoreRules.none,
        belowRoot: belowRoot(at),
      },
    ];
  }

  async #scopeOf(folder: GatedPath, root: Root): Promise<RuleScope> {
    // Outside the workspace the folder that was let through is the root.
    const { absolute } = folder.outside ? folder : await this.#host.resolve(root.path);
    return (await this.#host.ruleScope?.(folder.absolute, absolute)) ?? ANYWHERE;
  }
}

/**
 * Whether the log of a search would tell all that rules leave out, and little else: with an include it names every file
 * that does not fit, and of rules from above ripgrep knows nothing.
 */
function tellsIgnored({ includeIgnored, include }: SearchRequest, { isFile, rules }: Target): boolean {
  return !includeIgnored && include.length === 0 && !isFile && rules === IgnoreRules.none;
}

interface FoundFiles {
  paths: string[];
  problems: string[];
  /** Stopped at more than can be held. */
  full: boolean;
}

interface Found {
  /** By path in the workspace. */
  files: Map<string, FileMatches>;
  problems: string[];
  full: boolean;
  /** Files looked into. */
  searched: number;
  /** What rules leave out of each folder, by its names below it; for those folders alone of which it is known. */
  ignored: Map<Target, readonly string[]>;
  /** A file was not searched to its end, for a NUL in it. */
  cutShort: boolean;
}

function describeBinary(matches: MatchCollector, request: SearchRequest, target: Target): string[] {
  const name = (path: string): string => nameBelow(target, plainName(path, target));
  return target.isFile
    ? matches.binary.map((path) => `Not searched: ${name(path)}: is a binary file, not text.`)
    : matches.cutShort.filter((path) => admits(request, target, plainName(path, target))).slice(0, MAX_PROBLEMS).map((path) => `Searched in part: ${name(path)}: holds NUL characters. Search it by its own path.`);
}

function describeProblems(errors: string, prefix: string): string[] {
  const lines = errors
    .split("\n")
    .map((line) => line.replace(/^rg: /, "").replace(/^\.\//, prefix === "." ? "" : `${prefix}/`).trim())
    .filter((line) => line !== "");
  const rest = lines.length - MAX_PROBLEMS;
  return [...lines.slice(0, MAX_PROBLEMS).map((line) => `Not searched: ${line}`), ...(rest > 0 ? [`and ${rest} more not searched`] : [])];
}
