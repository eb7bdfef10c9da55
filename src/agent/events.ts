import type { OutcomeError } from "../core/outcome.js";
import type { TokenCount } from "../ports/sessions.js";
import type { TodoStep } from "../tools/sessions/todoSteps.js";

/** An event of a running turn, for displaying it. Plain data. */
export type AgentEvent =
  /** A request to the model. `iteration` counts from 1. */
  | { type: "request"; session: string; iteration: number }
  /** A piece of the model's answer, Markdown. */
  | { type: "text"; session: string; text: string }
  /** A call starts. `summary` is one line for people. */
  | { type: "call"; session: string; id: string; tool: string; input: object; summary: string }
  /** Progress of a call or its subagent. */
  | { type: "progress"; session: string; id: string; message: string }
  | ResultEvent
  /** The agent's whole list of steps, as it is now; empty if it was cleared. */
  | { type: "todos"; session: string; todos: readonly TodoStep[] }
  /** Something the user should know: a retried request, a summarized conversation, a session that is not logged. */
  | { type: "notice"; session: string; kind: NoticeKind; message: string }
  /** Tokens of one request. */
  | { type: "usage"; session: string; tokens: TokenCount; cost?: number }
  /** The turn has ended; nothing follows. */
  | { type: "end"; session: string; turn: string; reason: EndReason; message?: string };

/** A call has ended. */
interface ResultEvent {
  type: "result";
  session: string;
  id: string;
  tool: string;
  ok: boolean;
  /** What the model gets. */
  text: string;
  /** Why the call did not achieve its purpose, in a few words for people. */
  failed?: string;
  /** For programs: the tool's result, in the shape of its `output`, or why the call failed. */
  data?: unknown;
  error?: OutcomeError;
}

export type NoticeKind = "retry" | "compacted" | "repeated" | "cut" | "not_kept" | "message";

/**
 * How a turn ended. `answered`: the model answered. `terminal`: a tool that ends the turn was called. `limit`: the
 * iterations ran out, and the model was asked for a last answer. `repeated`: the model made the same call over and over.
 * `empty`: the model answered nothing. `failed`: the model failed; `message` says why and what to do. `cancelled`: the
 * turn was stopped.
 */
export type EndReason = "answered" | "terminal" | "limit" | "repeated" | "empty" | "failed" | "cancelled";
