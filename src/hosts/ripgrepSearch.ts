import { ToolError } from "../core/errors.js";
import { baseName, joinPath, parentPath } from "../core/pathShape.js";
import { globMatcher } from "../core/globMatcher.js";
import { belowRoot, IgnoreRules, loadIgnoreRules } from "../core/ignoreRules.js";
import type { FileMatches, FindRequest, FindResult, Search, SearchRequest, SearchResult } from "../ports/search.js";
import type { FileKind, Files, GatedPath, Root } from "../ports/files.js";
import { compareCodeUnits } from "../text/nearest.js";
import { noFileFits } from "./noFileFits.js";
import { badRequest, type Ripgrep } from "./ripgrep.js";
import { bringsBackIgnored, checkArguments, fileFlags, matchFlags, namesIn } from "./ripgrepArguments.js";
import { MatchCollector } from "./ripgrepEvents.js";
import { admits, ANYWHERE, isBelow, isLeftIn, nameBelow, plainName, type RuleScope, type Target } from "./ripgrepTarget.js";

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
    // Told only where nothing was found, and then both side by side.
    const [withheld, ignoredMatches] = none
      ? await Promise.all([this.#countWithheld(request, targets, signal), this.#countIgnored(request, targets, unsaved, signal)])
      : [0, 0];
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
    const found: Found = { files: new Map(), problems: [], full: false, searched: 0 };
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

  async #searchDisk(request: SearchRequest, target: Target, found: Found, signal: AbortSignal): Promise<void> {
    const matches = new MatchCollector();
    const full = new AbortController();
    const { exitCode, errors } = await this.#host.run({
      args: [...matchFlags(request), ...fileFlags(request, target.cwd, target.scope), "--", target.operand],
      cwd: target.cwd,
      signal: AbortSignal.any([signal, full.signal]),
      onLine: (line) => {
        matches.take(line);
        if (matches.held > MAX_HELD) {
          full.abort();
        }
      },
    });
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
      args: ["--no-config", "--files", "--null", ...fileFlags(request, target.cwd, target.scope), "--", target.operand],
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

  /** When nothing matched: how much would with ignored files, so that «no match» is not mistaken for «not there». */
  async #countIgnored(
    request: SearchRequest,
    targets: readonly Target[],
    unsaved: readonly UnsavedText[],
    signal: AbortSignal,
  ): Promise<number> {
    if (request.includeIgnored) {
      return 0;
    }
    const limit = AbortSignal.any([signal, AbortSignal.timeout(IGNORED_LIMIT)]);
    const found = await this.#searchAll({ ...request, includeIgnored: true, context: 0 }, targets, unsaved, limit);
    signal.throwIfAborted();
    return [...found.files.values()].reduce((sum, file) => sum + file.matchCount, 0);
  }

  /** Files that were not searched because `admits` refuses them. Whether the pattern stands in one has no part in it. */
  async #countWithheld(request: SearchRequest, targets: readonly Target[], signal: AbortSignal): Promise<number> {
    let count = 0;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(IGNORED_LIMIT)]);
    for (const target of targets.filter(({ isFile }) => !isFile)) {
      await this.#listFiles(request, target, limit, (name) => {
        count += admits(request, target, name) ? 0 : 1;
      });
    }
    signal.throwIfAborted();
    return count;
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
    const scope = isFile ? ANYWHERE : await this.#scopeOf(cwd, at.root);
    return [
      {
        cwd,
        operand: isFile ? `./${baseName(at.absolute)}` : "./",
        prefix: isFile ? parentPath(at.path) : at.path,
        realPrefix: isFile ? parentPath(at.realPath) : at.realPath,
        isFile,
        scope,
        rules: scope.fromAbove && this.#host.files !== undefined ? (await loadIgnoreRules(this.#host.files, at)).asNamed() : IgnoreRules.none,
        belowRoot: belowRoot(at),
      },
    ];
  }

  async #scopeOf(folder: string, root: Root): Promise<RuleScope> {
    const { absolute } = await this.#host.resolve(root.path);
    return (await this.#host.ruleScope?.(folder, absolute)) ?? ANYWHERE;
  }
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
