import { ToolError } from "../../core/errors.js";
import type { ApprovedDocuments } from "../../ports/approvals.js";
import type { Confirm, Question } from "../../ports/confirm.js";
import type { Files } from "../../ports/files.js";
import { visibleLine } from "../../text/showHidden.js";
import {
  nextRuns,
  readSchedule,
  readSchedules,
  stateOf,
  type ScheduleFile,
} from "../../tools/automation/scheduleFiles.js";

/** The schedules that wait for the user's approval. */
export async function inertSchedules(
  files: Files,
  approvals: ApprovedDocuments,
  signal: AbortSignal,
): Promise<ScheduleFile[]> {
  const inert: ScheduleFile[] = [];
  for (const file of await readSchedules(files, signal)) {
    if ((await stateOf(file, approvals)) === "inert") {
      inert.push(file);
    }
  }
  return inert;
}

/**
 * Shows a schedule as it is, whole, and approves exactly that if the answer is yes.
 *
 * @returns whether it is approved
 * @throws ToolError `conflict` when its file was changed while the question stood, and as `Approvals.approve` does
 */
export async function approveSchedule(
  file: ScheduleFile,
  confirm: Confirm,
  approvals: ApprovedDocuments,
  files: Files,
  now: number,
  signal: AbortSignal,
): Promise<boolean> {
  const question = approvalQuestion(file, now);
  if (question === undefined || file.text === undefined || (await confirm.ask(question, signal)) === "no") {
    return false;
  }
  if ((await readSchedule(files, file.name))?.text !== file.text) {
    throw new ToolError(
      "conflict",
      `The schedule ${file.name}: its file was changed while you looked at it. Nothing was approved.`,
      "Look at it again.",
    );
  }
  await approvals.approve(file.path, file.text);
  return true;
}

/** What a person is asked before a schedule may run; undefined for one that is malformed. */
export function approvalQuestion({ name, path, text, parsed }: ScheduleFile, now: number): Question | undefined {
  if (!parsed.ok || text === undefined) {
    return undefined;
  }
  const { fields } = parsed.document;
  return {
    tool: "cron",
    title: `Approve the schedule “${name}”?`,
    reasons: ["An agent is told the text below, unattended, each time. A change of the file has to be approved again."],
    detail: {
      language: "markdown",
      text: `${fields.schedule}  (${nextRuns(fields, now).text})\n\n${visibleLine(path)}:\n${text}`,
    },
    derived: [],
    accept: "Approve",
  };
}
