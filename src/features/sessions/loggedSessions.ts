import type {
  RunningSubagent,
  SessionEntry,
  Sessions,
  SessionSummary,
  SpawnRequest,
  SpawnResult,
} from "../../ports/sessions.js";
import { ToolError } from "../../core/errors.js";
import { MAX_SESSIONS } from "./limits.js";
import type { SessionLog } from "./sessionLog.js";

/** A workspace's sessions from its log, for hosts that cannot run a model. Messages can be left for a session. */
export class LoggedSessions implements Sessions {
  readonly #log: () => Promise<SessionLog>;

  /** @param log returns the log of the current workspace */
  constructor(log: () => Promise<SessionLog>) {
    this.#log = log;
  }

  async list(limit: number): Promise<{ sessions: SessionSummary[]; total: number }> {
    return (await this.#log()).list(limit);
  }

  async history(
    id: string,
    limit: number,
    before?: number,
  ): Promise<{ entries: SessionEntry[]; total: number; earlier: number }> {
    return (await this.#log()).history(id, limit, before);
  }

  async status(id: string): Promise<SessionSummary> {
    return (await this.#log()).status(id);
  }

  async send(id: string, content: string, from: string): Promise<{ active: boolean }> {
    return (await this.#log()).leave(id, { content, from });
  }

  running(): RunningSubagent[] {
    return [];
  }

  /** Returns the only agent there is: active while one of the user's turns is in progress anywhere in the workspace. */
  async agents(): Promise<{ name: string; model: string | undefined; state: "idle" | "active" }[]> {
    const { sessions } = await this.list(MAX_SESSIONS);
    const own = sessions.filter(({ kind }) => kind !== "subagent");
    return [
      { name: "main", model: own[0]?.model, state: own.some(({ state }) => state === "active") ? "active" : "idle" },
    ];
  }

  async spawn(_request: SpawnRequest, _call: Parameters<Sessions["spawn"]>[1]): Promise<SpawnResult> {
    throw new ToolError(
      "unavailable",
      "Subagent spawning not available in this context",
      "Do the work yourself with the available tools.",
    );
  }
}
