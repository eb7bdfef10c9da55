// Toolhost's API for other extensions. It depends on toolTypes.ts alone: copy both into your extension.
//
//   const toolhost = vscode.extensions.getExtension<ToolhostApi>("toolhost.toolhost");
//   const api = await toolhost?.activate();
//   const run = api?.runAgent({ model, messages: "Where is the greeting built?", tools: "read_only" });
import type * as vscode from "vscode";
import type { DefinedTool, ErrorType, ToolApi, ToolDefinition } from "../shared/toolTypes.js";

export type * from "../shared/toolTypes.js";

/** The result of `activate()` of `toolhost.toolhost`. */
export interface ToolhostApi extends ToolApi {
  /** Increases with incompatible changes. Now 1. */
  readonly version: 1;
  /**
   * Runs one turn of Toolhost's agent in the workspace. The turn is kept in a session, and its changes can be undone in
   * one step. Calls that need permission ask the user in Toolhost's own dialog.
   *
   * @throws TypeError that names the wrong option; later failures are in `result`
   */
  readonly runAgent: (options: RunAgentOptions) => AgentRun;
}

export interface RunAgentOptions {
  /** A model from `vscode.lm.selectChatModels`, or a model's id (`copilot/gpt-5`, `gpt-5`). Default: the user's choice. */
  model?: vscode.LanguageModelChat | string;
  /**
   * The user's message, or a conversation whose last message is the user's. System messages go before it, as
   * instructions.
   */
  messages: string | readonly AgentMessage[];
  /**
   * Tools that the model may call: `all`, `read_only` (tools that only read; then nothing can be changed), or a list of
   * names and of tools of your own, which only this run has. Default: none.
   */
  tools?: "all" | "read_only" | readonly (string | DefinedTool | ToolDefinition)[];
  /** Stops the turn. */
  signal?: AbortSignal;
  /** Called with every event as it happens. */
  onEvent?: (event: AgentEvent) => void;
  /** The id of a session (`AgentRun.session`) to continue. `messages` is then its next message. */
  session?: string;
  /** Maximum number of requests to the model, 1 to 1000. Default: 50. */
  maxIterations?: number;
}

export interface AgentMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

/** A running turn. Iterates over its events from the first one, for one reader. `signal` stops it; not reading does not. */
export interface AgentRun extends AsyncIterable<AgentEvent> {
  readonly session: string;
  /** The result of the turn. Never rejects. */
  readonly result: Promise<AgentResult>;
}

export interface AgentResult {
  session: string;
  /** `answered` and `terminal` (a tool ended the turn) mean success. */
  reason: EndReason;
  /** For the user, if the turn did not succeed: what happened and what to do. */
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
  /** Whether part of the count is an estimate. */
  estimated: boolean;
}

/** An event of a turn. `session` is a subagent's if it is not the run's own. */
export type AgentEvent =
  /** A request to the model. `iteration` counts from 1. */
  | { type: "request"; session: string; iteration: number }
  /** A piece of the answer. */
  | { type: "text"; session: string; text: string }
  | { type: "call"; session: string; id: string; tool: string; input: object; summary: string }
  | { type: "progress"; session: string; id: string; message: string }
  /**
   * A call has ended. `text` is what the model gets. `data` is the tool's result for programs (docs/tools.md); `error`
   * says why the call failed. `failed` is the reason in a
   * few words for people, also for a command with an exit code.
   */
  | {
      type: "result";
      session: string;
      id: string;
      tool: string;
      ok: boolean;
      text: string;
      failed?: string;
      data?: unknown;
      error?: { type: ErrorType; message: string; hint?: string };
    }
  /** The whole list of steps, as it is now. */
  | {
      type: "todos";
      session: string;
      todos: readonly { content: string; status: "pending" | "in_progress" | "completed" }[];
    }
  | {
      type: "notice";
      session: string;
      kind: "retry" | "compacted" | "repeated" | "cut" | "not_kept" | "message";
      message: string;
    }
  | { type: "usage"; session: string; tokens: TokenCount; cost?: number }
  /** The last event of its session. */
  | { type: "end"; session: string; turn: string; reason: EndReason; message?: string };
