import type { GatedPath } from "./files.js";

export interface SearchRequest {
  pattern: string;
  /** Folder or file to search. */
  at: GatedPath;
  literal: boolean;
  /** The engine that matches. The default one when absent, and PCRE2 where that one refuses the pattern. */
  engine?: "pcre2";
  ignoreCase: boolean;
  multiline: boolean;
  /** Lines shown before and after a match. */
  context: number;
  /** Globs of files to search; all when empty. */
  include: readonly string[];
  /** Globs of files to leave out. */
  exclude: readonly string[];
  /** Search what .gitignore and the like leave out, too. */
  includeIgnored: boolean;
  /** Milliseconds after which the search ends with what it has, as `partial`. */
  timeLimit: number;
  /**
   * Files that may hold secrets (core/paths/protectedFiles.ts) and are searched all the same, by all their paths in the
   * workspace: the caller was permitted to read them. Every other one is left out, and nothing in the result depends on
   * what is in it.
   */
  permitted?: readonly string[];
}

/** A line of a search result. */
export interface SearchLine {
  /** 1-based. */
  line: number;
  /** 1-based column of the first match in code units; undefined for a context line. */
  column: number | undefined;
  /** The line without its ending; a window around the match when it is very long. */
  text: string;
}

export interface FileMatches {
  /** Relative to the workspace. */
  path: string;
  /** Lines that match, however many of them are in `lines`. */
  matchCount: number;
  /** Matching and context lines in order. */
  lines: SearchLine[];
  /** The text searched is the editor's, not the disk's. */
  unsaved: boolean;
}

export interface SearchResult {
  /** Sorted by path. */
  files: FileMatches[];
  /**
   * Why the result may lack matches, when it does: the time was up, there are more than can be held, or the search took
   * too much memory.
   */
  partial: "time" | "size" | "memory" | undefined;
  /** What could not be read, a line each. */
  problems: string[];
  /** It was matched by PCRE2, and why not by the default engine. */
  pcre2?: string;
}

export interface FindRequest {
  /** Glob relative to `at`; without a `/` it matches names at any depth. */
  pattern: string;
  /** Folder to look in. Of a file it is that file alone, by its name. */
  at: GatedPath;
  /** Also find what .gitignore and the like leave out. */
  includeIgnored: boolean;
  /** Milliseconds after which the search ends with what it has. */
  timeLimit: number;
}

export interface FindResult {
  /** Files, relative to the workspace, sorted. `resolveFrom` opens one (core/paths/resolveFrom.ts). */
  paths: string[];
  /** Whether the time was up before the end. */
  partial: boolean;
  /** When nothing else matched: how many files that .gitignore and the like leave out would. */
  ignored: number;
  /** What could not be read, a line each. */
  problems: string[];
}

/**
 * Finds text in files, as they are on screen where the editor holds unsaved text.
 *
 * Throws `ToolError`: `invalid_input` for a bad regex or glob, `not_found`, `unavailable` when the host cannot search
 * there.
 */
export interface Search {
  /** Finds files by name; `.git` is never looked into. Throws as `search` does. */
  find(request: FindRequest, signal: AbortSignal): Promise<FindResult>;
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchResult>;
}
