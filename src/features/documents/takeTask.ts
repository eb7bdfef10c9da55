import { ToolError } from "../../core/errors.js";
import type { Claims } from "./claims.js";
import { documentPath } from "./document.js";
import { MAX_TRIES, TASK } from "./task.js";
import {
  endTask,
  isSpent,
  openBlockers,
  resumeTask,
  startTask,
  tasksToDo,
  type Task,
  type TaskChanges,
} from "./tasks.js";

/** A workspace's tasks, for a worker. */
export interface TaskBoard {
  /** The tasks as their files are now. Malformed ones are left out; a board shows them. */
  list(): Promise<Task[]>;
  /** Sets fields of a task's file. Throws `stale` if the file no longer holds what `task` was read from. */
  change(task: Task, changes: TaskChanges): Promise<void>;
  /** Whether a message was left for a task's session. Absent: there are none. */
  isSentTo?(task: Task): Promise<boolean>;
  /** The session in which a task is to run. Absent: the task's file does not record one. */
  sessionFor?(task: Task): Promise<string>;
}

/** A worker that takes tasks. */
export interface Taker {
  /** One line that identifies it, different for every worker. */
  worker: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Whether this worker does not take the task. */
  leaves?: (task: Task) => boolean;
}

/** A task that was taken. */
export interface TakenTask {
  /** As its file is now: in progress. */
  task: Task;
  /**
   * The task's state before. `abandoned`: the worker that started it is gone. `sentTo`: it was waiting, and its session
   * has received a message.
   */
  from: "pending" | "abandoned" | "sentTo";
  /** The reason it was waiting, if it was. */
  waitedFor: string | undefined;
}

/** A task that was claimed but not started: its workers have died `MAX_TRIES` times, so it is marked as failed. */
export interface SpentTask {
  /** As its file is now: failed, with the reason as its output. */
  task: Task;
  from: "spent";
}

/**
 * The output of a task whose workers died. Some of the tries may have ended because the model failed, but not the last.
 */
const SPENT = `It was started ${MAX_TRIES} times in a row and never finished; the last time its worker died, as when its process is killed or runs out of memory. Check what is already done before making it pending again.`;

/** Returns the document under which a task is claimed. */
export function taskClaim(name: string): string {
  return documentPath(TASK, name);
}

/**
 * Takes the next task: claims it, marks it as in progress and returns it, or undefined if there is none to do. Among
 * many workers in many processes, each task goes to one. The caller ends it with `endTask` or `holdTask` in its file
 * and then releases the claim, in this order, so that whoever claims it next finds it ended.
 *
 * A task in progress whose worker is gone is taken again. One that nobody here has claimed (another machine's, say) is
 * left alone. A waiting task is taken once a message was left for its session. One that cannot be started (because its
 * file cannot be written, say) does not hold up the others. One whose workers have died every time is marked as failed
 * in its file and returned as `spent`; the caller releases its claim too.
 *
 * @throws ToolError why the first task that could not be started failed, if no other was taken
 */
export async function takeNextTask(
  board: TaskBoard,
  claims: Claims,
  taker: Taker,
): Promise<TakenTask | SpentTask | undefined> {
  const { worker, leaves = () => false } = taker;
  const isAbandoned = (name: string): boolean => claims.standing(taskClaim(name)) === "abandoned";
  const tasks = await board.list();
  const sentTo = await sentToAmong(board, tasks);
  const failures: ToolError[] = [];
  for (const each of tasksToDo(tasks, isAbandoned, (waiting) => sentTo.has(waiting))) {
    const { name } = each;
    const before = leaves(each) ? undefined : claims.claim(taskClaim(name), worker);
    if (before === undefined) {
      continue;
    }
    try {
      const taken = await begin(board, name, before, taker);
      if (taken !== undefined) {
        return taken;
      }
    } catch (error) {
      // Don't release the claim: the file may say that the task is in progress, and nobody would ever take it again.
      claims.abandon(taskClaim(name), worker);
      if (!(error instanceof ToolError)) {
        throw error;
      }
      failures.push(error);
      continue;
    }
    if (before === "free") {
      // Its file was not touched: if somebody else has started it since, such as on another machine, it stays theirs.
      claims.release(taskClaim(name), worker);
    } else {
      claims.abandon(taskClaim(name), worker);
    }
  }
  if (failures[0] !== undefined) {
    throw failures[0];
  }
  return undefined;
}

async function sentToAmong(board: TaskBoard, tasks: readonly Task[]): Promise<Set<string>> {
  const names = await Promise.all(
    tasks.map(async (task) =>
      task.fields.status === "waiting" && (await board.isSentTo?.(task)) === true ? [task.name] : [],
    ),
  );
  return new Set(names.flat());
}

/** Starts a claimed task if it can still start: the list from which it was picked may predate the claim. */
async function begin(
  board: TaskBoard,
  name: string,
  before: "free" | "abandoned",
  { worker, now }: Taker,
): Promise<TakenTask | SpentTask | undefined> {
  const tasks = await board.list();
  const task = tasks.find((each) => each.name === name);
  const from = task === undefined ? undefined : await beginsFrom(board, task, before);
  if (task === undefined || from === undefined || openBlockers(task, tasks).length > 0) {
    return undefined;
  }
  const at = now();
  const ready = from === "sentTo" ? withChanges(task, resumeTask(task, at)) : task;
  const changes = isSpent(task)
    ? endTask(task, "failed", SPENT, at)
    : startTask(ready, worker, at, await board.sessionFor?.(task));
  try {
    await board.change(task, changes);
  } catch (error) {
    if (error instanceof ToolError && ["stale", "not_found"].includes(error.type)) {
      // Somebody is editing the file right now: the next round sees the result.
      return undefined;
    }
    throw error;
  }
  const changed = withChanges(ready, changes);
  return isSpent(task)
    ? { task: changed, from: "spent" }
    : { task: changed, from, waitedFor: task.fields.waiting_reason };
}

async function beginsFrom(
  board: TaskBoard,
  task: Task,
  before: "free" | "abandoned",
): Promise<TakenTask["from"] | undefined> {
  switch (task.fields.status) {
    case "pending":
      return "pending";
    case "in_progress":
      return before === "abandoned" ? "abandoned" : undefined;
    case "waiting":
      return (await board.isSentTo?.(task)) === true ? "sentTo" : undefined;
    default:
      return undefined;
  }
}

function withChanges(task: Task, changes: TaskChanges): Task {
  const entries = Object.entries({ ...task.fields, ...changes }).filter(([, value]) => value !== undefined);
  return { ...task, fields: Object.fromEntries(entries) as unknown as Task["fields"] };
}
