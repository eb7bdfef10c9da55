import type { GatedPath } from "./files.js";

export interface SearchRequest {
  pattern: string;
  /** Folder or file to search. */
  at: GatedPath;
  literal: boolean;
  /** The regex engine. By default ripgrep's own; if that one rejects the pattern, other readings of it are tried. */
  engine?: "pcre2";
  ignoreCase: boolean;
  multiline: boolean;
  /** Lines shown around a match: as many on both sides, or on each. */
  context: number | { before: number; after: number };
  /** Globs of files to search; all when empty. */
  include: readonly string[];
  /** Globs of files to skip. */
  exclude: readonly string[];
  /** Whether to search files ignored by .gitignore or a similar file, too. */
  includeIgnored: boolean;
  /** Milliseconds after which the search returns what it has, as `partial`. */
  timeLimit: number;
  /**
   * Files that may hold secrets (core/paths/protectedFiles.ts) but that the caller may read, listed under every path
   * they have in the workspace. Others are skipped and never affect the result.
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
  /**
   * Set if the line is too long to hold: the text only says so, and the column counts bytes. `bytes` if these are not
   * UTF-8.
   */
  leftOut?: "text" | "bytes";
}

export interface FileMatches {
  /** Relative to the workspace. */
  path: string;
  /** Number of lines on which a match begins, however many of them are in `lines`. */
  matchCount: number;
  /** Number of matches: several may begin on one line. */
  occurrences: number;
  /** Matching and context lines in order. */
  lines: SearchLine[];
  /** Whether the searched text is the editor's, not the one on disk. */
  unsaved: boolean;
}

export interface SearchResult {
  /** Sorted by path. */
  files: FileMatches[];
  /**
   * Why matches may be missing, if so: time ran out, there are more matches than can be held, or the search took too
   * much memory.
   */
  partial: "time" | "size" | "memory" | undefined;
  /** Files and folders that could not be read, one line each. */
  problems: string[];
  /** Set if PCRE2 matched it: why the default engine rejected the pattern. */
  pcre2?: string;
  /** Set if brackets were taken as text, because they can be nothing else: the pattern with these escaped. */
  asText?: string;
}

export interface FindRequest {
  /** Glob relative to `at`; without a `/` it matches names at any depth. */
  pattern: string;
  /** Folder to search. For a file, only that file, by its name. */
  at: GatedPath;
  /** Whether to find files ignored by .gitignore or a similar file, too. */
  includeIgnored: boolean;
  /** Milliseconds after which the search returns what it has. */
  timeLimit: number;
}

export interface FindResult {
  /** Paths of the files, relative to the workspace, sorted. Open one with `resolveFrom` (core/paths/resolveFrom.ts). */
  paths: string[];
  /** Whether time ran out. */
  partial: boolean;
  /** Number of ignored files that match, counted only if nothing else matched. */
  ignored: number;
  /** Files and folders that could not be read, one line each. */
  problems: string[];
}

/**
 * Finds text in files, including unsaved text in the editor.
 *
 * Throws `ToolError`: `invalid_input` for an invalid regex or glob, `not_found`, `unavailable` if the host cannot
 * search there.
 */
export interface Search {
  /** Finds files by name; never enters `.git`. Throws the same errors as `search`. */
  find(request: FindRequest, signal: AbortSignal): Promise<FindResult>;
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchResult>;
}
