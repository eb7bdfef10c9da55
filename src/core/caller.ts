import type { ReadRule } from "./pipeline/changeOrigin.js";
import type { Confirm, Question } from "../ports/confirm.js";
import type { Person } from "../ports/person.js";
import type { Door } from "./pipeline/activity.js";
import type { Progress, Tool } from "./contract.js";
import type { Lacking } from "./pipeline/unknownTool.js";

/** Who calls, and how they can be asked. */
export interface Caller extends Lacking {
  door: Door;
  session: string;
  /** Generated if absent. */
  callId?: string;
  /** The call or turn that made this call. */
  parentId?: string | undefined;
  signal: AbortSignal;
  report?: (progress: Progress) => void;
  /**
   * `owner`: a person's own command line, where typing the command was the permission; path guards still apply.
   * `model`: permission decides.
   */
  authority: "owner" | "model";
  /**
   * Whether a person has just typed the call in full view (the palette's form): its commands are theirs and ask
   * nothing. Everything else is decided as for a model.
   */
  typed?: boolean;
  /** Asks the person; if absent, a call that must ask is denied. */
  confirm?: Confirm;
  /** Answers a question of the model; if absent, nobody can be asked. */
  person?: Person;
  /**
   * Whether the door shows the question that `prepare` returned and calls `invoke` only after a yes (VS Code's own
   * confirmation). Any question that `prepare` did not return is still asked through `confirm`, and so is whatever must
   * be asked every time.
   */
  asksInAdvance?: boolean;
  /**
   * Whether a tool makes the call. Nobody was shown it, so a preview of the same call that is waiting for an answer
   * belongs to another call.
   */
  isInner?: boolean;
  /**
   * Whether a program reads the outcome's `data`, and no model its `text`: a command's streams are then kept apart, which
   * loses the order between them.
   */
  readsData?: boolean;
  /** Maximum characters of a page that the caller can take, if it is less than ours. */
  answerSize?: number;
  /** Called with a question that was answered in advance, once its call has run. */
  answeredInAdvance?(question: Question): void;
  /** The turn that the call belongs to; a turn is undone in one step. If absent, the call is its own turn. */
  turn?: string | undefined;
  /** Which files the session must have read before it changes them. If absent, none. */
  reads?: ReadRule;
  /**
   * The session and turn that the call counts for, if not its own. A subagent's changes are undone with the turn that
   * spawned it, and permissions granted there apply to it too.
   */
  root?: { session: string; turn: string } | undefined;
  /** Tools that only this caller has, in addition to those of the registry. Their names differ from all of those. */
  tools?: readonly Tool[] | undefined;
  /** Whether the caller may use a tool, also within another one; all if absent. */
  isServed?: (tool: Tool) => boolean;
  /** Whether the call may only read, whatever mode the user set. */
  planOnly?: boolean;
}
