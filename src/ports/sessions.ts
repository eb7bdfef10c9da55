import type { ModelMessage } from "./models.js";

/** A session's purpose. */
export type SessionKind = "chat" | "agent" | "subagent" | "task" | "schedule";

/**
 * `active`: a turn is running, in this process or another; `idle`: it is waiting for a message; `interrupted`: the
 * process of its last turn ended during that turn.
 */
export type SessionState = "active" | "idle" | "interrupted";

/** Tokens as counted by the provider, or else estimated. */
export interface TokenCount {
  input: number;
  output: number;
  /** Whether some of it is estimated. */
  estimated: boolean;
}

/** A session in a list. */
export interface SessionSummary {
  id: string;
  /** One line: the beginning of its first message. */
  title: string;
  kind: SessionKind;
  state: SessionState;
  /** The session that spawned it. */
  parent: string | undefined;
  /** `ChatModel.id` of its last turn. */
  model: string | undefined;
  /** Milliseconds since 1970. */
  created: number;
  updated: number;
  /** Number of its messages, not counting results of calls. */
  messages: number;
  tokens: TokenCount;
  /** In the user's currency, by the prices they configured; undefined if any of its models has no price. */
  cost: number | undefined;
}

/** A task for a subagent. */
export interface SpawnRequest {
  prompt: string;
  /** `read_only`: the six read-only tools; `inherit`: those of the session that spawns it. */
  tools: "read_only" | "inherit";
  /** `worktree`: it works in a copy of the folder, and its changes are merged when it is done. */
  sandbox?: "worktree" | undefined;
}

/** How a subagent ended. */
export interface SpawnResult {
  session: string;
  /** Its last answer. */
  text: string;
  /** `finished`: it answered; `limit`: its iterations ran out, and `text` is what it knew by then. */
  ended: "finished" | "limit";
  iterations: number;
  tokens: TokenCount;
  /** What became of its changes, if it worked in a copy: sentences. */
  copy?: string;
}

/** A running subagent. */
export interface RunningSubagent {
  session: string;
  parent: string;
  title: string;
  /** Milliseconds since 1970. */
  started: number;
  /** Its current activity, one line. */
  doing: string;
}

/** One of a session's messages, for history. */
export interface SessionEntry {
  /** Increases within the session, with gaps. */
  seq: number;
  turn: string;
  /** Milliseconds since 1970. */
  at: number;
  message: ModelMessage;
  /** Whether it was sent to the model in place of the messages before it. */
  isSummary?: boolean;
}

/** Access to sessions from within a tool call. */
export interface Sessions {
  /** Lists sessions, newest first. @throws ToolError `unavailable` if the state cannot be read */
  list(limit: number): Promise<{ sessions: SessionSummary[]; total: number }>;
  /**
   * Returns the latest `limit` messages, oldest first.
   *
   * @param before only messages with a lower `seq`
   * @returns `total`: messages in the whole session; `earlier`: messages before the first one returned
   * @throws ToolError `unknown_id` with similar ids
   */
  history(
    id: string,
    limit: number,
    before?: number,
  ): Promise<{ entries: SessionEntry[]; total: number; earlier: number }>;
  /**
   * @param id a session's id, or a unique prefix of at least 6 characters, like every `id` in this interface
   *
   * @throws ToolError `unknown_id`, `not_unique`
   */
  status(id: string): Promise<SessionSummary>;
  /**
   * Leaves a message for a session. An active one gets it before its next model request.
   *
   * @returns whether a running turn will see it
   * @throws ToolError `unknown_id`
   */
  send(id: string, content: string, from: string): Promise<{ active: boolean }>;
  /** Lists the running subagents of all sessions of this process. */
  running(): RunningSubagent[];
  /** Lists the agents with their model and state. */
  agents(): Promise<{ name: string; model: string | undefined; state: "idle" | "active" }[]>;
  /**
   * Runs a subagent to its end.
   *
   * @param call the call that spawns it: its session, its id, its cancellation, and a callback for progress
   * @throws ToolError `unavailable` if no model can be used, `forbidden_tool` beyond the maximum depth or number of
   * subagents, `cancelled`, `timeout`, `inner_tool_error` if its model failed
   */
  spawn(
    request: SpawnRequest,
    call: { session: string; callId: string; signal: AbortSignal; report(message: string): void },
  ): Promise<SpawnResult>;
}
