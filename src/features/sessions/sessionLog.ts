import { ToolError } from "../../core/errors.js";
import type { ModelMessage } from "../../ports/models.js";
import type { SessionEntry, SessionKind, SessionSummary, TokenCount } from "../../ports/sessions.js";

/** The start of a turn. */
export interface TurnStart {
  /** Created if there is none with this id. */
  session: string;
  turn: string;
  kind: SessionKind;
  /** One line; kept from the session's first turn. */
  title: string;
  parent?: string;
  /** `ChatModel.id`. */
  model: string;
  /** Its chat: several chats may use one session, one after the other. */
  chat?: string;
  /**
   * The last message the user still sees (`SessionEntry.seq`): later messages from earlier turns of this chat were
   * taken back and are no longer sent to the model. Messages that other chats and doors added stay, since this one
   * never showed them. Absent: all count.
   */
  keepUpTo?: number;
}

/** The user's name in the log of sessions (`LeftMessage.from`). */
export const USER = "the user";

/** A message left for a session. */
export interface LeftMessage {
  content: string;
  /** Who left it, for the model: `session …`, `the user`. */
  from: string;
}

/**
 * Every session of a workspace, in its state: messages, calls and results as they arrive, so that a crash loses at most
 * the message being written. If the state cannot be stored, it is kept in memory, and `problem` says so.
 *
 * All methods throw ToolError as the state does: `unavailable` if another process locks it for too long, `io_error`.
 */
export interface SessionLog {
  /** Returns why nothing is stored; undefined if sessions are stored. */
  problem(): Promise<string | undefined>;
  /**
   * @returns how many sessions are above it: 0 for one that was not spawned.
   * @throws ToolError `conflict` if one of its turns is in progress, here or in a living process
   */
  beginTurn(start: TurnStart): Promise<{ depth: number }>;
  /**
   * Adds a message: an answer, a user's message, or one with results; results of one batch may arrive one by one.
   * Images up to 5 MB are kept, per session the latest 20 MB; others are replaced by a text.
   *
   * @returns its `seq`
   * @throws ToolError `unknown_id` if the session was never started
   */
  append(session: string, turn: string, message: ModelMessage): Promise<number>;
  /** Adds to the token count. @param cost in the user's currency; undefined if it has no price */
  addTokens(session: string, tokens: TokenCount, cost: number | undefined): Promise<void>;
  /**
   * Makes the session idle again. If that cannot be stored, this throws, but the session is idle all the same and the
   * next write stores it.
   */
  endTurn(session: string, turn: string): Promise<void>;
  /** From now on the model sees `summary` in place of everything up to and including `upTo`. The history keeps it. */
  compact(session: string, turn: string, summary: ModelMessage, upTo: number): Promise<void>;
  /**
   * Returns the session so far in the form model APIs accept: results follow their calls, a call without one gets a
   * text that says so, nothing is empty, and no role speaks twice in a row. `seq` is that of the last message included,
   * for `compact`.
   */
  context(session: string): Promise<{ seq: number; message: ModelMessage }[]>;
  /**
   * Leaves a message.
   *
   * @returns whether a turn is in progress
   * @throws ToolError `unknown_id`, `not_unique`, `too_large` if 100 are waiting already
   */
  leave(session: string, message: LeftMessage): Promise<{ active: boolean }>;
  /** Whether messages are waiting for a session. */
  hasLeft(session: string): Promise<boolean>;
  /** Takes the waiting messages, oldest first. */
  takeLeft(session: string): Promise<LeftMessage[]>;
  list(limit: number): Promise<{ sessions: SessionSummary[]; total: number }>;
  /**
   * @param id of the session, or a prefix of at least 6 characters that is unique, as everywhere below.
   * @throws ToolError `unknown_id` with similar ones, `not_unique`
   */
  status(id: string): Promise<SessionSummary>;
  /** Like `Sessions.history`, without messages that were taken back. */
  history(
    id: string,
    limit: number,
    before?: number,
  ): Promise<{ entries: SessionEntry[]; total: number; earlier: number }>;
  /**
   * Finds the session in this workspace whose last turn belongs to the chat, was interrupted with its process and began
   * with exactly this text; for a chat that lost its link to the session.
   */
  findInterrupted(prompt: string): Promise<string | undefined>;
}

/** Whether an error means that there is no such session, or several. Other failures say nothing about the session. */
export function isUnknownSession(error: unknown): error is ToolError {
  return error instanceof ToolError && (error.type === "unknown_id" || error.type === "not_unique");
}
