import * as z from "zod";
import { once } from "../../core/once.js";
import { cronProblem } from "../../text/cron.js";
import type { DocumentKind } from "./document.js";
import { line, time, WORK_PLACES } from "./fields.js";
import { STATE_FOLDER } from "../../names/stateFolder.js";

/** A cron expression with five fields. */
const cronExpression = once(() =>
  z.string().superRefine((text, context) => {
    const problem = cronProblem(text);
    if (problem !== undefined) {
      context.addIssue({ code: "custom", message: `the expression ${problem}` });
    }
  }),
);

/** A time zone of the IANA database. */
const timeZone = once(() =>
  z.string().refine(isTimeZone, "must be a time zone of the IANA database, such as Europe/Berlin or UTC"),
);

/** The front matter of a schedule. Any other field is a mistake. */
const SCHEDULE_FIELDS = once(() =>
  z.strictObject({
    id: z.string().optional(),
    description: line(1024).optional(),
    schedule: cronExpression(),
    time_zone: timeZone().optional(),
    session: line(200).optional(),
    model: line(200).optional(),
    sandbox: z.enum(WORK_PLACES).optional(),
    enabled: z.boolean().default(true),
    created: time().optional(),
    updated: time().optional(),
  }),
);

export type ScheduleFields = z.output<ReturnType<typeof SCHEDULE_FIELDS>>;

/**
 * Schedules: prompts that are sent at set times. The body is the prompt. Approvals are only in the user's state
 * (`approvals.ts`).
 */
export const SCHEDULE: DocumentKind<ScheduleFields> = {
  noun: "schedule",
  folder: `${STATE_FOLDER}/schedules`,
  suffix: ".md",
  schema: SCHEDULE_FIELDS,
  nameField: "id",
  letters: "any",
  reserved: [],
  namedByTitle: false,
  problem: ({ body }) => (body === "" ? "there is no prompt below the front matter" : undefined),
};

function isTimeZone(zone: string): boolean {
  try {
    // Offsets such as +02:00 ignore daylight saving time; a name identifies the place.
    return /^[A-Za-z]/.test(zone) && new Intl.DateTimeFormat("en", { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}
