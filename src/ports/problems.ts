import type { GatedPath } from "./files.js";

/** A problem that a language server or linter reports in a file. */
export interface Problem {
  /** 1-based. */
  line: number;
  /** 1-based, in code units. */
  column: number;
  severity: "error" | "warning";
  message: string;
  /** The source of the report: `ts`, `eslint`. */
  source: string | undefined;
  code: string | undefined;
}

/** Problems by the file's workspace path. */
export type ProblemsByFile = ReadonlyMap<string, readonly Problem[]>;

/** The problems that language servers report in the workspace's files. */
export interface Problems {
  /** Returns the errors and warnings reported right now. */
  now(): Promise<ProblemsByFile>;
  /**
   * Waits until the servers that check the changed files have finished: a quiet period after the last report, or
   * `limit` milliseconds. Returns immediately if nothing checks them.
   */
  settled(changed: readonly GatedPath[], limit: number, signal: AbortSignal): Promise<ProblemsByFile>;
}
