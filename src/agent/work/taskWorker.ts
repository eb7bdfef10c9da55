import type { Claims } from "../../features/documents/claims.js";
import { takeNextTask, taskClaim, type SpentTask, type TakenTask } from "../../features/documents/takeTask.js";
import { MAX_TRIES } from "../../features/documents/task.js";
import { endTask, holdTask, releaseTask, type Task, type TaskChanges } from "../../features/documents/tasks.js";
import { ToolError } from "../../core/errors.js";
import { newId } from "../../core/pipeline/pipeline.js";
import { messageOf } from "../../text/words.js";
import type { ChatModel } from "../../ports/models.js";
import { agentTools, unwatchedTools } from "../toolSets.js";
import type { TurnResult } from "../turn.js";
import { FileBoard, type UnreadTask } from "./taskBoard.js";
import type { CopiedTask, TaskCopy } from "./taskCopies.js";
import { ASK_FOR_END, taskPrompt, TASK_INSTRUCTIONS } from "./taskPrompt.js";
import { needsCopy, noCopies, UNATTENDED, type WorkHost } from "./workHost.js";

/** Maximum number of requests per task: more than in a chat turn, since nobody says “continue”. */
const MAX_ITERATIONS = 100;
/** Maximum model requests when a task was not ended and the model is asked to end it. */
const END_ITERATIONS = 3;
/** How often to retry writing the end of a task while its file is changed by others. */
const WRITE_TRIES = 5;
/** How long a worker leaves a task alone after its model failed, in ms. */
const PAUSE = 5 * 60_000;

/** A running task. */
export interface RunningTask {
  name: string;
  title: string;
  session: string;
  from: TakenTask["from"];
}

/** The result of a task's run. */
export interface TaskRun extends Omit<RunningTask, "from"> {
  /** `spent`: it was not started again but marked as failed. */
  from: TakenTask["from"] | SpentTask["from"];
  /**
   * `released`: it is pending again, because it was stopped or its model failed; `lost`: its file is gone, malformed or
   * claimed by another worker.
   */
  status: "complete" | "failed" | "waiting" | "released" | "lost";
  /** The summary, the reason for failing or waiting, or why it was released. */
  note: string;
  reason: TurnResult["reason"];
  /** What became of its changes, if it worked in a copy of the workspace: sentences for people. */
  copy?: string;
}

/** How a task ends, and the changes to its file. */
interface TaskEnd extends Pick<TaskRun, "status" | "note"> {
  changes: TaskChanges;
}

/** Takes tasks and runs each in its own session. Each call runs one task. */
export class TaskWorker {
  readonly #host: WorkHost;
  /** Tasks whose model failed here, and until when to leave them alone. */
  readonly #resting = new Map<string, number>();

  constructor(host: WorkHost) {
    this.#host = host;
  }

  /**
   * Takes the next task and runs it to its end. Always releases its claim.
   *
   * @param options.model the model to use; default: the user's choice
   * @param options.only the name of the only task to take
   * @param options.isPatient whether to leave a task alone for a while after its model failed
   * @param options.onBegin called when a task is taken
   * @param options.onUnread called with unreadable task files if no task was taken: one to do may be
   * among them
   * @returns the result; undefined if no readable task can be done
   * @throws ToolError `untrusted`, `unavailable` if there is no state or the task tools are off, `unsupported` if the
   * only tasks to do need a copy of the folder and none can be made here; ModelError before a task is taken
   */
  async runNext(options: {
    signal: AbortSignal;
    model?: ChatModel;
    only?: string;
    isPatient?: boolean;
    onBegin?: (task: RunningTask) => void;
    onUnread?: (problems: readonly UnreadTask[]) => void;
  }): Promise<TaskRun | undefined> {
    const { signal, only, isPatient = false } = options;
    this.#check();
    const { claims } = await this.#host.work();
    // Find the model first: without one, take no task.
    const model = options.model ?? (await this.#host.model(undefined, signal));
    const turn = newId();
    const board = new FileBoard(this.#host, turn);
    const worker = `${this.#host.place}, ${newId().slice(0, 8)}`;
    let uncopiedTask: string | undefined;
    const leaves = ({ name, fields }: Task): boolean => {
      if ((only !== undefined && name !== only) || (isPatient && (this.#resting.get(name) ?? 0) > this.#host.now())) {
        return true;
      }
      const isLeft = this.#host.copies === undefined && needsCopy(this.#host, fields);
      uncopiedTask ??= isLeft ? name : undefined;
      return isLeft;
    };
    const taken = await takeNextTask(board, claims, { worker, now: () => this.#host.now(), leaves });
    if (taken === undefined) {
      if (board.unread.length > 0) {
        options.onUnread?.(board.unread);
      }
      if (uncopiedTask !== undefined) {
        throw noCopies(`task ${uncopiedTask}`);
      }
      return undefined;
    }
    const { task } = taken;
    const about = { name: task.name, title: task.fields.title, session: task.fields.session ?? turn };
    if (taken.from === "spent") {
      letGo(claims, task.name, worker, true);
      return { ...about, from: taken.from, status: "failed", note: task.fields.output ?? "", reason: "failed" };
    }
    const running = { ...about, from: taken.from };
    let settled: Pick<TaskRun, "status" | "note"> | undefined;
    let copy: TaskCopy | undefined;
    try {
      options.onBegin?.(running);
      try {
        copy = needsCopy(this.#host, task.fields) ? await this.#openCopy({ ...about, turn }, signal) : undefined;
      } catch (error) {
        settled = await this.#settle(board, task.name, worker, uncopied(error, about.session, turn, signal));
        return { ...running, ...settled, reason: "failed" };
      }
      const result = await this.#run(taken, running.session, turn, model, signal, board, worker, copy);
      settled = await this.#settle(board, task.name, worker, result, copy);
      const changes = await copy?.close();
      return { ...running, ...settled, reason: result.reason, ...(changes !== undefined && { copy: changes }) };
    } finally {
      await copy?.close();
      letGo(claims, task.name, worker, settled !== undefined && settled.status !== "lost");
    }
  }

  #openCopy(task: Omit<CopiedTask, "kind">, signal: AbortSignal): Promise<TaskCopy> {
    if (this.#host.copies === undefined) {
      throw noCopies(`task ${task.name}`);
    }
    return this.#host.copies.open({ ...task, kind: "task" }, signal);
  }

  #check(): void {
    if (!this.#host.isTrusted()) {
      throw new ToolError(
        "untrusted",
        "Tasks do not run in an untrusted workspace.",
        "Trust it first: Workspaces: Manage Workspace Trust.",
      );
    }
    if (!this.#host.tools().some(({ terminal }) => terminal)) {
      throw new ToolError(
        "unavailable",
        "Tasks cannot end here: the task tools are turned off.",
        "The setting toolhost.groups.task turns them on.",
      );
    }
  }

  async #run(
    taken: TakenTask,
    session: string,
    turn: string,
    model: ChatModel,
    signal: AbortSignal,
    board: FileBoard,
    worker: string,
    copy: TaskCopy | undefined,
  ): Promise<TurnResult> {
    const { onEvent, tools } = this.#host;
    const { agents, callTool } = copy ?? this.#host;
    // A question to someone is `wait_task`.
    const there = unwatchedTools(tools());
    const enders = there.filter(({ terminal }) => terminal);
    const request = {
      ...({ session, turn, kind: "task", title: taken.task.fields.title, model, callTool, signal, onEvent } as const),
      instructions: [TASK_INSTRUCTIONS, UNATTENDED, ...(copy === undefined ? [] : [copy.instructions])],
    };
    const result = await agents.run({
      ...request,
      content: [{ type: "text", text: taskPrompt(taken) }],
      ...agentTools(there, this.#host.isSent, enders),
      maxIterations: MAX_ITERATIONS,
    });
    if (result.reason !== "answered" || !(await isOurs(board, taken.task.name, worker))) {
      return result;
    }
    // The model answered without ending the task, so ask once more.
    const second = await agents.run({
      ...request,
      content: [{ type: "text", text: ASK_FOR_END }],
      tools: enders,
      maxIterations: END_ITERATIONS,
    });
    return second.reason === "terminal" || second.reason === "cancelled" ? second : result;
  }

  /** Records the end of a task, unless one of its tools has done so. */
  async #settle(
    board: FileBoard,
    name: string,
    worker: string,
    result: TurnResult,
    copy?: TaskCopy,
  ): Promise<Pick<TaskRun, "status" | "note">> {
    for (let attempt = 1; ; attempt++) {
      const now = await board.read(name);
      if (now === undefined || now.fields.claimed_by !== worker) {
        return {
          status: "lost",
          note: now === undefined ? "Its file is gone or malformed." : "Another worker took it over.",
        };
      }
      const { status, output, waiting_reason } = now.fields;
      if (status !== "in_progress") {
        this.#resting.delete(name);
        return status === "pending"
          ? { status: "released", note: "It was set to pending in the meantime." }
          : { status, note: waiting_reason ?? output ?? "" };
      }
      const end = await this.#withChanges(now, this.#endOf(now, result), copy);
      try {
        await board.change(now, end.changes);
        return end;
      } catch (error) {
        if (!(error instanceof ToolError) || error.type !== "stale" || attempt >= WRITE_TRIES) {
          throw error;
        }
      }
    }
  }

  /** Brings the changes of a task that is done into the workspace. If that fails, the task waits for someone to do it. */
  async #withChanges(task: Task, end: TaskEnd, copy: TaskCopy | undefined): Promise<TaskEnd> {
    const left = end.status === "complete" ? await copy?.bringBack() : undefined;
    return left === undefined
      ? end
      : {
          status: "waiting",
          note: left,
          changes: holdTask(task, left, this.#host.now()),
        };
  }

  /** Returns how to end a task that its tools did not end. */
  #endOf(task: Task, { reason, message, text, iterations, tooLong = false }: TurnResult): TaskEnd {
    const now = this.#host.now();
    const end = (status: "complete" | "failed", note: string): TaskEnd => ({
      status,
      note,
      changes: endTask(task, status, note, now),
    });
    const release = (note: string, isTry: boolean): TaskEnd => ({
      status: "released",
      note,
      changes: releaseTask(task, now, isTry),
    });
    switch (reason) {
      case "cancelled":
        return release("It was stopped and is pending again.", false);
      case "answered":
      case "terminal":
        return end("complete", `Agent completed without explicit status tool call. Its last answer:\n${text}`);
      case "limit":
        return end("failed", `Max turns exceeded. Its last answer:\n${text}`);
      case "repeated":
        return end("failed", `The model made the same call over and over. Its last answer:\n${text}`);
      case "empty":
      case "failed": {
        const { tries = 1 } = task.fields;
        this.#resting.set(task.name, now + PAUSE);
        const why = message ?? "The model failed.";
        // It did not even start: a server that is down for an hour must not fail every task.
        if (iterations <= 1 && !tooLong) {
          return release(`${why} It is pending again.`, false);
        }
        return tries >= MAX_TRIES
          ? end("failed", `${why} (${tries} tries)`)
          : release(`${why} It is pending again.`, true);
      }
    }
  }
}

/** Returns the result of a task that did not start because its copy could not be made. */
function uncopied(error: unknown, session: string, turn: string, signal: AbortSignal): TurnResult {
  return {
    ...{ session, turn, text: "", iterations: 0, messages: [], seq: undefined },
    tokens: { input: 0, output: 0, estimated: false },
    reason: signal.aborted ? "cancelled" : "failed",
    message: `No copy of the folder could be made for it: ${messageOf(error)}`,
  };
}

async function isOurs(board: FileBoard, name: string, worker: string): Promise<boolean> {
  const task = await board.read(name);
  return task?.fields.status === "in_progress" && task.fields.claimed_by === worker;
}

/** Releases the claim of an ended task. Any other task counts as abandoned and is taken again. */
function letGo(claims: Claims, name: string, worker: string, isSettled: boolean): void {
  try {
    if (isSettled) {
      claims.release(taskClaim(name), worker);
    } else {
      claims.abandon(taskClaim(name), worker);
    }
  } catch {
    // The state cannot be written: the claim ends with this process.
  }
}
