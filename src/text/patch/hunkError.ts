/** A line of the file and the line of the patch that should be it. */
export interface Divergence {
  /** 1-based line of the patch. */
  patchLine: number;
  expected: string;
  /** 1-based line of the file. */
  fileLine: number;
  /** Absent where the file has ended before. */
  found?: string;
}

/** Why a hunk cannot be applied. Hunk numbers, lines of the patch and lines of the file are 1-based. */
export type HunkError = { hunk: number; patchLine: number } & (
  | {
      type: "no_match";
      /** Places that have the hunk's lines, but where its headers or its end of file do not let it stand. */
      excluded: readonly number[];
      /** Why it may not stand there. */
      ruledOutBy?: "header" | "end_of_file";
      /** The place that has most of its lines, and the first one that differs there. */
      nearest?: { from: number; to: number; divergence?: Divergence };
      /** Where the file has the lines that the hunk would leave: it may be applied already. */
      appliedAt?: number;
    }
  | {
      type: "not_unique";
      /** The first places. */ lines: readonly number[];
      /** How many there are in all. */ count: number;
    }
  | {
      type: "header_missing";
      header: string;
      /** Lines that begin with it, at most five. */
      beginnings: readonly number[];
      /** Lines that have it, but where the header before it rules it out. */
      elsewhere: readonly number[];
    }
  | { type: "no_anchor" }
  | { type: "overlap"; /** The other hunk. */ other: number; fileLine: number }
  | { type: "too_complex" }
);
