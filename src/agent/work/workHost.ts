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

/** What work that goes on by itself needs: tasks and schedules. */
export interface WorkHost {
  files: Files;
  changes: Pick<ChangeKeeper, "forCall">;
  /** @throws ToolError why nothing is kept */
  work(): Promise<WorkState>;
  log(): Promise<SessionLog>;
  agents: Pick<Agents, "run">;
  /** Tools that can be used now, those that end a task among them. */
  tools: () => readonly Tool[];
  /** Makes the calls. One that needs a question nobody answers has to be denied at last (`patientConfirm`). */
  callTool: ToolCaller;
  /** @param id undefined for the user's choice. Throws a ModelError. */
  model(id: string | undefined, signal: AbortSignal): Promise<ChatModel>;
  isTrusted(): boolean;
  door: Door;
  /** Where it runs, for the model and in a task's file: `a window of VS Code (process 41)`. */
  place: string;
  /** Milliseconds since 1970. */
  now: () => number;
  onEvent: (event: AgentEvent) => void;
}

/** What unattended work is told beside the usual. */
export const UNATTENDED =
  "Nobody watches this turn and nobody can answer in it. A call that is denied stays denied: go on without it, or say what it was needed for.";
