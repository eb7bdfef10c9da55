import type { Tool } from "../core/contract.js";
import type { ChatModel, ModelContent, ModelMedia } from "../ports/models.js";
import type { SessionKind, TokenCount } from "../ports/sessions.js";
import type { AgentEvent, EndReason } from "./events.js";

/** A call on its way from a model to a tool. */
export interface AgentCall {
  id: string;
  /** The tool's name as the registry has it. */
  tool: string;
  input: object;
  session: string;
  turn: string;
  /**
   * Resolves when the calls before it that change something have ended, if it changes something, too. The user may be asked before;
   * the tool must not run before.
   */
  ready: Promise<void>;
  /** The model that will read the result. */
  model: ChatModel;
  /** What it does, one line, shown while it runs. */
  report(message: string): void;
  signal: AbortSignal;
}

/** What a call gave the model. */
export interface CallResult {
  ok: boolean;
  text: string;
  media?: ModelMedia[];
}

/** Runs a call with the permission it needs. A failure is a result; it throws when the turn was cancelled, and for nothing else. */
export type ToolCaller = (call: AgentCall) => Promise<CallResult>;

/** One turn to run: a user's message, and what answers it. */
export interface TurnRequest {
  /** `newId()` for a new one. */
  session: string;
  kind: SessionKind;
  /** The user's message. Empty content is refused by the door. */
  content: ModelContent[];
  /** One line for lists; made of the message when absent. */
  title?: string;
  model: ChatModel;
  /** The tools the model may call. */
  tools: readonly Tool[];
  callTool: ToolCaller;
  /** Beside the usual instructions, for this turn: that it must only look, say. */
  instructions?: readonly string[];
  /** Requests to the model that may carry calls; then one more without. 50 when absent. */
  maxIterations?: number;
  /** See `TurnStart.keepUpTo`. */
  keepUpTo?: number;
  signal: AbortSignal;
  onEvent(event: AgentEvent): void;
}

/** How a turn ended. */
export interface TurnResult {
  session: string;
  turn: string;
  reason: EndReason;
  /** For the user, when it did not end well: what happened and what to do. */
  message: string | undefined;
  /** The text of the last answer. */
  text: string;
  iterations: number;
  tokens: TokenCount;
  /** `SessionEntry.seq` of its last message; undefined when nothing could be written down. */
  seq: number | undefined;
}
