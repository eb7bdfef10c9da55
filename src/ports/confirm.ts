import type { Rule } from "./rules.js";

/** A text of a question, in a block of its own. */
interface QuestionDetail {
  language: string;
  text: string;
}

/** A further text, with a line above it that says what it is. */
export interface TitledDetail extends QuestionDetail {
  title: string;
}

/** A question to a person before a call runs. */
export interface Question {
  tool: string;
  title: string;
  /** Who makes the call, unless that is clear: the title begins with it, and a colon. */
  asker?: string;
  /** The sandbox in which the call runs, if there is one: the title begins with it, and a colon. */
  place?: string;
  /** Reasons for asking, one sentence each. */
  reasons: readonly string[];
  /** What exactly will happen: a diff, a command, or the input as JSON. */
  detail: QuestionDetail;
  /** What it did when it was tried, if it was; shown below the detail. */
  outcome?: readonly TitledDetail[];
  /** The rules that would allow this call from now on; empty if none is narrow enough to offer. */
  derived: readonly Rule[];
  /** Rules that are not offered, since they open secrets or protected files, but would allow exactly this call. */
  exact?: readonly Rule[];
  /** Whether only a window or a terminal may be asked: a yes that may come from a setting or a script is none. */
  everyTime?: boolean;
  /** Label of the yes button when yes approves something other than a call, such as `Approve` for a schedule. */
  accept?: string;
}

/** `session`, `always`: yes, and the derived rules apply until the session ends, or permanently. */
export type Answer = "no" | "once" | "session" | "always";

/**
 * Asks a person. Resolves to `no` if the answer is no, the question is dismissed, or nobody can be asked; for the last
 * case, a ToolError `denied` says what to do.
 */
export interface Confirm {
  /** Whether the call waits while a person sees the question: not for a program, and not for a form that repeats the call. */
  readonly isAttended?: boolean;
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
}
