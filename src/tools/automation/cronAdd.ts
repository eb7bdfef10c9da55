import { checkDocumentSize, documentPath, MAX_DOCUMENTS, parseDocument } from "../../features/documents/document.js";
import { formatDocument } from "../../features/documents/frontMatter.js";
import { SCHEDULE, type ScheduleFields } from "../../features/documents/schedule.js";
import { localZone } from "../../features/documents/scheduleTimes.js";
import { ToolError } from "../../core/errors.js";
import { isoTime } from "../../features/memory/note.js";
import type { ToolResult } from "../../core/outcome.js";
import type { GatedPath } from "../../ports/files.js";
import { cronProblem } from "../../text/cron.js";
import { documentNames, isThere } from "../documents/documentFiles.js";
import { callRemarks } from "../fs/changeRemarks.js";
import { scheduleRow, type ScheduleRow } from "./cronList.js";
import { nextRuns, shownTimes, type CronContext } from "./scheduleFiles.js";
import { checkSession, isSessionId } from "./scheduleSession.js";

/** A schedule to be created. */
export interface AddPlan {
  kind: "add";
  name: string;
  at: GatedPath;
  text: string;
  fields: ScheduleFields;
  prompt: string;
  /** `nextRuns`, formatted as text. */
  next: string;
}

/** The schedule a call asks for. */
export interface AddRequest {
  name: string;
  schedule: string;
  prompt: string;
  /** Same as in `ScheduleFields`. */
  session: string | undefined;
}

/**
 * Works out a new schedule.
 *
 * @throws ToolError `invalid_input`, `path_conflict`, `too_large`, and those of `checkSession`
 */
export async function planAdd(
  { name, schedule, prompt, session }: AddRequest,
  { files, clock, sessions }: CronContext,
): Promise<AddPlan> {
  const problem = cronProblem(schedule);
  if (problem !== undefined) {
    throw new ToolError(
      "invalid_input",
      `cron: schedule: the expression ${problem}. Nothing was added.`,
      "Five fields: minute, hour, day of month, month, day of week. */10 * * * * is every ten minutes, 0 9 * * 1-5 is 9:00 on weekdays.",
    );
  }
  if (/[\0\p{Surrogate}]/u.test(prompt)) {
    throw new ToolError(
      "invalid_input",
      "cron: prompt: contains a NUL character or an unpaired surrogate. Nothing was added.",
      "Remove it.",
    );
  }
  await checkSession("cron", session, "added", sessions);
  const at = await files.resolve(documentPath(SCHEDULE, name));
  if (await isThere(files, at)) {
    throw new ToolError(
      "path_conflict",
      `schedule ${name} already exists. Nothing was added.`,
      "Choose another id, or remove it first.",
    );
  }
  const names = await documentNames(files, SCHEDULE);
  if (names.length >= MAX_DOCUMENTS) {
    throw new ToolError(
      "too_large",
      `schedule ${name}: there are already ${names.length}; the limit is ${MAX_DOCUMENTS}. Nothing was added.`,
      "Remove unneeded ones.",
    );
  }
  const now = clock.now();
  // Store the time zone: the schedule that the user approves must not run at a different time elsewhere.
  const text = formatDocument(
    {
      id: name,
      schedule,
      time_zone: localZone(),
      ...(session === undefined ? {} : { session }),
      enabled: true,
      created: isoTime(now),
      updated: isoTime(now),
    },
    prompt,
  );
  checkDocumentSize(`schedule ${name}`, text);
  const parsed = parseDocument(SCHEDULE, name, text);
  if (!parsed.ok) {
    throw new ToolError("invalid_input", `schedule ${name}: ${parsed.problem}. Nothing was added.`);
  }
  const { fields, body } = parsed.document;
  return { kind: "add", name, at, text, fields, prompt: body, next: (await nextRuns(fields, now)).text };
}

/** Returns the text a person approves: exactly what will be sent, when, and which file stores it. */
export function shownAdd({ fields, prompt, next, at }: AddPlan): string {
  const where =
    fields.session === undefined
      ? ""
      : isSessionId(fields.session)
        ? ` in the session ${fields.session}`
        : ` in the shared session ${fields.session}`;
  return [
    shownTimes(fields.schedule, next),
    "",
    `Sends to the agent${where}, unattended, each time:`,
    "",
    prompt,
    "",
    `Stored in ${at.path}`,
  ].join("\n");
}

/** Adds a schedule. It is approved if the user was shown it and agreed, or typed it themselves. */
export async function addSchedule(
  input: AddRequest,
  context: CronContext,
  shown: AddPlan | undefined,
): Promise<ToolResult<{ schedules: ScheduleRow[] }>> {
  const plan = shown ?? (await planAdd(input, context));
  const outcome = await context.changes.apply(
    [{ kind: "create", at: plan.at, content: { text: plan.text } }],
    context.signal,
  );
  const isSaved = outcome.files[0]?.text === undefined || outcome.files[0].text === plan.text;
  const isAgreed = (shown !== undefined || context.approvals.byOwner) && isSaved && context.approvals.isClosed !== true;
  const path = documentPath(SCHEDULE, plan.name);
  if (isAgreed) {
    await context.approvals.approve(path, plan.text);
  }
  const row = await scheduleRow(
    {
      name: plan.name,
      path,
      text: plan.text,
      parsed: { ok: true, document: { name: plan.name, fields: plan.fields, body: plan.prompt } },
    },
    isAgreed ? "on" : "inert",
    context.clock.now(),
  );
  const state = isAgreed
    ? ""
    : "It does nothing until the user approves it (Toolhost: Approve Schedules…, or toolhost work --approve in their own terminal).";
  return {
    text: [
      `Added the schedule ${plan.name}: ${plan.fields.schedule} (${plan.next}).`,
      ...(state === "" ? [] : [state]),
      ...callRemarks(outcome),
    ].join("\n"),
    data: { schedules: [row] },
  };
}
