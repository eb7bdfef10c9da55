/** What is searched: files under `.toolhost/context/`, or `.toolhost/MEMORY.md` and `.toolhost/memory/*.md`. */
export type KnowledgeArea = "context" | "memory";

/** A part of a file that answers a search. */
export interface KnowledgeHit {
  /** As the area's tools write it: the logical path of the context store; in memory relative to `.toolhost/`. */
  path: string;
  /** 1-based. */
  startLine: number;
  /** 1-based, inclusive. */
  endLine: number;
  /**
   * 0 to 1: how much of what the query asks for stands in this part. Terms count by their rarity in the area, and one
   * that is close in meaning counts as far as it is close; so it means the same with and without embeddings. 1 for a
   * pattern.
   */
  score: number;
  snippet: string;
}

export interface KnowledgeSearch {
  area: KnowledgeArea;
  /** Words, ranked by what they say; a query language has no say in it. Either this or `pattern` is given. */
  query?: string;
  /** A text that stands there, whatever its case. */
  pattern?: string;
  /** A file or folder of the area, as its hits name it. */
  path?: string;
  limit: number;
  /** Hits below it are left out. */
  minScore: number;
}

/** What an index was brought up to date with, by files. */
export interface KnowledgeRefresh {
  indexed: number;
  unchanged: number;
  removed: number;
  failed: { path: string; why: string }[];
  /** What else a person or a model should know: why there are no embeddings. */
  note?: string;
}

export interface KnowledgeProgress {
  message: string;
  /** 0 to 1. */
  fraction?: number;
}

/**
 * Finds parts of the files that agents keep. The index follows the files by itself: each search first takes in what
 * changed on disk, so whoever writes a file need not tell it.
 *
 * Throws `ToolError`: `unavailable` without an open folder, `invalid_input` for a query that says nothing.
 */
export interface Knowledge {
  /**
   * @returns best first. `note` says what a person or a model should know: an embeddings server that gave no answer,
   * say.
   * `unsearched` names files that were not looked into, and why
   */
  search(
    request: KnowledgeSearch,
    signal: AbortSignal,
  ): Promise<{ hits: KnowledgeHit[]; ranking: "lexical" | "hybrid" | "pattern"; note?: string; unsearched?: string }>;
  /**
   * Looks at every file again, whatever its time says, and fetches the embeddings that are missing.
   *
   * @param path a file or folder of the area; without one all of it
   */
  refresh(
    area: KnowledgeArea,
    path: string | undefined,
    signal: AbortSignal,
    report: (progress: KnowledgeProgress) => void,
  ): Promise<KnowledgeRefresh>;
}
