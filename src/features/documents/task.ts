import * as z from "zod";
import { once } from "../../core/once.js";
import type { DocumentKind } from "./document.js";
import { line, time, WORK_PLACES } from "./fields.js";
import { STATE_FOLDER } from "../../names/stateFolder.js";

export const TASK_STATUSES = ["pending", "in_progress", "waiting", "complete", "failed"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];
export const TASK_PRIORITIES = ["high", "medium", "low"] as const;

/** Maximum characters of a title. */
export const MAX_TITLE = 200;
/** Maximum number of tasks that one task waits for. */
export const MAX_BLOCKERS = 100;
/** How many times in a row a task is started if its workers or models do not finish it. */
export const MAX_TRIES = 3;

/** The front matter of a task. Any other field is a mistake. */
const TASK_FIELDS = once(() =>
  z.strictObject({
    id: z.string().optional(),
    title: line(MAX_TITLE),
    status: z.enum(TASK_STATUSES).default("pending"),
    priority: z.enum(TASK_PRIORITIES).default("medium"),
    blocked_by: z.array(z.string()).max(MAX_BLOCKERS).default([]),
    sandbox: z.enum(WORK_PLACES).optional(),
    created: time().optional(),
    updated: time().optional(),
    // Written by the worker that runs it.
    claimed_by: z.string().optional(),
    claimed_at: time().optional(),
    output: z.string().optional(),
    waiting_reason: z.string().optional(),
    session: z.string().max(200).optional(),
    // How many times in a row it was started without being completed. Kept in the file because it has to outlive the
    // worker's process.
    tries: z.int().min(0).max(MAX_TRIES).optional(),
  }),
);

export type TaskFields = z.output<ReturnType<typeof TASK_FIELDS>>;

/** Fields that only the worker running a task may change, and the tools that end it. */
export const WORKER_FIELDS = [
  "status",
  "claimed_by",
  "claimed_at",
  "output",
  "waiting_reason",
  "session",
  "tries",
] as const satisfies readonly (keyof TaskFields)[];

/** Tasks: work for an agent. The body describes it. */
export const TASK: DocumentKind<TaskFields> = {
  noun: "task",
  folder: `${STATE_FOLDER}/tasks`,
  suffix: ".md",
  schema: TASK_FIELDS,
  nameField: "id",
  letters: "any",
  reserved: [],
  namedByTitle: true,
  problem: ({ name, fields: { blocked_by } }) =>
    blocked_by.includes(name) ? "blocked_by names the task itself" : undefined,
};
