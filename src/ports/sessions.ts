import type { ModelMessage } from "./models.js";

/** What a session is for. */
export type SessionKind = "chat" | "agent" | "subagent" | "task" | "schedule";

/**
 * `active`: a turn is under way, in this process or another; `idle`: it waits for a message; `interrupted`: the process of its last turn
 * ended in the middle of it.
 */
export type SessionState = "active" | "idle" | "interrupted";

/** Tokens as the provider counted them; where it did not, an estimate. */
export interface TokenCount {
  input: number;
  output: number;
  /** Some of it is estimated. */
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
  /** Messages in it, results of calls not counted. */
  messages: number;
  tokens: TokenCount;
  /** In the user's currency, by the prices they configured; undefined when some of its models had none. */
  cost: number | undefined;
}

/** What a sub-agent is to do. */
export interface SpawnRequest {
  prompt: string;
  /** `read_only`: the six tools that only look; `inherit`: those of the session that spawns it. */
  tools: "read_only" | "inherit";
}

/** How a sub-agent ended. */
export interface SpawnResult {
  session: string;
  /** Its last answer. */
  text: string;
  /** `finished`: it answered; `limit`: its iterations ran out, and `text` is what it knew. */
  ended: "finished" | "limit";
  iterations: number;
  tokens: TokenCount;
}

/** A sub-agent that runs now. */
export interface RunningSubagent {
  session: string;
  parent: string;
  title: string;
  /** Milliseconds since 1970. */
  started: number;
  /** What it does at the moment, one line. */
  doing: string;
}

/** One of a session's messages, for history. */
export interface SessionEntry {
  /** Grows within the session, with gaps. */
  seq: number;
  turn: string;
  /** Milliseconds since 1970. */
  at: number;
  message: ModelMessage;
  /** It was told to the model in place of what stands before it. */
  isSummary?: boolean;
}

/** What can be asked about sessions, and done with them, from within a tool call. */
export interface Sessions {
  /** Newest first. @throws ToolError `unavailable` as the state does */
  list(limit: number): Promise<{ sessions: SessionSummary[]; total: number }>;
  /**
   * The latest `limit` messages, oldest first.
   *
   * @param before only those whose `seq` is lower
   * @returns `total`, of the whole session; `earlier`, those before the first one given
   * @throws ToolError `unknown_id` with near ones
   */
  history(
    id: string,
    limit: number,
    before?: number,
  ): Promise<{ entries: SessionEntry[]; total: number; earlier: number }>;
  /**
   * @param id of a session, or at least 6 characters that only it begins with, as everywhere here. @throws ToolError
   * `unknown_id`, `not_unique`
   */
  status(id: string): Promise<SessionSummary>;
  /**
   * Leaves a message for a session. One that is active is handed it before its next request to the model.
   *
   * @returns whether a turn is under way that will see it
   * @throws ToolError `unknown_id`
   */
  send(id: string, content: string, from: string): Promise<{ active: boolean }>;
  /** Sub-agents that run now, those of every session of this process. */
  running(): RunningSubagent[];
  /** The agents there are: their model and state. */
  agents(): Promise<{ name: string; model: string | undefined; state: "idle" | "active" }[]>;
  /**
   * Runs a sub-agent to its end.
   *
   * @param call the call that spawns it: its session, its id, its cancellation, and who is told of the progress
   * @throws ToolError `unavailable` where no model can be used, `forbidden_tool` past the depth or the number at once,
   * `cancelled`, `timeout`, `inner_tool_error` when its model failed
   */
  spawn(
    request: SpawnRequest,
    call: { session: string; callId: string; signal: AbortSignal; report(message: string): void },
  ): Promise<SpawnResult>;
}
