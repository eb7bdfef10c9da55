import type { ToolResult } from "../../core/outcome.js";
import { localZone } from "../../features/documents/scheduleTimes.js";
import { oneLine, shorten } from "../../text/clip.js";
import { shownName } from "../../text/shownName.js";
import {
  nextRuns,
  readSchedules,
  stateOf,
  type CronContext,
  type ScheduleFile,
  type ScheduleState,
} from "./scheduleFiles.js";

/** Maximum characters of a prompt in a list. */
const MAX_PROMPT = 200;

/** A schedule as data. */
export interface ScheduleRow {
  id: string;
  schedule: string | null;
  time_zone: string | null;
  next: string[];
  state: ScheduleState;
  prompt: string;
  problem?: string;
}

export async function scheduleRow(
  { name: id, parsed }: ScheduleFile,
  state: ScheduleState,
  now: number,
): Promise<ScheduleRow> {
  if (!parsed.ok) {
    return { id, schedule: null, time_zone: null, next: [], state: "malformed", prompt: "", problem: parsed.problem };
  }
  const { fields, body } = parsed.document;
  const { zone, next } = await nextRuns(fields, now);
  return {
    id,
    schedule: fields.schedule,
    time_zone: zone,
    next: state === "on" ? next.map((at) => new Date(at).toISOString()) : [],
    state,
    prompt: shorten(body, MAX_PROMPT),
  };
}

/** Lists all schedules, each with its time zone, its next runs, and whether it runs at all. */
export async function listSchedules({
  files,
  clock,
  approvals,
  signal,
}: CronContext): Promise<ToolResult<{ schedules: ScheduleRow[] }>> {
  const now = clock.now();
  const found = await readSchedules(files, signal);
  const listed = await Promise.all(found.map(async (file) => ({ file, state: await stateOf(file, approvals) })));
  const text =
    listed.length === 0
      ? `There are no schedules. New ones use the time zone ${localZone()}.`
      : (await Promise.all(listed.map(({ file, state }) => lineOf(file, state, now)))).join("\n");
  const schedules = await Promise.all(listed.map(({ file, state }) => scheduleRow(file, state, now)));
  return { text, data: { schedules } };
}

async function lineOf({ name, parsed }: ScheduleFile, state: ScheduleState, now: number): Promise<string> {
  if (!parsed.ok) {
    return `${shownName(name)}  [malformed: ${oneLine(parsed.problem)}]`;
  }
  const { fields, body } = parsed.document;
  const note = { on: "", off: "  [off]", inert: "  [does nothing until the user approves it]", malformed: "" }[state];
  return `${shownName(name)}  ${fields.schedule}  (${(await nextRuns(fields, now)).text})${note}\n    ${shorten(oneLine(body), MAX_PROMPT)}`;
}
