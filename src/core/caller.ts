import type { ReadRule } from "./pipeline/changeOrigin.js";
import type { Confirm, Question } from "../ports/confirm.js";
import type { Door } from "./pipeline/activity.js";
import type { Progress } from "./contract.js";

/** Who calls, and how they can be asked. */
export interface Caller {
  door: Door;
  session: string;
  /** Made up when absent. */
  callId?: string;
  /** The call or turn that made this call. */
  parentId?: string | undefined;
  signal: AbortSignal;
  report?: (progress: Progress) => void;
  /**
   * `owner`: a person's own command line, where typing the command was the permission. Guards on paths hold
   * there too. `model`: permission decides.
   */
  authority: "owner" | "model";
  /**
   * A person has just typed the call in full view (the palette's form): its commands are theirs and ask nothing. All
   * else is decided as for a model.
   */
  typed?: boolean;
  /** Asks the person; a call that must ask is denied where this is absent. */
  confirm?: Confirm;
  /**
   * The door shows the question that `prepare` gave and calls `invoke` only after a yes (VS Code's own
   * confirmation). Anything `prepare` did not ask is still asked through `confirm`, and what must be asked every
   * time always is.
   */
  asksInAdvance?: boolean;
  /**
   * A tool makes the call: nobody was shown it, so a preview of the same call that waits for its answer is not its own.
   */
  isInner?: boolean;
  /** Told of a question that was answered in advance, once its call has run. */
  answeredInAdvance?(question: Question): void;
  /** What is undone in one step belongs to one turn. The call alone when absent. */
  turn?: string | undefined;
  /** What the session has to have read before it changes a file. Nothing when absent. */
  reads?: ReadRule;
  /**
   * The session and turn that the call counts for, when they are others than its own: what a sub-agent changes is
   * undone with the turn that spawned it, and what the user allowed there holds for it.
   */
  root?: { session: string; turn: string } | undefined;
  /** The call may only look, whatever the mode the user set. */
  planOnly?: boolean;
}
