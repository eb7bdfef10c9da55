import type { Rule } from "./rules.js";

/** What a person is asked before a call runs. */
export interface Question {
  tool: string;
  title: string;
  /** Why it is asked, a sentence each. */
  reasons: readonly string[];
  /** What exactly will happen: a diff, a command, or the input as JSON. */
  detail: { language: string; text: string };
  /** The rules that would allow this call from now on; none when no rule is narrow enough to be offered. */
  derived: readonly Rule[];
  /** What a yes is called, where it is no call that is allowed: `Approve`. */
  accept?: string;
}

/** `session`, `always`: yes, and the derived rules hold until the session ends, or from now on. */
export type Answer = "no" | "once" | "session" | "always";

/**
 * Asks a person. Resolves to `no` when the answer is no, is dismissed, or nobody can be asked; a ToolError `denied`
 * says what to do about that.
 */
export interface Confirm {
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
}
