import type { Tool } from "../core/contract.js";
import { Cancelled, ToolError } from "../core/errors.js";
import { ModelError } from "../features/models/modelError.js";
import { newId } from "../core/pipeline/pipeline.js";
import type { SessionLog } from "../features/sessions/sessionLog.js";
import type { Files } from "../ports/files.js";
import type { ChatModel, Models } from "../ports/models.js";
import type { Results } from "../ports/results.js";
import type {
  RunningSubagent,
  SessionEntry,
  Sessions,
  SessionSummary,
  SpawnRequest,
  SpawnResult,
} from "../ports/sessions.js";
import { oneLine, shorten } from "../text/clip.js";
import type { AgentEvent } from "./events.js";
import { systemPrompt } from "./prompt.js";
import { mainAgentTools, subAgentTools } from "./toolSets.js";
import type { ToolCaller, TurnPlace, TurnRequest, TurnResult } from "./turn.js";
import { runTurn } from "./turnRun.js";
import { workspaceNotes } from "./workspaceNotes.js";

export interface AgentsHost {
  /** The session log of the workspace as it is now. */
  log(): Promise<SessionLog>;
  files: Files;
  results: Results | undefined;
  models: Models;
  /** Tools that can be used now. */
  tools(): Tool[];
  /** Runs the calls of a sub-agent that no agent of ours spawned. */
  callTool: ToolCaller;
  isTrusted(): boolean;
  hasMemory(): boolean;
  /** Parts of the prompt that other parts of Toolhost bring: skills, capabilities. */
  moreInstructions?: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Milliseconds since 1970. */
  now(): number;
  /** For tests: waits between two requests to a model. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** How deep sub-agents may spawn further ones: the agent of a user is at 0. */
const MAX_DEPTH = 2;
/** Sub-agents that one session may have at once. */
const MAX_AT_ONCE = 6;
/** Requests of one sub-agent. */
const SUB_ITERATIONS = 30;
/** Characters of what a sub-agent is said to do. */
const MAX_DOING = 160;

/** A turn that is under way. */
interface RunningTurn {
  request: TurnRequest;
  place: TurnPlace;
  depth: number;
}

/** The agents of this process: runs turns, spawns sub-agents, and knows which are under way. */
export class Agents implements Sessions {
  readonly #host: AgentsHost;
  readonly #turns = new Map<string, RunningTurn>();
  readonly #subagents = new Map<string, RunningSubagent>();

  constructor(host: AgentsHost) {
    this.#host = host;
  }

  /** Runs one turn to its end. Never throws: see `runTurn`. */
  async run(request: TurnRequest): Promise<TurnResult> {
    try {
      return await runTurn(
        {
          log: await this.#host.log(),
          results: this.#host.results,
          systemPrompt: (of) => this.#systemPrompt(of),
          onBegin: (place, depth) =>
            void this.#turns.set(request.session, { request, place, depth: request.depth ?? depth }),
          ...(this.#host.wait === undefined ? {} : { wait: this.#host.wait }),
        },
        request,
      );
    } finally {
      if (this.#turns.get(request.session)?.request === request) {
        this.#turns.delete(request.session);
      }
    }
  }

  /** The model that a session's turn runs on in this process; undefined when none is under way. */
  modelOf(session: string): ChatModel | undefined {
    return this.#turns.get(session)?.request.model;
  }

  async list(limit: number): Promise<{ sessions: SessionSummary[]; total: number }> {
    return (await this.#host.log()).list(limit);
  }

  async history(
    id: string,
    limit: number,
    before?: number,
  ): Promise<{ entries: SessionEntry[]; total: number; earlier: number }> {
    return (await this.#host.log()).history(id, limit, before);
  }

  async status(id: string): Promise<SessionSummary> {
    return (await this.#host.log()).status(id);
  }

  async send(id: string, content: string, from: string): Promise<{ active: boolean }> {
    return (await this.#host.log()).leave(id, { content, from });
  }

  running(): RunningSubagent[] {
    return [...this.#subagents.values()];
  }

  agents(): Promise<{ name: string; model: string | undefined; state: "idle" | "active" }[]> {
    const turns = [...this.#turns.values()].filter(({ depth }) => depth === 0);
    return Promise.resolve([
      { name: "main", model: turns.at(-1)?.request.model.id, state: turns.length > 0 ? "active" : "idle" },
    ]);
  }

  async spawn(spawned: SpawnRequest, call: Parameters<Sessions["spawn"]>[1]): Promise<SpawnResult> {
    const parent = this.#turns.get(call.session);
    this.#refuse(call.session, parent);
    const session = newId();
    const running: RunningSubagent = {
      session,
      parent: call.session,
      title: shorten(oneLine(spawned.prompt), MAX_DOING),
      started: this.#host.now(),
      doing: "Starting",
    };
    // Counted before anything is waited for: of several spawned at once none may slip by.
    this.#subagents.set(session, running);
    try {
      const model = parent?.request.model ?? (await this.#defaultModel(call.signal));
      const onEvent = (event: AgentEvent): void => {
        const doing = describe(event);
        if (doing !== undefined && event.session === session) {
          running.doing = doing;
          call.report(doing);
        }
        // Whoever listens to the parent hears of its children, too; whose it is stands in each event.
        parent?.request.onEvent(event);
      };
      const result = await this.run({
        ...{
          session,
          kind: "subagent",
          content: [{ type: "text", text: spawned.prompt }],
          model,
          tools: this.#toolsFor(spawned, parent),
        },
        ...{
          callTool: parent?.request.callTool ?? this.#host.callTool,
          maxIterations: SUB_ITERATIONS,
          signal: call.signal,
          onEvent,
        },
        depth: (parent?.depth ?? 0) + 1,
        parent: parent?.place ?? { session: call.session, turn: call.callId },
        root: parent?.request.root ?? parent?.place ?? { session: call.session, turn: call.callId },
      });
      return spawnResult(result);
    } finally {
      this.#subagents.delete(session);
    }
  }

  #refuse(session: string, parent: RunningTurn | undefined): void {
    if (parent !== undefined && parent.depth >= MAX_DEPTH) {
      throw new ToolError(
        "forbidden_tool",
        `sessions_spawn: sub-agents may be ${MAX_DEPTH} deep, and this one is.`,
        "Do the work yourself.",
      );
    }
    const siblings = this.running().filter((other) => other.parent === session).length;
    if (siblings >= MAX_AT_ONCE) {
      throw new ToolError(
        "forbidden_tool",
        `sessions_spawn: ${siblings} sub-agents of this session are at work, and there may be ${MAX_AT_ONCE} at once.`,
        "Wait for one to end.",
      );
    }
  }

  async #defaultModel(signal: AbortSignal): Promise<ChatModel> {
    try {
      return await this.#host.models.find(undefined, signal);
    } catch (error) {
      if (error instanceof ModelError) {
        throw new ToolError("unavailable", "Subagent spawning not available in this context.", error.message);
      }
      throw error;
    }
  }

  #toolsFor({ tools }: SpawnRequest, parent: RunningTurn | undefined): Tool[] {
    const there = parent?.request.tools ?? this.#host.tools();
    if (tools === "read_only") {
      return subAgentTools(there);
    }
    const isDeepest = (parent?.depth ?? 0) + 1 >= MAX_DEPTH;
    return mainAgentTools(there).filter(({ name }) => !isDeepest || name !== "sessions_spawn");
  }

  async #systemPrompt({ kind, instructions = [], signal }: TurnRequest): Promise<string> {
    const { files } = this.#host;
    const trusted = this.#host.isTrusted();
    const isSubagent = kind === "subagent";
    return systemPrompt({
      roots: files.roots(),
      trusted,
      isSubagent,
      // What a repository says to agents counts once the user trusts it.
      notes: trusted ? await workspaceNotes(files, this.#host.hasMemory(), signal) : [],
      instructions: [
        ...instructions,
        ...(isSubagent || !trusted ? [] : ((await this.#host.moreInstructions?.(signal)) ?? [])),
      ],
    });
  }
}

/** What an event says a sub-agent does, one line; undefined when it says nothing new. */
function describe(event: AgentEvent): string | undefined {
  switch (event.type) {
    case "request":
      return "Thinking";
    case "call":
      return shorten(event.summary, MAX_DOING);
    case "notice":
      return shorten(event.message, MAX_DOING);
    default:
      return undefined;
  }
}

function spawnResult({ session, reason, message, text, iterations, tokens }: TurnResult): SpawnResult {
  switch (reason) {
    case "answered":
    case "terminal":
      return { session, text, ended: "finished", iterations, tokens };
    case "limit":
    case "repeated":
      return { session, text, ended: "limit", iterations, tokens };
    case "cancelled":
      throw new Cancelled("sessions_spawn");
    case "empty":
    case "failed":
      throw new ToolError(
        "inner_tool_error",
        message ?? "It gave no answer.",
        `sessions_history {"session_id": "${session}"} shows what it did.`,
      );
  }
}
