// The API that Toolhost gives to other extensions. This file stands alone: copy it into yours.
//
//   const toolhost = vscode.extensions.getExtension<ToolhostApi>("toolhost.toolhost");
//   const api = await toolhost?.activate();
//   const run = api?.runAgent({ model, messages: "Where is the greeting built?", tools: "read_only" });
import type * as vscode from "vscode";

/** What `activate()` of `toolhost.toolhost` gives. */
export interface ToolhostApi {
  /** Grows when something changes that is here now; 1. */
  readonly version: 1;
  /**
   * Runs one turn of Toolhost's agent in the workspace. It is kept as a session, and what it changes can be undone in
   * one step. What needs permission the user is asked in Toolhost's own dialog.
   *
   * @throws TypeError that names the option that is wrong; everything that goes wrong later is in `result`
   */
  readonly runAgent: (options: RunAgentOptions) => AgentRun;
}

export interface RunAgentOptions {
  /**
   * A model of `vscode.lm.selectChatModels`, the id of one (`copilot/gpt-5`, `gpt-5`), or nothing for the user's
   * choice.
   */
  model?: vscode.LanguageModelChat | string;
  /**
   * What the user says; or a conversation, whose last message is the user's. A system message is said before it, as
   * instructions.
   */
  messages: string | readonly AgentMessage[];
  /**
   * Tools the model may call: `all` (what there is), `read_only` (those that only look; then nothing can be changed),
   * or some by name. None when absent.
   */
  tools?: "all" | "read_only" | readonly string[];
  /** Stops it. */
  signal?: AbortSignal;
  /** Told of every event as it happens. */
  onEvent?: (event: AgentEvent) => void;
  /** The id of a session (`AgentRun.session`) to go on with: then `messages` is what is said next. */
  session?: string;
  /** Requests to the model, 1 to 1000. 50 when absent. */
  maxIterations?: number;
}

export interface AgentMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

/**
 * A turn under way. It is an iterable of its events, from the first one on, for one reader. To stop reading does not
 * stop it; `signal` does.
 */
export interface AgentRun extends AsyncIterable<AgentEvent> {
  readonly session: string;
  /** How it ended. Never rejects. */
  readonly result: Promise<AgentResult>;
}

export interface AgentResult {
  session: string;
  /** `answered` and `terminal` (a tool ended it) are good ends. */
  reason: EndReason;
  /** For the user, when it did not end well: what happened and what to do. */
  message: string | undefined;
  /** The last answer. */
  text: string;
  /** Requests to the model. */
  iterations: number;
  tokens: TokenCount;
}

export type EndReason = "answered" | "terminal" | "limit" | "repeated" | "empty" | "failed" | "cancelled";

export interface TokenCount {
  input: number;
  output: number;
  /** Some of it is estimated. */
  estimated: boolean;
}

/** What happens in a turn. `session` is that of a sub-agent where it is not the run's own. */
export type AgentEvent =
  /** The model is asked; counts from 1. */
  | { type: "request"; session: string; iteration: number }
  /** A piece of the answer. */
  | { type: "text"; session: string; text: string }
  | { type: "call"; session: string; id: string; tool: string; input: object; summary: string }
  | { type: "progress"; session: string; id: string; message: string }
  | { type: "result"; session: string; id: string; tool: string; ok: boolean; text: string }
  | {
      type: "notice";
      session: string;
      kind: "retry" | "compacted" | "repeated" | "cut" | "not_kept" | "message";
      message: string;
    }
  | { type: "usage"; session: string; tokens: TokenCount; cost?: number }
  /** The last one of its session. */
  | { type: "end"; session: string; turn: string; reason: EndReason; message?: string };
