import * as z from "zod";
import {
  MAX_BLOCKERS,
  MAX_TITLE,
  TASK,
  TASK_PRIORITIES,
  TASK_STATUSES,
  WORKER_FIELDS,
  type TaskFields,
} from "../../features/documents/task.js";
import { documentCall } from "../../features/documents/document.js";
import { findCycle, openBlockers, type Task } from "../../features/documents/tasks.js";
import type { AliasRule } from "../../core/aliases.js";
import { ToolError } from "../../core/errors.js";
import { excerpt, oneLine, shorten } from "../../text/clip.js";
import { compareCodeUnits, nearestNames } from "../../text/nearest.js";
import { shownName } from "../../text/shownName.js";
import type { DocumentType, Listed } from "./documentType.js";
import { once } from "../../core/once.js";
import { sandboxField } from "./sandboxField.js";

const FILTERS = once(() => ({
  status: z.enum(TASK_STATUSES).optional().describe("Only those with this status."),
  priority: z.enum(TASK_PRIORITIES).optional().describe("Only those with this priority."),
}));

const INPUT = once(() => ({
  description: z.string().optional().describe("What to do and when it counts as done, in Markdown."),
  priority: z.enum(TASK_PRIORITIES).optional().describe("Default: medium."),
  blocked_by: z.array(z.string()).max(MAX_BLOCKERS).optional().describe("Names of tasks that must be complete first."),
  sandbox: sandboxField(),
}));

/** Other kinds have both a description and a body, so some models give both for a task, too. */
const BELOW_DESCRIPTION: AliasRule = {
  says: "`description`, or what follows it",
  replaces: true,
  read: (body, { description = body }) =>
    typeof body !== "string" || typeof description !== "string"
      ? undefined
      : {
          fields: { description: description === body ? body : `${description}\n\n${body}` },
          ...(description === body ? {} : { note: "A task has one text: description, then body." }),
        },
};

/** Tasks for agents to work on. */
export const tasks: DocumentType<TaskFields, ReturnType<typeof FILTERS>, ReturnType<typeof INPUT>> = {
  kind: TASK,
  plural: "tasks",
  about:
    "A task is work for a separate agent: done by priority, then age, once the tasks blocking it are complete. Listed newest first.",
  nameField: "The task in a few words, which become its name: fix-the-login. The file is .toolhost/tasks/<name>.md.",
  writeAliases: { title: "name", content: "description", body: BELOW_DESCRIPTION },
  text: "description",
  filters: FILTERS,
  matches: (fields, { status, priority }) =>
    (status === undefined || fields.status === status) && (priority === undefined || fields.priority === priority),
  compare: (a, b) => createdAt(b) - createdAt(a) || compareCodeUnits(a.name, b.name),
  row: ({ title, status, priority, blocked_by, sandbox, created, updated, claimed_by, output, waiting_reason }) => ({
    title,
    status,
    priority,
    blocked_by,
    created: created ?? null,
    updated: updated ?? null,
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(claimed_by === undefined ? {} : { claimed_by }),
    ...(output === undefined ? {} : { output }),
    ...(waiting_reason === undefined ? {} : { waiting_reason }),
  }),
  line: (document, all) => {
    const { status, priority, title, waiting_reason } = document.fields;
    const blockers = status === "pending" ? openBlockers(document, wellFormed(all)) : [];
    return [
      `[${status}, ${priority}]`,
      title,
      ...(blockers.length > 0 ? [`(after ${blockers.map(shownName).join(", ")})`] : []),
      ...(waiting_reason === undefined ? [] : [`(waits: ${waiting_reason})`]),
    ].join("  ");
  },
  searched: ({ title, output = "" }) => [title, output],
  input: INPUT,
  writes: "A new task is pending. A pending task can be replaced; fields not given are kept.",
  write: ({ name: title, description, priority, blocked_by, sandbox }, { name, before }) => ({
    fields: {
      id: name,
      // If the call gives the name, keep the title it was derived from.
      title: title === name ? (before?.fields.title ?? title) : checkTitle(title),
      status: "pending",
      priority: priority ?? before?.fields.priority ?? "medium",
      blocked_by: blocked_by ?? before?.fields.blocked_by ?? [],
      ...(sandbox !== undefined && { sandbox }),
    },
    body: description ?? before?.body ?? "",
  }),
  isStamped: true,
  outdated: ["tries"],
  guard: ({ name, fields: { status, claimed_by } }, doing) => {
    if (status === "in_progress" && doing === "delete") {
      throw new ToolError(
        "conflict",
        `task ${name} is in progress${claimed_by === undefined ? "" : ` (${shorten(oneLine(claimed_by), 200)})`}. Nothing was changed.`,
        "Wait until it ends, or ask the user to stop its worker.",
      );
    }
    if (status !== "pending" && doing !== "delete") {
      throw new ToolError(
        "conflict",
        `task ${name} is ${status}; only a pending task can be changed. Nothing was changed.`,
        "Make a new task instead.",
      );
    }
  },
  guardEdit: (before, { name, fields }) => {
    const changed = WORKER_FIELDS.filter(
      (field) => fields[field] !== (before?.fields[field] ?? (field === "status" ? "pending" : undefined)),
    );
    if (changed.length > 0) {
      throw new ToolError(
        "protected",
        `task ${name}: ${changed.join(", ")} ${changed.length === 1 ? "is" : "are"} set by the worker that runs the task. Nothing was changed.`,
        "Keep these lines unchanged.",
      );
    }
  },
  checkAmong: ({ name, fields: { blocked_by } }, others) => {
    const names = others.map((other) => other.name);
    const unknown = blocked_by.find((blocker) => !names.includes(blocker));
    if (unknown !== undefined) {
      const near = nearestNames(unknown, names);
      throw new ToolError(
        "not_found",
        `task ${name}: blocked_by names ${excerpt(unknown)}, which does not exist. Nothing was changed.`,
        near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `${documentCall("list", TASK)} lists the names.`,
      );
    }
    const blockedBy = new Map(wellFormed(others).map((task) => [task.name, task.fields.blocked_by]));
    const cycle = findCycle(name, blockedBy.set(name, blocked_by));
    if (cycle !== undefined) {
      throw new ToolError(
        "invalid_input",
        `task ${name} would block itself: ${shorten(cycle.join(" → "), 500)}. Nothing was changed.`,
        "Remove one of them from blocked_by.",
      );
    }
  },
  afterDelete: (name, others) => {
    const waiting = wellFormed(others).filter(
      ({ fields: { blocked_by, status } }) => status === "pending" && blocked_by.includes(name),
    );
    return waiting.length === 0
      ? []
      : [
          `Now ${waiting.length === 1 ? "this task waits" : "these tasks wait"} for a task that does not exist: ${waiting
            .slice(0, 20)
            .map((task) => shownName(task.name))
            .join(", ")}. Change blocked_by with ${documentCall("edit", TASK)}.`,
        ];
  },
};

function checkTitle(title: string): string {
  const plain = oneLine(title);
  if (plain.length > MAX_TITLE) {
    throw new ToolError(
      "invalid_input",
      `task ${excerpt(title)}: the name has ${plain.length} characters; the limit is ${MAX_TITLE}. Nothing was written.`,
      "Give a short name, and put the rest into description.",
    );
  }
  return plain;
}

function wellFormed(listed: readonly Listed<TaskFields>[]): Task[] {
  return listed.flatMap(({ parsed }) => (parsed.ok ? [parsed.document] : []));
}

function createdAt({ fields: { created } }: Task): number {
  return created === undefined ? 0 : Date.parse(created);
}
