import type { TokenCount } from "../ports/sessions.js";

/** What happens in a turn, as it happens, for whoever shows it. All of it is plain data. */
export type AgentEvent =
  /** The model is asked. `iteration` counts from 1. */
  | { type: "request"; session: string; iteration: number }
  /** A piece of the answer, Markdown of the model's. */
  | { type: "text"; session: string; text: string }
  /** A call begins. `summary` is one line for people. */
  | { type: "call"; session: string; id: string; tool: string; input: object; summary: string }
  /** What a call or a sub-agent of it does. */
  | { type: "progress"; session: string; id: string; message: string }
  | { type: "result"; session: string; id: string; tool: string; ok: boolean; text: string; failed?: string }
  /**
   * Something the user should know: a request that is tried again, a conversation summed up, a session that is not
   * written down.
   */
  | { type: "notice"; session: string; kind: NoticeKind; message: string }
  /** Tokens of one request. */
  | { type: "usage"; session: string; tokens: TokenCount; cost?: number }
  /** The turn has ended; nothing follows. */
  | { type: "end"; session: string; turn: string; reason: EndReason; message?: string };

export type NoticeKind = "retry" | "compacted" | "repeated" | "cut" | "not_kept" | "message";

/**
 * How a turn ended. `answered`: the model answered. `terminal`: a tool that ends the turn was called. `limit`: the
 * iterations ran out, and the model was asked for a last answer. `repeated`: it made the same call over and over.
 * `empty`: it answered nothing. `failed`: the model failed, and `message` says why and what to do. `cancelled`: it was stopped.
 */
export type EndReason = "answered" | "terminal" | "limit" | "repeated" | "empty" | "failed" | "cancelled";
