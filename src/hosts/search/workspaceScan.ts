import { ToolError } from "../../core/errors.js";
import { globMatcher } from "../../core/paths/globMatcher.js";
import { addIgnoreRules, belowRoot, IgnoreRules, loadIgnoreRules } from "../../core/paths/ignoreRules.js";
import { baseName, joinPath } from "../../core/paths/pathShape.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import { maySearch } from "../../core/paths/secretWall.js";
import type { DirectoryEntry, Files, GatedPath } from "../../ports/files.js";
import type { FileMatches, FindRequest, FindResult, Search, SearchRequest, SearchResult } from "../../ports/search.js";
import { compareCodeUnits } from "../../text/nearest.js";
import { noFileFits } from "../../core/paths/noFileFits.js";
import type { Ripgrep } from "../ripgrep/ripgrep.js";
import { checkArguments } from "../ripgrep/arguments.js";
import { withEngines } from "../ripgrep/engines.js";
import { MAX_HELD, searchText, type Room } from "../ripgrep/text.js";
import { IGNORED_LIMIT, IGNORED_UNKNOWN } from "../ripgrep/find.js";
import { CONTEXT_FOLDER } from "../../names/stateFolder.js";

/** Files read and searched in parallel: enough to hide a slow file system, and each is held whole. */
const SIDE_BY_SIDE = 8;
/** Maximum code units of a searched text: a longer one would be held whole, several times over. */
const MAX_TEXT = 20_000_000;
/** Maximum paths held by one search for names. */
const MAX_FOUND = 500_000;
/** Maximum depth of folders: a deeper tree is a file system that contains itself. */
const MAX_DEPTH = 100;
/** Maximum problems reported: the rest are more of the same. */
const MAX_PROBLEMS = 5;

export interface WorkspaceScanHost {
  files: Files;
  /** Searches texts; not needed for finding files. */
  run: Ripgrep;
}

/**
 * Searches folders that ripgrep cannot open, on whatever file system VS Code has: it walks them through `files`, in
 * order of names, and passes each text to ripgrep's standard input. (`workspace.findFiles` never returns there.) What
 * is ignored, and how matches read, is the same as on disk.
 */
export class WorkspaceScan implements Search {
  readonly #host: WorkspaceScanHost;

  constructor(host: WorkspaceScanHost) {
    this.#host = host;
  }

  search(request: SearchRequest, signal: AbortSignal): Promise<SearchResult> {
    return withEngines(request, (asked) => this.#search(asked, signal));
  }

  async #search(request: SearchRequest, signal: AbortSignal): Promise<SearchResult> {
    checkArguments(request);
    // A bad pattern must be reported even if there is nothing to search.
    await searchText(this.#host.run, request, "", "", signal, { left: MAX_HELD });
    const deadline = AbortSignal.timeout(request.timeLimit);
    const found = await this.#searchAll(request, AbortSignal.any([signal, deadline]));
    signal.throwIfAborted();
    const files = found.files.sort((a, b) => compareCodeUnits(a.path, b.path));
    if (found.searched === 0 && request.include.length > 0 && !deadline.aborted) {
      found.problems.push(noFileFits(request.include));
    }
    return {
      files,
      partial: found.room.full ?? (deadline.aborted ? "time" : undefined),
      problems: shortened(found.problems),
    };
  }

  async find(request: FindRequest, signal: AbortSignal): Promise<FindResult> {
    const deadline = AbortSignal.timeout(request.timeLimit);
    const { paths, problems, full } = await this.#findAll(request, AbortSignal.any([signal, deadline]));
    signal.throwIfAborted();
    const none = paths.length === 0 && !request.includeIgnored && !deadline.aborted;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(IGNORED_LIMIT)]);
    const ignored = none ? (await this.#findAll({ ...request, includeIgnored: true }, limit)).paths.length : 0;
    signal.throwIfAborted();
    const unknown = none && limit.aborted ? [IGNORED_UNKNOWN] : [];
    return {
      paths: paths.sort(compareCodeUnits),
      partial: full || deadline.aborted,
      ignored,
      problems: [...shortened(problems), ...unknown],
    };
  }

  async #findAll(
    request: FindRequest,
    signal: AbortSignal,
  ): Promise<{ paths: string[]; problems: string[]; full: boolean }> {
    const matches = globMatcher(request.pattern);
    const paths: string[] = [];
    const problems: string[] = [];
    for await (const { path, name } of this.#walk(request.at, request.includeIgnored, () => false, problems, signal)) {
      if (paths.length >= MAX_FOUND) {
        return { paths, problems, full: true };
      }
      if (matches(name || baseName(path))) {
        paths.push(path);
      }
    }
    return { paths, problems, full: false };
  }

  async #searchAll(request: SearchRequest, signal: AbortSignal): Promise<Found> {
    const found: Found = { files: [], problems: [], room: { left: MAX_HELD }, searched: 0 };
    const included = anyOf(request.include, true);
    const excluded = anyOf(request.exclude, false);
    const running = new Set<Promise<void>>();
    for await (const file of this.#walk(request.at, request.includeIgnored, excluded, found.problems, signal)) {
      const isAsked = file.name === "";
      if (found.room.full !== undefined) {
        break;
      }
      if (!isAsked && (!included(file.name) || excluded(file.name))) {
        continue;
      }
      const work = this.#searchFile(request, file.path, found, isAsked, signal).finally(() => running.delete(work));
      running.add(work);
      if (running.size >= SIDE_BY_SIDE) {
        await Promise.race(running);
      }
    }
    await Promise.all(running);
    return found;
  }

  async #searchFile(
    request: SearchRequest,
    path: string,
    found: Found,
    isAsked: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { files, run } = this.#host;
    try {
      const at = await resolveFrom(files, request.at, path);
      if (!maySearch(request, at.path) || !maySearch(request, at.realPath)) {
        return;
      }
      const text = await this.#text(at, signal);
      found.searched++;
      if (mayMatch(request, text)) {
        const matches = await searchText(run, request, at.path, text, signal, found.room);
        if (matches !== undefined) {
          found.files.push({ ...matches, unsaved: (await files.stat(at)).unsaved });
        }
      }
    } catch (error) {
      if (!(error instanceof ToolError) || error.type === "invalid_input") {
        if (!signal.aborted) {
          throw error;
        }
      } else if (error.type !== "binary" || isAsked) {
        found.problems.push(`Not searched: ${error.message}`);
      }
    }
  }

  async #text(at: GatedPath, signal: AbortSignal): Promise<string> {
    const chunks: string[] = [];
    let length = 0;
    for await (const chunk of this.#host.files.readChunks(at, signal)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_TEXT) {
        throw new ToolError("too_large", `${at.path} has more than ${MAX_TEXT} characters.`);
      }
    }
    return chunks.join("");
  }

  /**
   * Yields the files below a path in order of their names, or the file itself without a name; the signal ends it early.
   */
  async *#walk(
    start: GatedPath,
    includeIgnored: boolean,
    leavesOut: (name: string) => boolean,
    problems: string[],
    signal: AbortSignal,
  ): AsyncGenerator<{ path: string; name: string }> {
    const { files } = this.#host;
    if ((await files.stat(start)).kind !== "directory") {
      yield { path: start.path, name: "" };
      return;
    }
    // Folders still to be opened, the next one last.
    const folders: Folder[] = [{ path: start.path, name: ".", rules: undefined, depth: 0 }];
    for (let folder = folders.pop(); folder !== undefined && !signal.aborted; folder = folders.pop()) {
      const opened = await this.#open(start, folder, includeIgnored, problems);
      const below: Folder[] = [];
      for (const { entry, rules, at } of opened) {
        const name = folder.name === "." ? entry.name : joinPath(folder.name, entry.name);
        const path = folder.path === "." ? entry.name : joinPath(folder.path, entry.name);
        if (
          rules.ignores(at === "." ? entry.name : joinPath(at, entry.name), entry.kind === "directory") ||
          isOurs(path)
        ) {
          continue;
        }
        if (entry.kind === "file") {
          yield { path, name };
        } else if (entry.kind === "directory" && folder.depth < MAX_DEPTH && !leavesOut(name)) {
          below.push({ path, name, rules, depth: folder.depth + 1 });
        }
      }
      folders.push(...below.reverse());
    }
  }

  /** Lists a folder's entries with the rules that apply to them. Links are not followed, as in ripgrep. */
  async #open(
    start: GatedPath,
    folder: Folder,
    includeIgnored: boolean,
    problems: string[],
  ): Promise<{ entry: DirectoryEntry; rules: IgnoreRules; at: string }[]> {
    const { files } = this.#host;
    try {
      const at = folder.name === "." ? start : await resolveFrom(files, start, folder.path);
      const entries = (await files.list(at)).filter(
        ({ name, link }) => !link && name !== "." && name !== ".." && !name.includes("/"),
      );
      const rules = includeIgnored
        ? IgnoreRules.none
        : folder.rules === undefined
          ? // A folder that was requested by its name is searched, even if a rule ignores all of it.
            (await loadIgnoreRules(files, at, entries)).asNamed()
          : await addIgnoreRules(folder.rules, files, at, entries);
      const below = belowRoot(at);
      return entries.map((entry) => ({ entry, rules, at: below }));
    } catch (error) {
      if (error instanceof ToolError && folder.name !== ".") {
        problems.push(`Not searched: ${error.message}`);
        return [];
      }
      throw error;
    }
  }
}

interface Folder {
  /** Its path in the workspace. */
  path: string;
  /** Its path below the start of the search. */
  name: string;
  /** The rules of its parent folder. */
  rules: IgnoreRules | undefined;
  depth: number;
}

interface Found {
  files: FileMatches[];
  problems: string[];
  room: Room;
  /** Number of files searched. */
  searched: number;
}

/** Whether a path is in the context store, whose files are not source code. */
function isOurs(path: string): boolean {
  return `/${path}`.endsWith(`/${CONTEXT_FOLDER}`);
}

/** Whether a text may match. Searches for a plain pattern without ripgrep, so that most files do not need a process. */
function mayMatch({ literal, ignoreCase, pattern }: SearchRequest, text: string): boolean {
  return !literal || ignoreCase || /[\r\n]/.test(pattern) || text.includes(pattern);
}

function anyOf(globs: readonly string[], none: boolean): (name: string) => boolean {
  const matchers = globs.map((glob) => globMatcher(glob));
  return (name) => (matchers.length === 0 ? none : matchers.some((matches) => matches(name)));
}

function shortened(problems: readonly string[]): string[] {
  const rest = problems.length - MAX_PROBLEMS;
  return [...problems.slice(0, MAX_PROBLEMS), ...(rest > 0 ? [`and ${rest} more not searched`] : [])];
}
