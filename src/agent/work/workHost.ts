import type { Door } from "../../core/pipeline/activity.js";
import type { ChangeKeeper } from "../../features/changes/changes.js";
import type { Tool } from "../../core/contract.js";
import { ToolError } from "../../core/errors.js";
import type { WorkState } from "../../features/documents/workState.js";
import type { SessionLog } from "../../features/sessions/sessionLog.js";
import type { Files } from "../../ports/files.js";
import type { ChatModel } from "../../ports/models.js";
import type { Agents } from "../agents.js";
import type { AgentEvent } from "../events.js";
import type { ToolCaller } from "../turn.js";
import type { TaskCopies } from "./taskCopies.js";

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
  /** Makes copies of the workspace. Absent: none can be made here, and work that asks for one is not done here. */
  copies?: TaskCopies;
  /** Whether the user wants a copy for all work, not only for what asks for one. */
  isInCopies?: boolean;
  door: Door;
  /** Where it runs, for the model and in a task's file: `a window of VS Code (process 41)`. */
  place: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  onEvent: (event: AgentEvent) => void;
}

/**
 * Whether a task or schedule is done in a copy of the workspace: if its file or the user asks for one. So a file can have
 * its work contained more than the user asked for, never less.
 */
export function needsCopy({ isInCopies }: Pick<WorkHost, "isInCopies">, fields: { sandbox?: unknown }): boolean {
  return isInCopies === true || fields.sandbox !== undefined;
}

/** Says that work needs a copy where none can be made. */
export function noCopies(what: string): ToolError {
  return new ToolError(
    "unsupported",
    `${what} asks to be done in a copy of the folder (sandbox: worktree), which is not made here.`,
    "toolhost work does it.",
  );
}

/** Additional instructions for unattended work. */
export const UNATTENDED =
  "Nobody watches this turn or can answer questions. A denied call stays denied: continue without it, or say what it was needed for.";
