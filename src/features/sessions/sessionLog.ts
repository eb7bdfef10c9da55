import { ToolError } from "../../core/errors.js";
import type { ModelMessage } from "../../ports/models.js";
import type { SessionEntry, SessionKind, SessionSummary, TokenCount } from "../../ports/sessions.js";

/** A turn that begins. */
export interface TurnStart {
  /** Made when there is none of this id. */
  session: string;
  turn: string;
  kind: SessionKind;
  /** One line; kept from the session's first turn. */
  title: string;
  parent?: string;
  /** `ChatModel.id`. */
  model: string;
  /** The chat it is in: several may speak in one session, one after the other. */
  chat?: string;
  /**
   * The last message the user still has before them (`SessionEntry.seq`): later ones of earlier turns of this chat were
   * taken back, and the model is not told of them any more. What other chats and doors added stays, since this one
   * never showed it. All count when absent.
   */
  keepUpTo?: number;
}

/** Whoever the user is to the log of sessions (`LeftMessage.from`). */
export const USER = "the user";

/** A message left for a session. */
export interface LeftMessage {
  content: string;
  /** Who left it, for the model: `session …`, `the user`. */
  from: string;
}

/**
 * Every session of a workspace, in its state: messages, calls and results as they come, so that a crash loses at most
 * the message that was being said. Where the state cannot be kept it is in memory, and `problem` says so.
 *
 * All methods throw ToolError as the state does: `unavailable` when another process holds it too long, `io_error`.
 */
export interface SessionLog {
  /** Why nothing is written down; undefined when it is. */
  problem(): Promise<string | undefined>;
  /**
   * @returns how many sessions lie above it: 0 for one that nobody spawned. @throws ToolError `conflict` when a turn of
   * it is under way, here or in a living process
   */
  beginTurn(start: TurnStart): Promise<{ depth: number }>;
  /**
   * Adds a message: an answer, a user's words, or one with results; results of one batch may come one by one. Images up
   * to 5 MB are kept, 20 MB of the latest a session; a text stands for others.
   *
   * @returns its `seq`
   * @throws ToolError `unknown_id` when the session was never begun
   */
  append(session: string, turn: string, message: ModelMessage): Promise<number>;
  /** Adds what was used. @param cost in the user's currency; undefined when it has no price */
  addTokens(session: string, tokens: TokenCount, cost: number | undefined): Promise<void>;
  /**
   * The session waits again, also when that cannot be written down, which is thrown and made up for by the next write.
   */
  endTurn(session: string, turn: string): Promise<void>;
  /** From now on the model is told `summary` in place of all up to and with `upTo`. History keeps them. */
  compact(session: string, turn: string, summary: ModelMessage, upTo: number): Promise<void>;
  /**
   * What a model is told of the session so far, in the form model APIs take: results follow on their calls, a call that
   * has none is answered with a text that says so, nothing is empty, and no role speaks twice in a row. `seq` is that
   * of the last message in it, for `compact`.
   */
  context(session: string): Promise<{ seq: number; message: ModelMessage }[]>;
  /**
   * Leaves a message. @returns whether a turn is under way. @throws ToolError `unknown_id`, `not_unique`, `too_large`
   * when 100 wait already
   */
  leave(session: string, message: LeftMessage): Promise<{ active: boolean }>;
  /** Whether messages wait for a session. */
  hasLeft(session: string): Promise<boolean>;
  /** Takes the messages that were left, oldest first. */
  takeLeft(session: string): Promise<LeftMessage[]>;
  list(limit: number): Promise<{ sessions: SessionSummary[]; total: number }>;
  /**
   * @param id of the session, or at least 6 characters that only it begins with, as everywhere below. @throws ToolError
   * `unknown_id` with near ones, `not_unique`
   */
  status(id: string): Promise<SessionSummary>;
  /** As `Sessions.history`. Those taken back are left out. */
  history(
    id: string,
    limit: number,
    before?: number,
  ): Promise<{ entries: SessionEntry[]; total: number; earlier: number }>;
  /**
   * The session, of this workspace, whose last turn is the chat's, broke off with its process and began with a text of
   * just these words; for a chat that lost what it knew of it.
   */
  findInterrupted(prompt: string): Promise<string | undefined>;
}

/** Whether a log says that it has no such session, or several. Any other failure says nothing about the session. */
export function isUnknownSession(error: unknown): error is ToolError {
  return error instanceof ToolError && (error.type === "unknown_id" || error.type === "not_unique");
}
