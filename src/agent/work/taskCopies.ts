import type { ToolCaller, TurnRequest, TurnResult } from "../turn.js";

/** The work that gets a copy. */
export interface CopiedTask {
  kind: "task" | "schedule" | "subagent";
  name: string;
  session: string;
  turn: string;
}

/** A copy of the workspace in which one task, one run of a schedule or one subagent works. */
export interface TaskCopy {
  agents: { run(request: TurnRequest): Promise<TurnResult> };
  /** Makes calls in the copy. The tools that end the task bring its changes into the workspace before they end it. */
  callTool: ToolCaller;
  /** Additional instructions for the model. */
  instructions: string;
  /**
   * Brings what was changed in the copy into the workspace, for a task whose end no tool has said.
   *
   * @returns what could not be brought there, and where it is kept, as sentences; undefined if all was
   */
  bringBack(): Promise<string | undefined>;
  /**
   * Removes the copy. What was not brought into the workspace is kept for the user.
   *
   * @returns what became of the changes, as sentences for people
   */
  close(): Promise<string>;
}

/** Whether a turn has done its work, so that its changes are merged. */
export function hasWorked({ reason }: Pick<TurnResult, "reason">): boolean {
  return reason === "answered" || reason === "terminal";
}

/** Makes copies of the workspace to work in. */
export interface TaskCopies {
  /** @throws Error if there can be none, with the reason as a sentence */
  open(task: CopiedTask, signal: AbortSignal): Promise<TaskCopy>;
  /** Tells people what became of a copy, where its work ended without a result that could say it. */
  tell(message: string): void;
}
