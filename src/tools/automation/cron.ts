import * as z from "zod";
import type { Touch } from "../../core/contract.js";
import { defineTool } from "../../core/defineTool.js";
import { documentPath, givenName, newName } from "../../features/documents/document.js";
import { line } from "../../features/documents/fields.js";
import { SCHEDULE } from "../../features/documents/schedule.js";
import { ToolError } from "../../core/errors.js";
import { plainNameProblem } from "../../core/paths/plainName.js";
import { cronWords } from "../../text/cronWords.js";
import { oneLine, shorten } from "../../text/clip.js";
import { PROSE } from "../../text/prose.js";
import { slug } from "../../text/slug.js";
import { addSchedule, planAdd, shownAdd, type AddPlan } from "./cronAdd.js";
import { listSchedules } from "./cronList.js";
import { planRemove, removeSchedule, shownRemove, type RemovePlan } from "./cronRemove.js";

/** Maximum characters of a prompt, and of a name derived from one. */
const MAX_PROMPT = 50_000;
const MAX_MADE_NAME = 40;
/** Maximum characters of a prompt shown in a one-line summary for people. */
const MAX_SHOWN = 80;

interface CronInput {
  action: "list" | "add" | "remove";
  schedule?: string | undefined;
  prompt?: string | undefined;
  id?: string | undefined;
  session?: string | undefined;
}

export const cron = defineTool({
  name: "cron",
  group: "automation",
  title: "Schedule a prompt",
  description:
    "List, add or remove schedules: prompts sent to an agent at set times. Each runs in its own session, or in the one given by session, while a window of the workspace is open or toolhost work runs. " +
    "Adding asks the user, who sees exactly what will run. Missed runs, and runs due while the previous one is still going, are reported and skipped. " +
    "document with kind schedule reads and edits one; a changed schedule does nothing until the user approves it again.",
  input: () =>
    z.object({
      action: z
        .enum(["list", "add", "remove"])
        .describe("list needs no other field, add needs schedule and prompt, remove needs id."),
      schedule: z
        .string()
        .max(200)
        .optional()
        .describe(
          "For add: five cron fields in the computer's time zone: minute, hour, day of month, month, day of week. 0 9 * * 1-5 is 9:00 on weekdays.",
        ),
      prompt: z
        .string()
        .min(1)
        .max(MAX_PROMPT)
        .optional()
        .describe(
          "For add: the prompt to send. Make it self-contained: the agent does not see this conversation unless session is this session's id.",
        ),
      id: z
        .string()
        .optional()
        .describe("For remove: the schedule's name, as in list. For add: a name. Default: derived from the prompt."),
      session: line(200)
        .optional()
        .describe(
          "For add: the session to send the prompt to: an existing id (sessions_list), or a name that schedules can share. Default: a session of its own.",
        ),
    }),
  aliases: { session_id: "session", expression: "schedule", name: "id", message: "prompt", content: "prompt" },
  output: () =>
    z.object({
      schedules: z
        .array(
          z.object({
            id: z.string(),
            schedule: z.string().nullable().describe("null when the file is malformed."),
            time_zone: z.string().nullable(),
            next: z.array(z.string()).describe("The next three runs, in ISO 8601; empty while it does not run."),
            state: z
              .enum(["on", "off", "inert", "malformed"])
              .describe("inert: the user has not approved the file's current content."),
            prompt: z.string(),
            problem: z.string().optional(),
          }),
        )
        .describe("All schedules, or the one added or removed."),
    }),
  needs: ["files", "changes", "clock", "approvals", "sessions"],
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  positional: ["action"],
  texts: ["prompt"],
  touches: (input): Touch[] =>
    input.action === "list"
      ? [{ kind: "read", path: SCHEDULE.folder }]
      : [{ kind: "write", path: documentPath(SCHEDULE, nameOf(input)) }],
  summary: (input) => {
    switch (input.action) {
      case "list":
        return "List schedules";
      case "add":
        return `Add the schedule ${cronWords(input.schedule ?? "") ?? shorten(oneLine(input.schedule ?? ""), MAX_SHOWN)}: ${shorten(oneLine(input.prompt ?? ""), MAX_SHOWN)}`;
      case "remove":
        return `Remove the schedule ${shorten(oneLine(input.id ?? ""), MAX_SHOWN)}`;
    }
  },
  preview: async (
    input,
    context,
  ): Promise<{ language: string; text: string; plan: AddPlan | RemovePlan | undefined }> => {
    switch (input.action) {
      case "add": {
        const plan = await planAdd({ ...toAdd(input), name: nameOf(input) }, context);
        return { language: PROSE, text: shownAdd(plan), plan };
      }
      case "remove": {
        const plan = await planRemove(nameOf(input), context);
        return { language: "markdown", text: shownRemove(plan), plan };
      }
      case "list":
        return { language: "text", text: "", plan: undefined };
    }
  },
  expose: "optional",
  execute: async (input, context, shown) => {
    switch (input.action) {
      case "list":
        return listSchedules(context);
      case "add":
        return addSchedule(
          { ...toAdd(input), name: nameOf(input) },
          context,
          shown?.kind === "add" ? shown : undefined,
        );
      case "remove":
        return removeSchedule(nameOf(input), context, shown?.kind === "remove" ? shown : undefined);
    }
  },
});

/** Returns the name of the schedule that a call names. @throws ToolError `invalid_input` */
function nameOf(input: CronInput): string {
  if (input.action === "remove") {
    if (input.id === undefined) {
      throw new ToolError(
        "invalid_input",
        "cron: remove needs id, the name of the schedule.",
        'cron {"action": "list"} lists the names.',
      );
    }
    return givenName(SCHEDULE, input.id);
  }
  const { prompt } = toAdd(input);
  return input.id === undefined ? nameFor(prompt) : newName(SCHEDULE, input.id);
}

function nameFor(prompt: string): string {
  const made = slug(prompt, "any", MAX_MADE_NAME);
  return made === "" ? "schedule" : plainNameProblem(made) === undefined ? made : `schedule-${made}`;
}

function toAdd({ schedule, prompt, session }: CronInput): {
  schedule: string;
  prompt: string;
  session: string | undefined;
} {
  const missing = [
    ...(schedule === undefined ? ["schedule"] : []),
    ...(prompt === undefined || prompt.trim() === "" ? ["prompt"] : []),
  ];
  if (schedule === undefined || prompt === undefined || missing.length > 0) {
    throw new ToolError(
      "invalid_input",
      `cron: add needs ${missing.join(" and ")}.`,
      'For example {"action": "add", "schedule": "0 9 * * 1-5", "prompt": "Summarize what changed since yesterday."}',
    );
  }
  return { schedule: schedule.trim(), prompt, session };
}
