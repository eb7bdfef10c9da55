import * as z from "zod";
import type { DocumentKind } from "./document.js";
import { line, time } from "./fields.js";

export const TASK_STATUSES = ["pending", "in_progress", "waiting", "complete", "failed"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];
export const TASK_PRIORITIES = ["high", "medium", "low"] as const;

/** Characters of a title. */
export const MAX_TITLE = 200;
/** Tasks that one task waits for. */
export const MAX_BLOCKERS = 100;
/** How often in a row a task is begun whose workers or models do not bring it to an end. */
export const MAX_TRIES = 3;

/** The front matter of a task. A field that is none of these is a mistake. */
const TASK_FIELDS = z.strictObject({
  id: z.string().optional(),
  title: line(MAX_TITLE),
  status: z.enum(TASK_STATUSES).default("pending"),
  priority: z.enum(TASK_PRIORITIES).default("medium"),
  blocked_by: z.array(z.string()).max(MAX_BLOCKERS).default([]),
  created: time.optional(),
  updated: time.optional(),
  // What the worker writes that runs it.
  claimed_by: z.string().optional(),
  claimed_at: time.optional(),
  output: z.string().optional(),
  waiting_reason: z.string().optional(),
  session: z.string().max(200).optional(),
  // How often in a row it was begun, while no such run has come to an end. In the file, since it has to outlive the
  // worker's process.
  tries: z.int().min(0).max(MAX_TRIES).optional(),
});

export type TaskFields = z.output<typeof TASK_FIELDS>;

/** What only the worker that runs a task changes, and the tools that end it. */
export const WORKER_FIELDS = [
  "status",
  "claimed_by",
  "claimed_at",
  "output",
  "waiting_reason",
  "session",
  "tries",
] as const satisfies readonly (keyof TaskFields)[];

/** Tasks: work to be done by an agent. The body says what. */
export const TASK: DocumentKind<TaskFields> = {
  noun: "task",
  folder: ".toolhost/tasks",
  suffix: ".md",
  schema: TASK_FIELDS,
  nameField: "id",
  letters: "any",
  reserved: [],
  namedByTitle: true,
  problem: ({ name, fields: { blocked_by } }) =>
    blocked_by.includes(name) ? "blocked_by names the task itself" : undefined,
};
