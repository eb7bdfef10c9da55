import { shorten } from "../../text/clip.js";
import { compareCodeUnits } from "../../text/nearest.js";
import { ToolError } from "../../core/errors.js";
import { isoTime } from "../memory/note.js";
import { documentCall, type Document } from "./document.js";
import { MAX_TRIES, TASK, TASK_PRIORITIES, type TaskFields, type TaskStatus } from "./task.js";

export type Task = Document<TaskFields>;

/** Fields that a step changes; undefined removes one. */
export type TaskChanges = { [Field in keyof TaskFields]?: TaskFields[Field] | undefined };

/** Maximum characters of an output or a reason kept with the task. */
const MAX_OUTPUT = 10_000;

/**
 * Returns the tasks that can be done now, in the order in which to do them: by priority, then oldest first, then by
 * name. A blocked task waits until all its blockers are complete; a blocker that does not exist never is.
 *
 * @param isAbandoned whether the worker of a task in progress is gone: then it has to be done again
 * @param isSentTo whether there is a message for a waiting task: then it continues
 */
export function tasksToDo(
  tasks: readonly Task[],
  isAbandoned: (name: string) => boolean,
  isSentTo: (name: string) => boolean = () => false,
): Task[] {
  const complete = new Set(tasks.flatMap(({ name, fields }) => (fields.status === "complete" ? [name] : [])));
  return tasks
    .filter(
      ({ name, fields: { status } }) =>
        status === "pending" ||
        (status === "in_progress" && isAbandoned(name)) ||
        (status === "waiting" && isSentTo(name)),
    )
    .filter(({ fields: { blocked_by } }) => blocked_by.every((blocker) => complete.has(blocker)))
    .sort(byUrgency);
}

/** Returns the blockers that keep a task waiting. */
export function openBlockers({ fields }: Task, tasks: readonly Task[]): string[] {
  const complete = new Set(tasks.flatMap((task) => (task.fields.status === "complete" ? [task.name] : [])));
  return fields.blocked_by.filter((blocker) => !complete.has(blocker));
}

/** Finds a cycle in the blockers that starts and ends at the given task; undefined if there is none. */
export function findCycle(start: string, blockedBy: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const open = [start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const blocker of blockedBy.get(name) ?? []) {
      if (blocker === start) {
        return wayTo(name, start, cameFrom);
      }
      if (!cameFrom.has(blocker)) {
        cameFrom.set(blocker, name);
        open.push(blocker);
      }
    }
  }
  return undefined;
}

/** Whether the workers of a task in progress have died as often as it may be tried. */
export function isSpent({ fields: { status, tries = 0 } }: Task): boolean {
  return status === "in_progress" && tries >= MAX_TRIES;
}

/**
 * Starts a task that is pending, or in progress and abandoned. The run counts as a try until it ends.
 *
 * @param session the one in which it runs
 * @throws ToolError `conflict`
 */
export function startTask(task: Task, worker: string, now: number, session?: string): TaskChanges {
  check(task, ["pending", "in_progress"], "be started");
  const { status, claimed_by, tries = 0 } = task.fields;
  // A worker that gives a task back removes its claim. With a claim, or with all tries used up, a person made it
  // pending.
  const isAnew = status === "pending" && (claimed_by !== undefined || tries >= MAX_TRIES);
  const started = {
    ...({
      status: "in_progress",
      claimed_by: worker,
      claimed_at: isoTime(now),
      updated: isoTime(now),
      output: undefined,
      waiting_reason: undefined,
    } as const),
    tries: isAnew ? 1 : tries + 1,
  };
  return session === undefined ? started : { ...started, session };
}

/** Ends a task with its output, or why it failed. @throws ToolError `conflict` if it is not running */
export function endTask(task: Task, status: "complete" | "failed", output: string, now: number): TaskChanges {
  check(task, ["in_progress"], "end");
  return {
    status,
    output: shorten(output, MAX_OUTPUT),
    updated: isoTime(now),
    waiting_reason: undefined,
    tries: undefined,
  };
}

/** Makes a task wait for somebody. @throws ToolError `conflict` if it is not running */
export function holdTask(task: Task, reason: string, now: number): TaskChanges {
  check(task, ["in_progress"], "wait");
  return { status: "waiting", waiting_reason: shorten(reason, MAX_OUTPUT), updated: isoTime(now), tries: undefined };
}

/**
 * Makes a task that was waiting, failed or in progress pending again, as if never tried. @throws ToolError `conflict`
 */
export function resumeTask(task: Task, now: number): TaskChanges {
  check(task, ["waiting", "failed", "in_progress"], "be resumed");
  return {
    status: "pending",
    claimed_by: undefined,
    claimed_at: undefined,
    output: undefined,
    waiting_reason: undefined,
    updated: isoTime(now),
    tries: undefined,
  };
}

/**
 * Gives a task back for its worker.
 *
 * @param isTry whether the run counts as one of its tries
 * @throws ToolError `conflict` if it is not running
 */
export function releaseTask(task: Task, now: number, isTry: boolean): TaskChanges {
  check(task, ["in_progress"], "be given back");
  const { tries = 1 } = task.fields;
  const left = isTry ? tries : tries - 1;
  return { ...resumeTask(task, now), tries: left > 0 ? left : undefined };
}

function check({ name, fields: { status } }: Task, allowed: readonly TaskStatus[], what: string): void {
  if (!allowed.includes(status)) {
    throw new ToolError(
      "conflict",
      `task ${name} is ${status}, so it cannot ${what}. Nothing was changed.`,
      `${documentCall("read", TASK, `"name": ${JSON.stringify(name)}`)} shows its state.`,
    );
  }
}

function byUrgency(a: Task, b: Task): number {
  const byPriority = TASK_PRIORITIES.indexOf(a.fields.priority) - TASK_PRIORITIES.indexOf(b.fields.priority);
  return byPriority || createdAt(a) - createdAt(b) || compareCodeUnits(a.name, b.name);
}

/** Returns when a task was created. One without a date has waited longest, as far as we know. */
function createdAt({ fields: { created } }: Task): number {
  return created === undefined ? 0 : Date.parse(created);
}

function wayTo(last: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [start];
  for (let name: string | undefined = last; name !== undefined && name !== start; name = cameFrom.get(name)) {
    way.unshift(name);
  }
  return [start, ...way];
}
