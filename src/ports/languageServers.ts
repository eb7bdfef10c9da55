import type { CodeAnswer, CodePosition, CodeRange } from "./code.js";
import type { GatedPath } from "./files.js";

/** A part of a file's text, and what replaces it. */
export interface TextEdit {
  range: CodeRange;
  text: string;
}

/** What a language server would change in a file. */
export interface FileEdits {
  /** Workspace path; absolute if it is outside. */
  path: string;
  edits: readonly TextEdit[];
}

/** Something that a server offers to do at a place. */
export interface CodeAction {
  title: string;
  /** `quickfix`, `refactor.extract.function`, `source.organizeImports`; empty if it does not say. */
  kind: string;
  /** Whether it is the one that an editor applies without a choice. */
  isPreferred: boolean;
  /** What it changes; undefined if that has not been asked for, or if it does something else. */
  edits?: readonly FileEdits[];
  /** Why it cannot be applied, as a sentence. */
  refused?: string;
}

/** A problem in a file that a server reports. */
export interface ReportedProblem {
  path: string;
  range: CodeRange;
  severity: "error" | "warning" | "information" | "hint";
  message: string;
  source: string | undefined;
  code: string | undefined;
  /** Places that have to do with it. */
  related: readonly { path: string; line: number; message: string }[];
}

export interface ProblemReport {
  problems: ReportedProblem[];
  /** Whether a server was seen to check the file since it was opened or changed; undefined for several files. */
  isChecked?: boolean;
  /** Why servers that know of problems may not run, as a sentence. */
  restricted?: string;
}

/** What only an editor's language servers can do. */
export interface LanguageServers {
  /**
   * Returns what renaming a symbol changes.
   *
   * @throws ToolError `conflict` with the server's reason if it refuses
   */
  rename(at: GatedPath, position: CodePosition, name: string, signal: AbortSignal): Promise<CodeAnswer<FileEdits[]>>;
  /**
   * Returns what can be done at a place, in the server's order.
   *
   * @param options.only only actions of this kind, those with a longer name that begins with it among them
   * @param options.withEdits also what each changes
   */
  actions(
    at: GatedPath,
    range: CodeRange,
    options: { only?: string; withEdits: boolean },
    signal: AbortSignal,
  ): Promise<CodeAnswer<CodeAction[]>>;
  /** Returns what formatting a file changes. */
  format(at: GatedPath, signal: AbortSignal): Promise<CodeAnswer<TextEdit[]>>;
  /** Returns what is reported in a file, which is opened and checked for it, or in a folder's files, as it is. */
  problems(within: GatedPath, isFile: boolean, signal: AbortSignal): Promise<ProblemReport>;
}
