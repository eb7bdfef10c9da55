/**
 * What to search: files under `.toolhost/context/`, `.toolhost/MEMORY.md` and `.toolhost/memory/*.md`, or the workspace's
 * source files, as they are on disk.
 */
export type KnowledgeArea = "context" | "memory" | "code";

/** A passage of a file that matches a search. */
export interface KnowledgeHit {
  /**
   * The path as the area's tools write it: a logical path of the context store; for memory, relative to `.toolhost/`; for
   * code, a workspace path.
   */
  path: string;
  /** 1-based. */
  startLine: number;
  /** 1-based, inclusive. */
  endLine: number;
  /**
   * 0 to 1: how much of the query this passage covers. Terms are weighted by their rarity in the area, and a term that
   * is only close in meaning counts in proportion; so the score means the same with and without embeddings. 1 for a
   * pattern.
   */
  score: number;
  snippet: string;
  /** The line on which the snippet begins, 1-based; undefined for a pattern. */
  snippetLine?: number;
  /** The headings above it in Markdown, or the symbols that it declares; empty if there are none. */
  heading: string;
}

export interface KnowledgeSearch {
  area: KnowledgeArea;
  /** Words to rank by; there is no query syntax. Either this or `pattern` is given. */
  query?: string;
  /** Literal text to find, ignoring case. */
  pattern?: string;
  /** A file or folder of the area, in the form of its hits' paths. */
  path?: string;
  limit: number;
  /** Hits with a lower score are omitted. */
  minScore: number;
}

/** The result of refreshing an index, in numbers of files. */
export interface KnowledgeRefresh {
  indexed: number;
  unchanged: number;
  removed: number;
  failed: { path: string; why: string }[];
  /** Changed files that were not read for want of time; none if absent. */
  left?: number;
  /** Further remarks for a person or model, such as why there are no embeddings. */
  note?: string;
}

export interface KnowledgeProgress {
  message: string;
  /** 0 to 1. */
  fraction?: number;
}

/**
 * Searches the context store and memory. The index follows the files by itself: each search first indexes what changed
 * on disk, so writers need not notify it.
 *
 * Throws `ToolError`: `unavailable` without an open folder, `invalid_input` for a query without usable words.
 */
export interface Knowledge {
  /**
   * @returns best first. `note` holds remarks for a person or model, such as an embeddings server that did not answer.
   * `unsearched` names files that were not searched, and why
   */
  search(
    request: KnowledgeSearch,
    signal: AbortSignal,
  ): Promise<{ hits: KnowledgeHit[]; ranking: "lexical" | "hybrid" | "pattern"; note?: string; unsearched?: string }>;
  /**
   * Checks every file again, whatever its modification time, and fetches missing embeddings.
   *
   * @param path a file or folder of the area; undefined for all of it
   */
  refresh(
    area: KnowledgeArea,
    path: string | undefined,
    signal: AbortSignal,
    report: (progress: KnowledgeProgress) => void,
  ): Promise<KnowledgeRefresh>;
}
