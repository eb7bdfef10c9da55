import type { GatedPath } from "./files.js";

/** What a language server or linter says of a place in a file. */
export interface Problem {
  /** 1-based. */
  line: number;
  /** 1-based, in code units. */
  column: number;
  severity: "error" | "warning";
  message: string;
  /** Who says so: `ts`, `eslint`. */
  source: string | undefined;
  code: string | undefined;
}

/** The problems of one file, by its path in the workspace. */
export type ProblemsByFile = ReadonlyMap<string, readonly Problem[]>;

/** What language servers say of the workspace's files. */
export interface Problems {
  /** Errors and warnings as they are told now. */
  now(): Promise<ProblemsByFile>;
  /**
   * Waits until those who check the changed files have said what they say now: a quiet period after the last news, or
   * `limit` milliseconds. Returns at once when nobody checks them.
   */
  settled(changed: readonly GatedPath[], limit: number, signal: AbortSignal): Promise<ProblemsByFile>;
}
