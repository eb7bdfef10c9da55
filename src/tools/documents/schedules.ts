import * as z from "zod";
import { line } from "../../features/documents/fields.js";
import { SCHEDULE, type ScheduleFields } from "../../features/documents/schedule.js";
import type { DocumentType } from "./documentType.js";

const FILTERS = {
  enabled: z.boolean().optional().describe("Only those that are enabled, or only those that are not."),
};

// What is a cron expression and a zone is checked with the whole document: a JSON Schema cannot say it.
const INPUT = {
  schedule: z
    .string()
    .max(200)
    .describe(
      "When, as five fields of cron: minute, hour, day of month, month, day of week. 0 9 * * 1-5 is nine o'clock on weekdays.",
    ),
  prompt: z.string().describe("What is said to the agent then."),
  description: line(1024).optional().describe("What it is for, in one line."),
  time_zone: z.string().max(100).optional().describe("Zone of these times: Europe/Berlin. Default: the computer's."),
  session: line(200)
    .optional()
    .describe(
      "Session in which it is said: the id of one there is, or a name that schedules share. Default: one of its own.",
    ),
  model: line(200).optional().describe("Model that answers. Default: the user's."),
  enabled: z.boolean().optional().describe("Default true."),
};

/** Schedules: inert until the user approved their exact content (`features/documents/approvals.ts`). */
export const schedules: DocumentType<ScheduleFields, typeof FILTERS, typeof INPUT> = {
  kind: SCHEDULE,
  plural: "schedules",
  about:
    "A schedule says a prompt to an agent at times. It does nothing until the user has approved exactly what its file says.",
  nameField: "Name: what is no letter, digit or - is made so. The schedule lies in .toolhost/schedules/<name>.md.",
  writeAliases: { expression: "schedule", frequency: "schedule", body: "prompt", content: "prompt" },
  filters: FILTERS,
  matches: (fields, { enabled }) => enabled === undefined || fields.enabled === enabled,
  row: ({ schedule, time_zone, enabled, session, model, description, created, updated }) => ({
    schedule,
    time_zone: time_zone ?? null,
    enabled,
    description: description ?? null,
    session: session ?? null,
    model: model ?? null,
    created: created ?? null,
    updated: updated ?? null,
  }),
  line: ({ fields: { schedule, time_zone, enabled, description }, body }) =>
    [
      schedule,
      ...(time_zone === undefined ? [] : [time_zone]),
      ...(enabled ? [] : ["[off]"]),
      description ?? body,
    ].join("  "),
  searched: ({ description = "", session = "" }) => [description, session],
  input: INPUT,
  writes: "What is not given again when one is replaced stays. It does nothing until the user approves it.",
  write: ({ prompt, name: _title, ...given }, { name, before }) => {
    const set = Object.fromEntries(
      Object.entries(given).filter(([field, value]) => field !== "on_conflict" && value !== undefined),
    );
    return { fields: { id: name, enabled: before?.fields.enabled ?? true, ...set }, body: prompt };
  },
  sessionOf: ({ session }) => session,
  isStamped: true,
  guard: () => undefined,
  guardEdit: () => undefined,
};
