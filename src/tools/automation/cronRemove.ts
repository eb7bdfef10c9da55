import { documentPath, MAX_DOCUMENT_BYTES, parseDocument } from "../../features/documents/document.js";
import { SCHEDULE } from "../../features/documents/schedule.js";
import { localZone } from "../../features/documents/scheduleTimes.js";
import { ToolError } from "../../core/errors.js";
import type { ToolResult } from "../../core/outcome.js";
import type { GatedPath, TextSnapshot } from "../../ports/files.js";
import { refuseLink } from "../documents/deleteTool.js";
import { documentNames, isThere } from "../documents/documentFiles.js";
import { callRemarks } from "../fs/changeRemarks.js";
import { shownName } from "../../text/shownName.js";
import { nearestNames } from "../../text/nearest.js";
import { scheduleRow, type ScheduleRow } from "./cronList.js";
import { nextRuns, type CronContext } from "./scheduleFiles.js";

/** Maximum number of names listed in a hint. */
const MAX_NAMED = 20;

/** A schedule to be removed. */
export interface RemovePlan {
  kind: "remove";
  name: string;
  at: GatedPath;
  before: TextSnapshot;
}

/** @throws ToolError `unknown_id` with similar names, `unsupported` for a link */
export async function planRemove(name: string, { files }: CronContext): Promise<RemovePlan> {
  const at = await files.resolve(documentPath(SCHEDULE, name));
  if (!(await isThere(files, at))) {
    const names = await documentNames(files, SCHEDULE);
    const near = nearestNames(name, names);
    const rest = names.length - MAX_NAMED;
    const hint =
      near.length > 0
        ? `Did you mean ${near.map(shownName).join(" or ")}?`
        : names.length === 0
          ? "There are no schedules."
          : `There ${names.length === 1 ? "is" : "are"} ${names.slice(0, MAX_NAMED).map(shownName).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`;
    throw new ToolError(
      "unknown_id",
      `cron: there is no schedule ${name}. Nothing was removed.`,
      `${hint} Times are in the time zone ${localZone()}.`,
    );
  }
  await refuseLink(files, SCHEDULE, name, at);
  return { kind: "remove", name, at, before: await files.readSnapshot(at, MAX_DOCUMENT_BYTES) };
}

export function shownRemove({ at, before }: RemovePlan): string {
  return `Deletes ${at.path}:\n\n${before.text}`;
}

/** Removes a schedule and the user's approval: if the same text is created again, it is not approved. */
export async function removeSchedule(
  given: string,
  context: CronContext,
  shown: RemovePlan | undefined,
): Promise<ToolResult<{ schedules: ScheduleRow[] }>> {
  const { name, at, before } = shown ?? (await planRemove(given, context));
  const outcome = await context.changes.apply([{ kind: "delete", at, before }], context.signal);
  const path = documentPath(SCHEDULE, name);
  await context.approvals.revoke(path);
  const parsed = parseDocument(SCHEDULE, name, before.text);
  const row = await scheduleRow({ name, path, text: before.text, parsed }, "off", context.clock.now());
  const was = parsed.ok
    ? ` It was ${parsed.document.fields.schedule} (${(await nextRuns(parsed.document.fields, context.clock.now())).text.replace("; next:", "; would have been next:")}).`
    : "";
  return {
    text: [`Removed the schedule ${name}.${was}`, ...callRemarks(outcome)].join("\n"),
    data: { schedules: [row] },
  };
}
