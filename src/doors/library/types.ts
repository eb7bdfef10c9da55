// Types of Toolhost as a library for Node (docs/api.md). This file depends on toolTypes.ts alone.
import type { DefinedTool, SandboxClient, ToolApi, ToolDefinition } from "../shared/toolTypes.js";

export type * from "../shared/toolTypes.js";

/** How much needs permission: see docs/permissions.md. */
export type PermissionMode = "default" | "ask" | "plan" | "bypass";

/** A rule, as in the setting `toolhost.permissions.rules`. */
export interface Rule {
  /** A tool's name, or a glob of names. */
  tool: string;
  /** Globs for values of the input; `path`, `command` and `url` have a meaning of their own. */
  params?: Record<string, string>;
  decision: "allow" | "ask" | "deny";
}

/** A question about a call that needs permission. */
export interface Question {
  tool: string;
  title: string;
  /** Why it is asked, one sentence each. */
  reasons: readonly string[];
  /** What will happen: a diff, a command, or the input as JSON. */
  detail: { language: string; text: string };
  /** The rules that `session` allows; empty if none is narrow enough. */
  derived: readonly Rule[];
}

/** `session`: yes, and the question's `derived` rules apply until the session ends. */
export type Answer = "no" | "once" | "session";

export interface ToolhostOptions {
  /** The workspace folder. Tools reach nothing else unless permission allows it. */
  folder: string;
  /** Tools of your own, as `registerTool` takes them. Rules can name them. */
  tools?: readonly (DefinedTool | ToolDefinition)[];
  /** More folders that tools may work in. */
  roots?: readonly string[];
  /** Default: `default`. In `bypass` nothing is asked. */
  mode?: PermissionMode;
  /** Rules that allow, ask about or deny calls. Rules that deny apply in every mode. */
  rules?: readonly Rule[];
  /**
   * Answers questions. Without it, a call that must ask is refused as `denied`. A throw, and any other answer, is a no.
   *
   * @param signal aborted when the call is cancelled; the answer is then not waited for
   */
  confirm?: (question: Question, signal: AbortSignal) => Answer | Promise<Answer>;
  /** Time limit of tools that have none of their own, in milliseconds. Default: 30,000. */
  timeout?: number;
  /**
   * Called with notices for people, such as a rule that names no tool, or changes of a killed process that were taken
   * back. Default: Node's warnings.
   */
  onNotice?: (message: string) => void;
}

/** The tools of a folder, in this process. */
export interface Toolhost extends ToolApi {
  /** Cancels running calls, ends commands that they left running, and closes the state. Afterwards nothing keeps the process alive. */
  readonly dispose: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * Opens a folder.
 *
 * @throws TypeError that names a wrong option; Error if a folder does not exist
 */
export type CreateToolhost = (options: ToolhostOptions) => Promise<Toolhost>;

/** A sandbox in memory. Without a `runHandler` each command ends with exit code 0 and no output. */
export type CreateInMemorySandbox = (options?: {
  /** The files that are there at first, by their absolute paths; one that ends with `/` is an empty folder. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** Runs commands. @param files by their absolute paths, which it may change */
  runHandler?: (
    command: string,
    options: { timeoutMs?: number; workingDirectory?: string } | undefined,
    files: Map<string, string | Uint8Array>,
  ) =>
    | { stdout: string; stderr?: string; exitCode: number }
    | Promise<{ stdout: string; stderr?: string; exitCode: number }>;
}) => Required<SandboxClient> & {
  /** Returns a file's content; undefined if it is not there. */
  getFile(path: string): string | Uint8Array | undefined;
};
