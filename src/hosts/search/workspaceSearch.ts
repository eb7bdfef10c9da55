import type { Files, GatedPath, Root } from "../../ports/files.js";
import type { FindRequest, FindResult, Search, SearchRequest, SearchResult } from "../../ports/search.js";
import { globMatcher } from "../../core/paths/globMatcher.js";
import { maySearch } from "../../core/paths/secretWall.js";
import { compareCodeUnits } from "../../text/nearest.js";
import { noFileFits } from "../../core/paths/noFileFits.js";
import type { Ripgrep } from "../ripgrep/ripgrep.js";
import { withEngines } from "../ripgrep/engines.js";
import { MAX_HELD, searchText, type Room } from "../ripgrep/text.js";

export interface WorkspaceSearchHost {
  files: Pick<Files, "roots" | "resolve" | "readChunks">;
  /** Folders of the local disk. */
  local: Search;
  /** All other folders. */
  scan: Search;
  run: Ripgrep;
  /** Documents that were never saved, by the paths used to read them. */
  untitled(): readonly { path: string; text: string }[];
}

/** A window's search: each folder in its own way; a search of the whole workspace includes never-saved documents. */
export class WorkspaceSearch implements Search {
  readonly #host: WorkspaceSearchHost;

  constructor(host: WorkspaceSearchHost) {
    this.#host = host;
  }

  search(request: SearchRequest, signal: AbortSignal): Promise<SearchResult> {
    return withEngines(request, (asked) => this.#search(asked, signal));
  }

  async #search(request: SearchRequest, signal: AbortSignal): Promise<SearchResult> {
    const until = Date.now() + request.timeLimit;
    const parts = await this.#parts(request.at, [...request.include, ...request.exclude]);
    const found: SearchResult = { files: [], partial: undefined, problems: [] };
    await this.#searchUntitled(request, found, signal);
    let fitting = parts.length;
    for (const at of parts) {
      const globs = globsIn(at, request);
      const part = await this.#engine(at).search(
        { ...request, ...globs, at, timeLimit: Math.max(1, until - Date.now()) },
        signal,
      );
      found.files.push(...part.files);
      found.partial ??= part.partial;
      Object.assign(
        found,
        part.pcre2 === undefined ? {} : { pcre2: part.pcre2 },
        part.asText === undefined ? {} : { asText: part.asText },
      );
      const fitsNone = noFileFits(globs.include);
      fitting -= part.problems.includes(fitsNone) ? 1 : 0;
      found.problems.push(...part.problems.filter((problem) => problem !== fitsNone));
    }
    if (parts.length > 0 && fitting === 0) {
      found.problems.push(noFileFits(request.include));
    }
    return { ...found, files: found.files.sort((a, b) => compareCodeUnits(a.path, b.path)) };
  }

  async find(request: FindRequest, signal: AbortSignal): Promise<FindResult> {
    const until = Date.now() + request.timeLimit;
    const found: FindResult = { paths: [], partial: false, ignored: 0, problems: [] };
    const matches = globMatcher(request.pattern);
    for (const at of await this.#parts(request.at, [])) {
      for (const pattern of patternsIn(at, request)) {
        const part = await this.#engine(at).find(
          { ...request, pattern, at, timeLimit: Math.max(1, until - Date.now()) },
          signal,
        );
        found.paths.push(...(pattern === request.pattern ? part.paths : part.paths.filter(matches)));
        found.partial ||= part.partial;
        found.ignored += part.ignored;
        found.problems.push(...part.problems);
      }
    }
    // If two searches covered the same folder, each reports everything in it.
    const paths = [...new Set(found.paths)].sort(compareCodeUnits);
    return { ...found, paths, ignored: paths.length === 0 ? found.ignored : 0, problems: [...new Set(found.problems)] };
  }

  /** Splits a search: the whole workspace if one engine can search all of it, otherwise each folder by itself. */
  async #parts(at: GatedPath, globs: readonly string[]): Promise<GatedPath[]> {
    if (isUntitled(at.root)) {
      return [];
    }
    const folders = this.#host.files.roots().filter(({ beside }) => !beside);
    const isOneSearch = folders.every(
      (folder) => isLocal(folder) && globs.every((glob) => behindFolder(folder.name, glob) === undefined),
    );
    if (at.root !== undefined || isOneSearch) {
      return [at];
    }
    return Promise.all(folders.map(({ name }) => this.#host.files.resolve(name)));
  }

  #engine({ root }: GatedPath): Search {
    return root === undefined || isLocal(root) ? this.#host.local : this.#host.scan;
  }

  /** Searches documents that were never saved: if requested by name, or with the whole workspace. */
  async #searchUntitled(request: SearchRequest, found: SearchResult, signal: AbortSignal): Promise<void> {
    const { at } = request;
    const isWhole = at.path === ".";
    const fits = (name: string): boolean =>
      (request.include.length === 0 || request.include.some((glob) => globMatcher(glob)(name))) &&
      !request.exclude.some((glob) => globMatcher(glob)(name));
    const texts = this.#host
      .untitled()
      .filter(
        ({ path }) => (isWhole && fits(path) && maySearch(request, path)) || (isUntitled(at.root) && path === at.path),
      );
    const room: Room = { left: MAX_HELD };
    for (const { path, text } of texts) {
      const matches =
        isWhole && text === "" ? undefined : await searchText(this.#host.run, request, path, text, signal, room);
      if (matches !== undefined) {
        found.files.push({ ...matches, unsaved: true });
      }
    }
    found.partial = room.full;
  }
}

/**
 * Returns the patterns for one of several folders: paths begin with a folder's name, so a glob for all of them may too;
 * then the rest of the glob applies in that folder.
 */
function patternsIn(at: GatedPath, { pattern, at: asked }: FindRequest): string[] {
  const rest = asked.root === undefined ? behindFolder(at.path, pattern) : undefined;
  return rest === undefined ? [pattern] : [pattern, rest];
}

/** Does the same for what a search includes and excludes. A leading ./ anchors the rest to the folder. */
function globsIn(
  at: GatedPath,
  { include, exclude, at: asked }: SearchRequest,
): Pick<SearchRequest, "include" | "exclude"> {
  const own = (glob: string): string[] => {
    const rest = asked.root === undefined && at.root !== undefined ? behindFolder(at.path, glob) : undefined;
    return rest === undefined ? [glob] : [glob, `./${rest}`];
  };
  return { include: include.flatMap(own), exclude: exclude.flatMap(own) };
}

/**
 * Returns the rest of a glob whose first segment matches a folder's name; undefined if it does not match, or is `**`.
 */
function behindFolder(folder: string, glob: string): string | undefined {
  const [, first, rest] = /^(?:\.\/)?([^/]+)\/(.*)$/.exec(glob) ?? [];
  return first !== undefined && rest !== undefined && first !== "**" && isGlobOf(first, folder)
    ? rest || "**"
    : undefined;
}

/** Whether a glob matches a name. Braces may span a /, so part of a glob may not be a valid glob. */
function isGlobOf(glob: string, name: string): boolean {
  try {
    return globMatcher(glob)(name);
  } catch {
    return false;
  }
}

function isLocal(root: Root): boolean {
  return root.scheme === "file";
}

function isUntitled(root: Root | undefined): boolean {
  return root?.scheme === "untitled";
}
