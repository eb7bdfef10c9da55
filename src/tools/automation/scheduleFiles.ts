import {
  documentPath,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENTS,
  parseDocument,
  type Parsed,
} from "../../features/documents/document.js";
import { cronWords } from "../../text/cronWords.js";
import { SCHEDULE, type ScheduleFields } from "../../features/documents/schedule.js";
import { ScheduleTimes, timeInZone } from "../../features/documents/scheduleTimes.js";
import { ToolError } from "../../core/errors.js";
import type { ApprovedDocuments } from "../../ports/approvals.js";
import type { Changes } from "../../ports/changes.js";
import type { Clock } from "../../ports/clock.js";
import type { Files } from "../../ports/files.js";
import type { Sessions } from "../../ports/sessions.js";
import { documentNames, isThere, unreadable } from "../documents/documentFiles.js";

/** Number of upcoming runs listed. */
const NEXT_RUNS = 3;

/** What the tools of schedules need of a call's context. */
export interface CronContext {
  files: Files;
  changes: Changes;
  clock: Clock;
  approvals: ApprovedDocuments;
  sessions: Sessions;
  signal: AbortSignal;
}

/** A schedule's file. */
export interface ScheduleFile {
  name: string;
  /** Its workspace path, the key under which it is approved, claimed and remembered. */
  path: string;
  /** The file's text; undefined if it is not a text file. */
  text: string | undefined;
  /** Whether it has unsaved changes; other processes see the version on disk. */
  isUnsaved?: boolean;
  parsed: Parsed<ScheduleFields>;
}

/**
 * Reads all schedules, including malformed ones.
 *
 * @throws ToolError those of `Files.list`, except when the folder does not exist
 */
export async function readSchedules(files: Files, signal: AbortSignal): Promise<ScheduleFile[]> {
  const names = (await documentNames(files, SCHEDULE)).slice(0, MAX_DOCUMENTS);
  const read: ScheduleFile[] = [];
  for (const name of names) {
    signal.throwIfAborted();
    const file = await readSchedule(files, name);
    read.push(...(file === undefined ? [] : [file]));
  }
  return read;
}

/** Reads one schedule; returns undefined if there is none with this name. */
export async function readSchedule(files: Files, name: string): Promise<ScheduleFile | undefined> {
  const path = documentPath(SCHEDULE, name);
  try {
    const at = await files.resolve(path);
    if (!(await isThere(files, at))) {
      return undefined;
    }
    const { text, unsaved } = await files.readSnapshot(at, MAX_DOCUMENT_BYTES);
    return { name, path, text, isUnsaved: unsaved, parsed: parseDocument(SCHEDULE, name, text) };
  } catch (error) {
    if (!(error instanceof ToolError)) {
      throw error;
    }
    return error.type === "not_found"
      ? undefined
      : { name, path, text: undefined, parsed: unreadable(error, { path }) };
  }
}

/**
 * Whether a schedule runs. `off`: its file says that it does not; `inert`: the user has not approved its current
 * content.
 */
export type ScheduleState = "on" | "off" | "inert" | "malformed";

/** Returns whether a schedule runs. */
export async function stateOf(
  { path, text, parsed }: ScheduleFile,
  approvals: Pick<ApprovedDocuments, "isApproved">,
): Promise<ScheduleState> {
  if (!parsed.ok || text === undefined) {
    return "malformed";
  }
  if (!parsed.document.fields.enabled) {
    return "off";
  }
  return (await approvals.isApproved(path, text)) ? "on" : "inert";
}

/** Returns a cron expression with what it means, if that has short words. */
export function shownSchedule(schedule: string): string {
  const words = cronWords(schedule);
  return words === undefined ? schedule : `${words}: ${schedule}`;
}

/** Says when a schedule runs, for somebody who is to approve it. @param next as `nextRuns` has it as text */
export function shownTimes(schedule: string, next: string): string {
  return `Runs ${cronWords(schedule) ?? "by cron"}: ${schedule}\n\nTime zone ${next}`;
}

/** Returns a schedule's time zone and its next runs after `now`, as text and in milliseconds since 1970. */
export async function nextRuns(
  fields: ScheduleFields,
  now: number,
): Promise<{ zone: string; next: number[]; text: string }> {
  const times = await ScheduleTimes.of(fields);
  const next = times.next(now, NEXT_RUNS);
  return {
    zone: times.zone,
    next,
    text: `${times.zone}; next: ${next.map((at) => timeInZone(at, times.zone)).join("; ") || "never"}`,
  };
}
