import { ToolError } from "../errors.js";
import type { Claims } from "./claims.js";
import { documentPath } from "./document.js";
import { TASK } from "./task.js";
import { openBlockers, startTask, tasksToDo, type Task, type TaskChanges } from "./tasks.js";

/** The tasks of a workspace, for a worker. */
export interface TaskBoard {
  /** The tasks as their files are now; malformed ones are left out. */
  list(): Promise<Task[]>;
  /** Sets fields of a task's file. Throws `stale` when it no longer holds what `task` was read from. */
  change(task: Task, changes: TaskChanges): Promise<void>;
}

/** What a task is claimed under. */
export function taskClaim(name: string): string {
  return documentPath(TASK, name);
}

/**
 * Takes the next task: claims it, marks it as in progress and gives it, or undefined when there is none to do. Of many workers, in many
 * processes, one gets each. The caller ends it with `endTask` or `holdTask` in its file and then releases the claim: in this order, so that
 * whoever claims it next finds it ended.
 *
 * A task in progress whose worker is gone is taken again. One that nobody here has claimed (another machine's, say) is left alone.
 *
 * @param worker one line that names it, another for every worker
 */
export async function takeNextTask(board: TaskBoard, claims: Claims, worker: string, now: () => number): Promise<Task | undefined> {
  const isAbandoned = (name: string): boolean => claims.standing(taskClaim(name)) === "abandoned";
  for (const { name } of tasksToDo(await board.list(), isAbandoned)) {
    const before = claims.claim(taskClaim(name), worker);
    if (before === undefined) {
      continue;
    }
    let taken: Task | undefined;
    try {
      taken = await begin(board, name, before, worker, now);
    } finally {
      if (taken === undefined) {
        // Not released: if its file says that it is in progress, nobody would ever take it again.
        claims.abandon(taskClaim(name), worker);
      }
    }
    if (taken !== undefined) {
      return taken;
    }
  }
  return undefined;
}

/** Begins a claimed task, if it is still one to begin: the list may be older than the claim. */
async function begin(board: TaskBoard, name: string, before: "free" | "abandoned", worker: string, now: () => number): Promise<Task | undefined> {
  const tasks = await board.list();
  const task = tasks.find((each) => each.name === name);
  const isToDo = task?.fields.status === "pending" || (task?.fields.status === "in_progress" && before === "abandoned");
  if (task === undefined || !isToDo || openBlockers(task, tasks).length > 0) {
    return undefined;
  }
  const changes = startTask(task, worker, now());
  try {
    await board.change(task, changes);
  } catch (error) {
    if (error instanceof ToolError && ["stale", "not_found"].includes(error.type)) {
      // Somebody edits it just now: the next round sees what it has become.
      return undefined;
    }
    throw error;
  }
  return { ...task, fields: { ...task.fields, status: "in_progress", claimed_by: worker } };
}
