import * as z from "zod";
import { once } from "../../core/once.js";
import { choice } from "../../core/aliases.js";
import { combineTools } from "../../core/combineTools.js";
import { DOCUMENT_ACTIONS } from "../../features/documents/document.js";
import { WORK_PLACES } from "../../features/documents/fields.js";
import { TASK_PRIORITIES, TASK_STATUSES } from "../../features/documents/task.js";
import { LINE_PATCHES } from "../linePatches.js";
import { documentParts } from "./documentParts.js";
import { prompts } from "./prompts.js";
import { schedules } from "./schedules.js";
import { skills } from "./skills.js";
import { tasks } from "./tasks.js";

const KINDS = ["skill", "prompt", "task", "schedule"] as const;

/** The fields of all parts, for models; a part's own definition has its limits. */
const INPUT = once(() =>
  z.object({
    action: z.enum(DOCUMENT_ACTIONS).describe("What to do. All but list need name."),
    kind: z.enum(KINDS).describe("What kind of document."),
    name: z
      .string()
      .optional()
      .describe("Its name, as list shows it. write may use a new one; for a task, a few words that become its name."),
    query: z.string().optional().describe("list: words to find, best match first. Default: all."),
    status: z.enum(TASK_STATUSES).optional().describe("list, task: only those with this status."),
    description: z
      .string()
      .optional()
      .describe(
        "write. skill: what it does and when to use it, all that an agent sees before loading it (required). task: what to do and when it counts as done, in Markdown. prompt, schedule: purpose, in one line.",
      ),
    body: z
      .string()
      .optional()
      .describe(
        "write, skill and prompt: the text, in Markdown (required). In a skill $ARGUMENTS, $1 to $9 and $name stand for arguments.",
      ),
    prompt: z.string().optional().describe("write, schedule: the prompt to send to the agent (required)."),
    schedule: z
      .string()
      .optional()
      .describe(
        "write, schedule: five cron fields: minute, hour, day of month, month, day of week (required). 0 9 * * 1-5 is 9:00 on weekdays.",
      ),
    time_zone: z.string().optional().describe("write, schedule: such as Europe/Berlin. Default: the computer's."),
    session: z
      .string()
      .optional()
      .describe("write, schedule: session to send it to, an id or a name to share. Default: its own."),
    model: z.string().optional().describe("write, schedule: model to use. Default: the user's."),
    enabled: z.boolean().optional().describe("schedule. write: whether it runs (default true). list: only such."),
    priority: z.enum(TASK_PRIORITIES).optional().describe("task. write: default medium. list: only such."),
    blocked_by: z.array(z.string()).optional().describe("write, task: names of tasks that must be complete first."),
    sandbox: z
      .enum(WORK_PLACES)
      .optional()
      .describe("write, task and schedule: worktree for work in a copy of the folder, merged when done."),
    arguments: z
      // The schema that is sent to models has the string alone.
      .union([z.string(), z.array(z.unknown())])
      .optional()
      .describe(
        'skill. read, to use it: its arguments on one line, empty for none; returns the text to follow. write: those it takes, as JSON: [{"name", "description", "required", "default"}].',
      ),
    on_conflict: z
      .enum(["error", "overwrite"])
      .optional()
      .describe("write: what to do if it exists; overwrite keeps other front matter fields. Default: error."),
    patches: LINE_PATCHES()
      .optional()
      .describe("edit: line changes, in any order, all with the line numbers of read. They must not overlap."),
    offset: z.int().min(0).optional().describe("list: number to skip. read: first line, 1-based."),
    limit: z.int().min(1).optional().describe("list: maximum number, default 100. read: number of lines."),
    column: z.int().min(1).optional().describe("read: first column of long lines."),
  }),
);

export const document = combineTools({
  name: "document",
  group: "documents",
  title: "Skills, prompts, tasks and schedules",
  description:
    "List, read, write, edit and delete skills, prompts, tasks and schedules: Markdown files with front matter. " +
    "A skill explains how to do something. A prompt is text that the user sends in VS Code's chat with /name. " +
    "A task is work for a separate agent: done by priority, then age, once the tasks blocking it are complete. " +
    "A schedule sends a prompt to an agent at set times, once the user has approved its exact content. " +
    "read returns numbered lines for edit, or with arguments a skill's text to follow. write creates one or, with on_conflict=overwrite, replaces it. " +
    "Nothing malformed is written: an edit applies all patches or none. Malformed files are listed and read with their problem. The user can undo changes.",
  input: INPUT,
  chosenBy: ["action", "kind"],
  aliases: {
    operation: "action",
    type: "kind",
    action: choice({
      get: { action: "read" },
      show: { action: "read" },
      view: { action: "read" },
      load: { action: "read" },
      search: { action: "list" },
      find: { action: "list" },
      create: { action: "write" },
      add: { action: "write" },
      remove: { action: "delete" },
    }),
    kind: choice(Object.fromEntries(KINDS.map((kind) => [`${kind}s`, { kind }]))),
  },
  parts: [...documentParts(skills), ...documentParts(prompts), ...documentParts(tasks), ...documentParts(schedules)],
  expose: "never",
});
