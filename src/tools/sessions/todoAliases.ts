// The lists of other systems' tools: Claude Code's TodoWrite, Codex' update_plan, Gemini CLI's write_todos, Copilot's
// manage_todo_list, Cursor's todo_write, Roo's update_todo_list (lines with boxes).
import { asRecords, ignoredIf, type AliasRule, type Aliases } from "../../core/aliases.js";
import { isRecord } from "../../core/jsonSchema.js";

/** Other words for a status, in lower case without separators. */
const STATUSES: Readonly<Record<string, string>> = {
  pending: "pending",
  notstarted: "pending",
  todo: "pending",
  open: "pending",
  blocked: "pending",
  inprogress: "in_progress",
  active: "in_progress",
  doing: "in_progress",
  completed: "completed",
  complete: "completed",
  done: "completed",
  finished: "completed",
};
const CANCELLED = ["cancelled", "canceled", "skipped"];
const BOXES: Readonly<Record<string, string>> = {
  " ": "pending",
  "": "pending",
  "-": "in_progress",
  ">": "in_progress",
};

/** A list of steps, also with other names of fields and statuses, as words alone, or as lines with boxes. */
const todos: AliasRule = {
  says: "also as lines: `[x] a`, `[-] b`, `[ ] c`",
  read: (value) => {
    const list = asRecords(value) ?? (typeof value === "string" ? readLines(value) : undefined);
    if (list === undefined) {
      return undefined;
    }
    const kept = list.filter((entry) => !isCancelled(entry));
    return {
      fields: { todos: kept.map(readStep) },
      ...(kept.length < list.length ? { note: "Cancelled steps are not kept." } : {}),
    };
  },
};

export const TODO_ALIASES: Aliases = {
  plan: "todos",
  steps: "todos",
  items: "todos",
  todoList: "todos",
  todo_list: "todos",
  todos,
  // Gemini CLI's name of a step: not one of the fields that only explain.
  "todos[].description": "text",
  operation: ignoredIf("write"),
  merge: ignoredIf(false),
};

function readStep(entry: unknown): unknown {
  if (typeof entry === "string") {
    return { content: entry, status: "pending" };
  }
  if (!isRecord(entry)) {
    return entry;
  }
  const content = ["content", "title", "step", "task", "text"].find((name) => typeof entry[name] === "string");
  const status = entry["status"] ?? "pending";
  return {
    content: content === undefined ? undefined : entry[content],
    status: typeof status === "string" ? (STATUSES[plainWord(status)] ?? status) : status,
  };
}

function isCancelled(entry: unknown): boolean {
  return isRecord(entry) && typeof entry["status"] === "string" && CANCELLED.includes(plainWord(entry["status"]));
}

function plainWord(status: string): string {
  return status.toLowerCase().replaceAll(/[\s_-]/g, "");
}

/** Reads lines with boxes; undefined if another line is among them. */
function readLines(text: string): unknown[] | undefined {
  const lines = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  const steps = lines.map((line) => /^(?:[-*+]|\d+\.)?\s*\[([ xX>-]?)\]\s(.+)$/s.exec(line));
  return steps.every((step) => step !== null)
    ? steps.map(([, box = "", content]) => ({ content: content?.trim(), status: BOXES[box] ?? "completed" }))
    : undefined;
}
