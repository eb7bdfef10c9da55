import type { Tool } from "../core/contract.js";
import type { ChatModel, ModelContent, ModelMedia, ModelMessage } from "../ports/models.js";
import type { SessionKind, TokenCount } from "../ports/sessions.js";
import type { AgentEvent, EndReason } from "./events.js";

/** A session and a turn in it. */
export interface TurnPlace {
  session: string;
  turn: string;
}

/** A call on its way from a model to a tool. */
export interface AgentCall extends TurnPlace {
  id: string;
  /** The tool's name as the registry has it. */
  tool: string;
  input: object;
  /**
   * The turn that it all counts for: of the agent that the user talks to. Its own unless a sub-agent makes the call.
   */
  root: TurnPlace;
  /**
   * Resolves when the calls that it has to wait for have ended. The user may be asked before; the tool must not run
   * before. It never rejects.
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
  /**
   * Why it did not do what it was made for, for people: see `failureWords`. A command that ran and failed is `ok`, and
   * has it.
   */
  failed?: string;
  media?: ModelMedia[];
}

/**
 * Runs a call with the permission it needs. A failure is a result; it throws when the turn was cancelled, and for
 * nothing else.
 */
export type ToolCaller = (call: AgentCall) => Promise<CallResult>;

/** One turn to run: a user's message, and what answers it. */
export interface TurnRequest {
  /** `newId()` for a new one. */
  session: string;
  kind: SessionKind;
  /** The turn's own id, where changes made before it are to be undone with it; a new one when absent. */
  turn?: string;
  /** The user's message; not empty. */
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
  /** See `TurnStart`. */
  chat?: string;
  keepUpTo?: number;
  /** The conversation so far as the door knows it, for a session of which nothing was written down. */
  earlier?: readonly ModelMessage[];
  /** The turn that spawned this session, and the one it all counts for. */
  parent?: TurnPlace;
  root?: TurnPlace;
  /** Agents above it, as whoever spawned it knows: the log may not be there to tell. */
  depth?: number;
  signal: AbortSignal;
  onEvent(event: AgentEvent): void;
}

/** How a turn ended. */
export interface TurnResult extends TurnPlace {
  reason: EndReason;
  /** For the user, when it did not end well: what happened and what to do. */
  message: string | undefined;
  /** It failed since the conversation is longer than the model takes, also when summed up: it will fail again. */
  tooLong?: boolean;
  /** The text of the last answer. */
  text: string;
  /** Requests to the model. */
  iterations: number;
  tokens: TokenCount;
  /** What it added to the conversation, the user's message first. */
  messages: ModelMessage[];
  /** `SessionEntry.seq` of its last message; undefined when nothing could be written down. */
  seq: number | undefined;
}

/** Requests to the model in one turn; a task that needs more goes on when the user says so. */
export const MAX_ITERATIONS = 50;
