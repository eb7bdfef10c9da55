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
import { messageOf } from "../text/words.js";
import type { AgentEvent } from "./events.js";
import { hasWorked, type CopiedTask, type TaskCopies, type TaskCopy } from "./work/taskCopies.js";
import { FolderGuides } from "./folderGuides.js";
import { systemPrompt } from "./prompt.js";
import { describeSurroundings } from "./surroundings.js";
import { mainAgentTools, sentTools, subAgentTools, unwatchedTools } from "./toolSets.js";
import type { AskedCall, ToolCaller, TurnPlace, TurnRequest, TurnResult } from "./turn.js";
import { runTurn } from "./turnRun.js";
import { workspaceNotes } from "./workspaceNotes.js";

export interface AgentsHost {
  /** Returns the workspace's current session log. */
  log(): Promise<SessionLog>;
  files: Files;
  results: Results | undefined;
  models: Models;
  /** Returns the tools that can be used now. */
  tools(): Tool[];
  /** Returns why each of Toolhost's tools that cannot be used now is so; for none if absent. */
  absent?(): ReadonlyMap<string, string>;
  /** Runs calls of a subagent that was not spawned by one of our agents. */
  callTool: ToolCaller;
  /**
   * Returns whether a call runs a command that is proven to only read. Never throws. If absent, every command may change
   * something.
   */
  onlyReads?(call: AskedCall): Promise<boolean>;
  /** Makes copies of the workspace for subagents. Absent: none can be made. */
  copies?: TaskCopies | undefined;
  /** The operating system, such as `linux`; absent if models are not to know. */
  platform?: string;
  isTrusted(): boolean;
  hasMemory(): boolean;
  /** Prompt sections from other parts of Toolhost: skills, capabilities. */
  moreInstructions?: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Called when a turn or a subagent starts or ends, and when a subagent turns to something else. */
  onChange?: () => void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** For tests: waits between two requests to a model. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Maximum depth of subagents. The user's agent is at depth 0. */
const MAX_DEPTH = 2;
/** Maximum number of running subagents per session. */
const MAX_AT_ONCE = 6;
/** Maximum number of requests of a subagent. */
const SUB_ITERATIONS = 30;
/** Maximum characters of the description of a subagent's action. */
const MAX_DOING = 160;

/** A running turn. */
interface RunningTurn {
  request: TurnRequest;
  place: TurnPlace;
  depth: number;
}

/** The agents of this process: runs turns, spawns subagents, and tracks which are running. */
export class Agents implements Sessions {
  readonly #host: AgentsHost;
  readonly #turns = new Map<string, RunningTurn>();
  /** What is said of a session's surroundings, by session: the same in all its turns. */
  readonly #surroundings = new Map<string, Promise<string>>();
  readonly #subagents = new Map<string, RunningSubagent>();
  readonly #stops = new Map<string, AbortController>();

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
          ...(this.#host.isTrusted() ? { guides: new FolderGuides(this.#host.files) } : {}),
          absent: () => this.#host.absent?.() ?? new Map(),
          onlyReads: async (call) => (await this.#host.onlyReads?.(call)) === true,
          onBegin: (place, depth) => {
            this.#turns.set(request.session, { request, place, depth: request.depth ?? depth });
            this.#host.onChange?.();
          },
          ...(this.#host.wait === undefined ? {} : { wait: this.#host.wait }),
        },
        request,
      );
    } finally {
      if (this.#turns.get(request.session)?.request === request) {
        this.#turns.delete(request.session);
      }
      this.#host.onChange?.();
    }
  }

  /** Returns the model of a session's turn in this process; undefined if no turn is running. */
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

  /** Stops a running subagent, because the user wants it. */
  stop(session: string): void {
    this.#stops.get(session)?.abort();
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
    // Count it before the first await, so that several spawned together cannot exceed the limit.
    this.#subagents.set(session, running);
    const stop = new AbortController();
    this.#stops.set(session, stop);
    const signal = AbortSignal.any([call.signal, stop.signal]);
    let copy: TaskCopy | undefined;
    let isTold = false;
    try {
      const model = parent?.request.model ?? (await this.#defaultModel(call.signal));
      const onEvent = (event: AgentEvent): void => {
        const doing = describe(event);
        if (doing !== undefined && event.session === session) {
          running.doing = doing;
          this.#host.onChange?.();
          call.report(doing);
        }
        // Listeners of the parent get the events of its children, too; each event names its session.
        parent?.request.onEvent(event);
      };
      const place = parent?.place ?? { session: call.session, turn: call.callId };
      copy =
        spawned.sandbox === undefined
          ? undefined
          : await this.#openCopy({ kind: "subagent", name: session, session, turn: place.turn }, signal);
      const result = await (copy?.agents ?? this).run({
        ...{
          session,
          kind: "subagent",
          content: [{ type: "text", text: spawned.prompt }],
          model,
          tools: this.#toolsFor(spawned, parent),
          ...(spawned.tools === "read_only" ? {} : this.#sentBy(parent)),
        },
        ...{
          callTool: copy?.callTool ?? parent?.request.callTool ?? this.#host.callTool,
          maxIterations: SUB_ITERATIONS,
          signal,
          onEvent,
        },
        ...(copy !== undefined && { instructions: [copy.instructions] }),
        depth: (parent?.depth ?? 0) + 1,
        parent: place,
        root: parent?.request.root ?? place,
      });
      if (hasWorked(result)) {
        // Its answer is worth having without its changes, too; `close` says why they are not there.
        await copy?.bringBack().catch(() => undefined);
      }
      const changes = await copy?.close();
      isTold = !call.signal.aborted;
      if (result.reason === "cancelled" && isTold) {
        throw stopped(session, changes);
      }
      return { ...spawnResult(result, changes), ...(changes !== undefined && { copy: changes }) };
    } finally {
      const changes = (await copy?.close()) ?? "";
      if (!isTold && changes !== "") {
        this.#host.copies?.tell(`Subagent ${session}: ${changes}`);
      }
      this.#subagents.delete(session);
      this.#stops.delete(session);
      this.#host.onChange?.();
    }
  }

  async #openCopy(of: CopiedTask, signal: AbortSignal): Promise<TaskCopy> {
    if (this.#host.copies === undefined) {
      throw new ToolError(
        "unavailable",
        "sessions_spawn: sandbox: no copy of the folder can be made here.",
        "Leave sandbox out.",
      );
    }
    try {
      return await this.#host.copies.open(of, signal);
    } catch (error) {
      if (signal.aborted) {
        throw stopped(of.session);
      }
      throw new ToolError(
        "unavailable",
        `sessions_spawn: sandbox: no copy of the folder could be made: ${messageOf(error)}`,
        "Leave sandbox out.",
      );
    }
  }

  #refuse(session: string, parent: RunningTurn | undefined): void {
    if (parent !== undefined && parent.depth >= MAX_DEPTH) {
      throw new ToolError(
        "forbidden_tool",
        `sessions_spawn: subagents can be nested ${MAX_DEPTH} levels deep, and this is the deepest.`,
        "Do the work yourself.",
      );
    }
    const siblings = this.running().filter((other) => other.parent === session).length;
    if (siblings >= MAX_AT_ONCE) {
      throw new ToolError(
        "forbidden_tool",
        `sessions_spawn: ${siblings} subagents of this session are running; the limit is ${MAX_AT_ONCE}.`,
        "Wait until one ends.",
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
    return unwatchedTools(mainAgentTools(there)).filter(({ name }) => !isDeepest || name !== "sessions_spawn");
  }

  /** Returns the tools that are sent with every request of a subagent: those of its parent. */
  #sentBy(parent: RunningTurn | undefined): Pick<TurnRequest, "sent"> {
    const sent = parent === undefined ? sentTools(this.#host.tools()) : parent.request.sent;
    return sent === undefined ? {} : { sent };
  }

  #surroundingsOf(session: string): Promise<string> {
    const known = this.#surroundings.get(session) ?? this.#lookAround(session);
    this.#surroundings.set(session, known);
    return known;
  }

  async #lookAround(session: string): Promise<string> {
    // A session that is not logged began now.
    const began = await this.#host
      .log()
      .then(async (log) => (await log.status(session)).created)
      .catch(() => this.#host.now());
    return describeSurroundings(this.#host.files, {
      platform: this.#host.platform,
      began,
      hasBranch: this.#host.isTrusted(),
    });
  }

  async #systemPrompt({ session, kind, instructions = [], signal }: TurnRequest): Promise<string> {
    const { files } = this.#host;
    const trusted = this.#host.isTrusted();
    const isSubagent = kind === "subagent";
    return systemPrompt({
      roots: files.roots(),
      trusted,
      isSubagent,
      surroundings: await this.#surroundingsOf(session),
      // Instructions in a repository only count if the user trusts it.
      notes: trusted ? await workspaceNotes(files, this.#host.hasMemory(), signal) : [],
      instructions: [
        ...instructions,
        ...(isSubagent || !trusted ? [] : ((await this.#host.moreInstructions?.(signal)) ?? [])),
      ],
    });
  }
}

/** Describes a subagent's action in one line; undefined if the event is not a new action. */
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

/** Says that the user stopped a subagent, and what became of the changes in its copy. */
function stopped(session: string, changes = ""): ToolError {
  return new ToolError(
    "cancelled",
    ["sessions_spawn: the user stopped this subagent.", changes].join(" ").trim(),
    `sessions_history {"session_id": "${session}"} shows what it did.`,
  );
}

/** @param changes what became of those in its copy, as sentences */
function spawnResult(
  { session, reason, message, text, iterations, tokens }: TurnResult,
  changes: string | undefined,
): SpawnResult {
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
        [message ?? "The subagent gave no answer.", ...(changes === undefined ? [] : [changes])].join(" "),
        `sessions_history {"session_id": "${session}"} shows what it did.`,
      );
  }
}
