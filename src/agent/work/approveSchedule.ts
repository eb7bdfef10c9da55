import { ToolError } from "../../core/errors.js";
import type { ApprovedDocuments } from "../../ports/approvals.js";
import type { Confirm, Question } from "../../ports/confirm.js";
import type { Files } from "../../ports/files.js";
import { visibleLine } from "../../text/showHidden.js";
import {
  nextRuns,
  shownTimes,
  readSchedule,
  readSchedules,
  stateOf,
  type ScheduleFile,
} from "../../tools/automation/scheduleFiles.js";

/** Returns the schedules that wait for the user's approval. */
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
 * Shows a whole schedule and approves exactly that text if the answer is yes.
 *
 * @returns whether it is approved
 * @throws ToolError `conflict` if its file changed while the question was open, and as `Approvals.approve` does
 */
export async function approveSchedule(
  file: ScheduleFile,
  confirm: Confirm,
  approvals: ApprovedDocuments,
  files: Files,
  now: number,
  signal: AbortSignal,
): Promise<boolean> {
  const question = await approvalQuestion(file, now);
  if (question === undefined || file.text === undefined || (await confirm.ask(question, signal)) === "no") {
    return false;
  }
  if ((await readSchedule(files, file.name))?.text !== file.text) {
    throw new ToolError(
      "conflict",
      `The schedule ${file.name}: its file changed while you were reading it. Nothing was approved.`,
      "Review it again.",
    );
  }
  await approvals.approve(file.path, file.text);
  return true;
}

/** Returns the question before a schedule may run; undefined if it is malformed. */
export async function approvalQuestion(
  { name, path, text, parsed }: ScheduleFile,
  now: number,
): Promise<Question | undefined> {
  if (!parsed.ok || text === undefined) {
    return undefined;
  }
  const { fields } = parsed.document;
  return {
    tool: "cron",
    title: `Approve the schedule “${name}”?`,
    reasons: ["An unattended agent gets the text below each time. Any change of the file needs a new approval."],
    detail: {
      language: "markdown",
      text: `${shownTimes(fields.schedule, (await nextRuns(fields, now)).text)}\n\n${visibleLine(path)}:\n${text}`,
    },
    derived: [],
    accept: "Approve",
  };
}
