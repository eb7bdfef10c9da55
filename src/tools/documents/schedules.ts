import * as z from "zod";
import { line } from "../../features/documents/fields.js";
import { sandboxField } from "./sandboxField.js";
import { SCHEDULE, type ScheduleFields } from "../../features/documents/schedule.js";
import type { DocumentType } from "./documentType.js";
import { once } from "../../core/once.js";

const FILTERS = once(() => ({
  enabled: z.boolean().optional().describe("true: only enabled ones; false: only disabled ones."),
}));

// Cron expressions and time zones are checked with the whole document: JSON Schema cannot express them.
const INPUT = once(() => ({
  schedule: z
    .string()
    .max(200)
    .describe("Five cron fields: minute, hour, day of month, month, day of week. 0 9 * * 1-5 is 9:00 on weekdays."),
  prompt: z.string().describe("The prompt to send to the agent."),
  description: line(1024).optional().describe("Purpose, in one line."),
  time_zone: z.string().max(100).optional().describe("Time zone, such as Europe/Berlin. Default: the computer's."),
  session: line(200)
    .optional()
    .describe(
      "Session to send the prompt to: an existing id, or a name that schedules can share. Default: a session of its own.",
    ),
  model: line(200).optional().describe("Model to use. Default: the user's."),
  enabled: z.boolean().optional().describe("Whether it runs. Default: true."),
  sandbox: sandboxField(),
}));

/** Schedules, which are inert until the user approves their exact content (`features/documents/approvals.ts`). */
export const schedules: DocumentType<ScheduleFields, ReturnType<typeof FILTERS>, ReturnType<typeof INPUT>> = {
  kind: SCHEDULE,
  plural: "schedules",
  about:
    "A schedule sends a prompt to an agent at set times. It does nothing until the user has approved the exact content of its file.",
  nameField:
    "Name. Runs of characters other than letters and digits become -. The file is .toolhost/schedules/<name>.md.",
  writeAliases: { expression: "schedule", frequency: "schedule", body: "prompt", content: "prompt" },
  text: "prompt",
  filters: FILTERS,
  matches: (fields, { enabled }) => enabled === undefined || fields.enabled === enabled,
  row: ({ schedule, time_zone, enabled, session, model, sandbox, description, created, updated }) => ({
    schedule,
    time_zone: time_zone ?? null,
    enabled,
    description: description ?? null,
    session: session ?? null,
    model: model ?? null,
    ...(sandbox === undefined ? {} : { sandbox }),
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
  writes: "Replacing keeps fields that are not given. The schedule does nothing until the user approves it.",
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
