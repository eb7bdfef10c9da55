/** A line of the file and the patch line that should equal it. */
export interface Divergence {
  /** 1-based line of the patch. */
  patchLine: number;
  expected: string;
  /** 1-based line of the file. */
  fileLine: number;
  /** Absent if the file ends before it. */
  found?: string;
}

/** Why a hunk cannot be applied. Hunk numbers, patch lines and file lines are 1-based. */
export type HunkError = { hunk: number; patchLine: number } & (
  | {
      type: "no_match";
      /** Places that have the hunk's lines, but are excluded by its headers or its end-of-file mark. */
      excluded: readonly number[];
      /** The rule that excludes them. */
      ruledOutBy?: "header" | "end_of_file";
      /** The place with most of its lines, and the first one that differs there. */
      nearest?: { from: number; to: number; divergence?: Divergence };
      /** Where the file already has the hunk's result: it may have been applied before. */
      appliedAt?: number;
    }
  | {
      type: "not_unique";
      /** The first places. */ lines: readonly number[];
      /** Their total number. */ count: number;
    }
  | {
      type: "header_missing";
      header: string;
      /** Up to five lines that begin with the header's text. */
      beginnings: readonly number[];
      /** Lines that match, but are excluded by the previous header. */
      elsewhere: readonly number[];
    }
  | { type: "no_anchor" }
  | { type: "overlap"; /** The other hunk. */ other: number; fileLine: number }
  | { type: "too_complex" }
);
