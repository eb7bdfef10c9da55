import * as z from "zod";
import { once } from "../../core/once.js";
import type { ManagedProcess } from "../../ports/processes.js";

/** What a command changed, as data. */
const changedData = once(() =>
  z.union([
    z.object({ unknown: z.string().describe("Why it is not known.") }),
    z.object({
      files: z
        .array(
          z.object({
            change: z
              .enum(["created", "changed", "deleted", "moved", "mode"])
              .describe("mode: only its permissions changed."),
            path: z.string().describe("The file or folder."),
            from: z.string().optional().describe("Former path of what moved."),
            files: z.int().optional().describe("Number of files in a folder."),
            mode: z.string().optional().describe("Its permissions before and after: 644→755."),
            lines: z
              .object({ added: z.int().describe("Number of lines."), removed: z.int().describe("Number of lines.") })
              .optional()
              .describe("Changed lines, where they are known."),
            ignored: z.boolean().optional().describe("Git ignores it."),
            meanwhile: z.boolean().optional().describe("An edit or a save wrote it meanwhile."),
            perhaps_others: z.boolean().optional().describe("Others may have written it; undo of the turn leaves it."),
          }),
        )
        .describe("What changed."),
      more: z.int().describe("Number of further changes."),
      ignored: z.int().describe("Number of ignored files that changed, if there are too many to list."),
      not_covered: z.array(z.string()).describe("Folders that were not looked at, and why."),
      more_not_covered: z.int().describe("Number of further such folders."),
      git: z.array(z.string()).describe("What Git did to refs and stashes, which undo leaves, and what takes it back."),
      more_git: z.int().describe("Number of further such changes."),
      shared: z.boolean().describe("Another command ran at the same time."),
      may_be_others: z.boolean().describe("Changes that others may have made are among them."),
      not_undone: z.array(z.string()).describe("Changes that undo does not cover, and why."),
      more_not_undone: z.int().describe("Number of further such changes."),
      dropped: z.string().optional().describe("Why nothing that it changed in the sandbox was kept."),
    }),
  ]),
);

/** A command's result, as data. */
export const commandData = once(() =>
  z.object({
    status: z
      .enum(["exited", "signaled", "timeout", "cancelled", "limited", "background", "unobserved"])
      .describe("How it ended; never a guess."),
    exit_code: z.int().nullable().describe("null when a signal ended it, it still runs, or its end was not observed."),
    pipe_exit_codes: z.array(z.int()).optional().describe("Exit codes of a last pipe's commands, if not all are 0."),
    signal: z.string().nullable().describe("The signal that ended it, such as SIGTERM."),
    duration_ms: z.int().describe("Time from its start to its end, or until now."),
    process_id: z.string().optional().describe("Id of a background process, for the process tool."),
    stdout: z.string().optional().describe("Only where a program reads this, and loses the order of both streams."),
    stderr: z.string().optional().describe("As stdout."),
    omitted: z.int().describe("Characters of output omitted from the answer."),
    result_id: z.string().optional().describe("Id of the whole output, or of stdout, for read_result."),
    stderr_result_id: z.string().optional().describe("Id of all of stderr, for read_result."),
    changed: changedData()
      .optional()
      .describe("Files of the workspace that changed while it ran; absent if not watched."),
    left_running: z.boolean().nullable().describe("It ended, but processes it started still run; null when unknown."),
  }),
);

export type CommandData = z.output<ReturnType<typeof commandData>>;

/** Returns a command's state, without its output. */
export function commandState(process: ManagedProcess, now: number): CommandData {
  const { end, streams } = process;
  const { resultId } = streams?.stdout ?? process;
  const errorsId = streams?.stderr.resultId;
  return {
    status: end?.status ?? "background",
    exit_code: end?.exitCode ?? null,
    ...(end?.pipeExitCodes === undefined ? {} : { pipe_exit_codes: [...end.pipeExitCodes] }),
    signal: end?.signal ?? null,
    duration_ms: Math.round(end?.duration ?? now - process.started),
    ...(process.background ? { process_id: process.id } : {}),
    omitted: 0,
    ...(resultId === undefined ? {} : { result_id: resultId }),
    ...(errorsId === undefined ? {} : { stderr_result_id: errorsId }),
    left_running: end === undefined ? false : (end.leftRunning ?? null),
  };
}
