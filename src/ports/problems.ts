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

/** What a language server says of files before and after they change, beside what it reports by itself. */
export interface ProblemCheck {
  before: ProblemsByFile;
  /**
   * Asks again, within a bounded time.
   *
   * @param changed the files as they are called after the change
   * @returns the problems of the files that were asked about, and on which that was, or why they are not known, as a
   * sentence; undefined for nothing to say
   */
  after(changed: readonly GatedPath[], signal: AbortSignal): Promise<{ problems: ProblemsByFile; asked: Asked }>;
}

/** Files that a server answered about. */
export type Asked =
  | {
      isAnswered: true;
      /** Those that were changed. */
      changed: readonly string[];
      /** How many others, which import these, were asked about, of how many. */
      importers: number;
      allImporters: number;
      /** Whether these are all that import them. */
      isWhole: boolean;
    }
  | {
      isAnswered: false;
      /** A sentence. */
      why: string;
    };

/** The problems that language servers report in the workspace's files. */
export interface Problems {
  /** Returns the errors and warnings reported right now. */
  now(): Promise<ProblemsByFile>;
  /**
   * Waits until the servers that check the changed files have finished: a quiet period after the last report, or
   * `limit` milliseconds. Returns immediately if nothing checks them.
   */
  settled(changed: readonly GatedPath[], limit: number, signal: AbortSignal): Promise<ProblemsByFile>;
  /**
   * Asks the servers that can be asked about files that will change, and about those that import them, within a bounded
   * time.
   *
   * @returns undefined if there is none for these files
   */
  check?(changing: readonly GatedPath[], signal: AbortSignal): Promise<ProblemCheck | undefined>;
}
