import type { Tool } from "../core/contract.js";
import type { OutcomeError } from "../core/outcome.js";
import type { SessionLog } from "../features/sessions/sessionLog.js";
import type { ChatModel, ModelContent, ModelMedia, ModelMessage } from "../ports/models.js";
import type { Results } from "../ports/results.js";
import type { SessionKind, TokenCount } from "../ports/sessions.js";
import type { AgentEvent, EndReason } from "./events.js";
import type { FolderGuides } from "./folderGuides.js";

/** A session and a turn in it. */
export interface TurnPlace {
  session: string;
  turn: string;
}

/** A call on its way from a model to a tool. */
export interface AgentCall extends TurnPlace {
  id: string;
  /** The tool's name in the registry. */
  tool: string;
  input: object;
  /** The turn of the agent that the user talks to. Differs from the call's own turn if a subagent makes the call. */
  root: TurnPlace;
  /**
   * Resolves when the calls that this one must wait for have ended. The user may be asked earlier; the tool must not run
   * earlier. Never rejects.
   */
  ready: Promise<void>;
  /** The model that will read the result. */
  model: ChatModel;
  /** Who makes it, for questions: `Task “Fix the login”`. Undefined for the agent that the user is talking to. */
  asker?: string | undefined;
  /** Reports progress, one line, shown while the call runs. */
  report(message: string): void;
  signal: AbortSignal;
}

/** A call before it is made. */
export type AskedCall = Pick<AgentCall, "session" | "turn" | "tool" | "input" | "root" | "signal">;

/** A call's result for the model. */
export interface CallResult {
  ok: boolean;
  text: string;
  /** Why the call did not achieve its purpose, for people: see `failureWords`. Also set for a failed command, which is `ok`. */
  failed?: string;
  media?: ModelMedia[];
  /** The tool's result for programs, if the call succeeded and its tool gives one. */
  data?: unknown;
  /** Why the call failed, for programs; undefined if it succeeded or it is not known, as for a call that was not made. */
  error?: OutcomeError;
}

/** Runs a call with the permission it needs. A failure is a result; only throws if the turn was cancelled. */
export type ToolCaller = (call: AgentCall) => Promise<CallResult>;

/** A turn to run: the user's message and everything needed to answer it. */
export interface TurnRequest {
  /** `newId()` for a new session. */
  session: string;
  kind: SessionKind;
  /** The turn's id, if earlier changes are to be undone with it. Default: a new id. */
  turn?: string;
  /** The user's message; not empty. */
  content: ModelContent[];
  /** One line for lists. Default: derived from the message. */
  title?: string;
  model: ChatModel;
  /** The tools the model may call. */
  tools: readonly Tool[];
  /** Those sent with every request; the model reaches the others through `find_tool`. Default: all. */
  sent?: readonly Tool[];
  callTool: ToolCaller;
  /** Additional instructions for this turn, for example that it must only read. */
  instructions?: readonly string[];
  /** Maximum number of requests in which the model may make calls; after that, one more without calls. Default: 50. */
  maxIterations?: number;
  /** See `TurnStart`. */
  chat?: string;
  keepUpTo?: number;
  /** The conversation so far as the door knows it, for a session that was not logged. */
  earlier?: readonly ModelMessage[];
  /** The turn that spawned this session, and the turn of the agent that the user talks to. */
  parent?: TurnPlace;
  root?: TurnPlace;
  /** Number of agents above this one, from the spawner: the log may be unavailable. */
  depth?: number;
  signal: AbortSignal;
  onEvent(event: AgentEvent): void;
}

/** What a turn takes from its process. */
export interface TurnHost {
  log: SessionLog;
  results: Results | undefined;
  /** Returns the system prompt. Called for each turn. */
  systemPrompt(request: TurnRequest): Promise<string>;
  /** Guides of the workspace on some of its files; absent if the user does not trust it. */
  guides?: FolderGuides;
  /** See `AgentsHost.absent`. */
  absent?(): ReadonlyMap<string, string>;
  /** See `AgentsHost.onlyReads`. */
  onlyReads?(call: AskedCall): Promise<boolean>;
  /** Called when the turn has started. */
  onBegin?(turn: TurnPlace, depth: number): void;
  /** For tests: waits between two requests. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** How a turn ended. */
export interface TurnResult extends TurnPlace {
  reason: EndReason;
  /** For the user, if the turn did not succeed: what happened and what to do. */
  message: string | undefined;
  /**
   * Whether it failed because even the summarized conversation exceeds the model's limit, so that it will fail again.
   */
  tooLong?: boolean;
  /** The text of the last answer. */
  text: string;
  /** Requests to the model. */
  iterations: number;
  tokens: TokenCount;
  /** The messages it added to the conversation, the user's first. */
  messages: ModelMessage[];
  /** `SessionEntry.seq` of its last message; undefined if nothing could be logged. */
  seq: number | undefined;
}

/** Maximum number of requests per turn; a task that needs more continues when the user says so. */
export const MAX_ITERATIONS = 50;
