import type { Door } from "../../core/pipeline/activity.js";
import type { ChangeKeeper } from "../../features/changes/changes.js";
import type { Tool } from "../../core/contract.js";
import type { WorkState } from "../../features/documents/workState.js";
import type { SessionLog } from "../../features/sessions/sessionLog.js";
import type { Files } from "../../ports/files.js";
import type { ChatModel } from "../../ports/models.js";
import type { Agents } from "../agents.js";
import type { AgentEvent } from "../events.js";
import type { ToolCaller } from "../turn.js";

/** What unattended work, tasks and schedules, needs. */
export interface WorkHost {
  files: Files;
  changes: Pick<ChangeKeeper, "forCall">;
  /** @throws ToolError that says why there is no state */
  work(): Promise<WorkState>;
  log(): Promise<SessionLog>;
  agents: Pick<Agents, "run">;
  /** Returns the tools that can be used now, including those that end a task. */
  tools: () => readonly Tool[];
  /** Whether the user wants a tool to be sent with every request. Default: none but the usual ones. */
  isSent?: (tool: Tool) => boolean;
  /** Makes the calls. If nobody answers a question, the call must eventually be denied (`patientConfirm`). */
  callTool: ToolCaller;
  /** @param id undefined for the user's choice. @throws ModelError */
  model(id: string | undefined, signal: AbortSignal): Promise<ChatModel>;
  isTrusted(): boolean;
  door: Door;
  /** Where it runs, for the model and in a task's file: `a window of VS Code (process 41)`. */
  place: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  onEvent: (event: AgentEvent) => void;
}

/** Additional instructions for unattended work. */
export const UNATTENDED =
  "Nobody watches this turn or can answer questions. A denied call stays denied: continue without it, or say what it was needed for.";
