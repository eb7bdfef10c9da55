import { MAX_DOCUMENTS } from "../../features/documents/document.js";
import { TASK } from "../../features/documents/task.js";
import type { TaskBoard } from "../../features/documents/takeTask.js";
import type { Task, TaskChanges } from "../../features/documents/tasks.js";
import { ToolError } from "../../core/errors.js";
import { newId } from "../../core/pipeline/pipeline.js";
import { isUnknownSession } from "../../features/sessions/sessionLog.js";
import { documentNames, listDocuments } from "../../tools/documents/documentFiles.js";
import { oneLine } from "../../text/clip.js";
import { changeTaskFile, readTaskFile } from "../../tools/documents/taskFile.js";
import type { WorkHost } from "./workHost.js";
import { count } from "../../text/words.js";

/**
 * The tasks of a workspace's files. What it changes is in the undo journal, in the turn that does the task: undone with
 * it.
 */
export class FileBoard implements TaskBoard {
  readonly #host: WorkHost;
  readonly #turn: string;
  /** Tasks that were begun here. */
  readonly #begun = new Set<string>();
  #unread: string[] = [];

  /** @param turn the one that does the task which is taken here */
  constructor(host: WorkHost, turn: string) {
    this.#host = host;
    this.#turn = turn;
  }

  /** What the last list leaves out, and why, a line each: a task to do may be among it. */
  get unread(): readonly string[] {
    return this.#unread;
  }

  async list(): Promise<Task[]> {
    const listed = await listDocuments(this.#host.files, TASK, new AbortController().signal);
    const more =
      listed.length < MAX_DOCUMENTS
        ? 0
        : Math.max(0, (await documentNames(this.#host.files, TASK)).length - MAX_DOCUMENTS);
    this.#unread = [
      ...listed.flatMap(({ path, parsed }) => (parsed.ok ? [] : [`${path}: ${parsed.problem}`])),
      ...(more === 0 ? [] : [`${count(more, "more task file")}: at most ${MAX_DOCUMENTS} are read`]),
    ];
    return listed.flatMap(({ parsed }) => (parsed.ok ? [parsed.document] : []));
  }

  /** A task as its file is on disk now; undefined when it is gone or malformed. */
  async read(name: string): Promise<Task | undefined> {
    return (await readTaskFile(this.#host.files, name))?.task;
  }

  async change(task: Task, changes: TaskChanges): Promise<void> {
    const { files, door } = this.#host;
    const found = await readTaskFile(files, task.name);
    if (found === undefined || !isSame(found.task, task)) {
      throw new ToolError("stale", `task ${task.name}: is no longer what it was. Nothing was changed.`);
    }
    if (found.before.unsaved && !this.#begun.has(task.name)) {
      // Somebody is about to say something else, also of one that would be failed.
      throw new ToolError(
        "conflict",
        `task ${task.name}: its file has changes in the editor that are not saved, so it was not begun.`,
        "Save it first.",
      );
    }
    const session = changes.session ?? task.fields.session ?? this.#turn;
    const origin = {
      session,
      turn: this.#turn,
      callId: newId(),
      tool: "work",
      door,
      summary: `Task ${task.name}: ${changes.status ?? "changed"}`,
      reads: "free",
    } as const;
    // A worker that is stopped still says what became of its task.
    await this.#host.changes
      .forCall(origin, files)
      .changes.apply([changeTaskFile(found, changes)], new AbortController().signal);
    if (changes.status === "in_progress") {
      this.#begun.add(task.name);
    }
  }

  async isSentTo({ fields: { session } }: Task): Promise<boolean> {
    return session !== undefined && (await (await this.#host.log()).hasLeft(session));
  }

  /**
   * The session it ran in before, if it is one of a task and nobody is at work in it; else a new one. What a file says
   * is no proof.
   */
  async sessionFor({ fields: { session } }: Task): Promise<string> {
    if (session === undefined) {
      return newId();
    }
    try {
      const { id, kind, state } = await (await this.#host.log()).status(session);
      return id === session && kind === "task" && state !== "active" ? id : newId();
    } catch (error) {
      // A log that cannot be asked now may have it: begun anew, the task would lose what was done and said.
      if (!isUnknownSession(error)) {
        throw error;
      }
      return newId();
    }
  }
}

/** One line on task files that cannot be read. @param problems as `FileBoard.unread` has them, one at least */
export function tellUnread(problems: readonly string[]): string {
  const [first = ""] = problems;
  const rest = problems.length - 1;
  return `Not read: ${oneLine(first)}${rest > 0 ? ` (and ${rest} more: task_list names them)` : ""}.`;
}

function isSame(a: Task, b: Task): boolean {
  const keyOf = ({ fields, body }: Task): string =>
    JSON.stringify([Object.entries(fields).sort(([first], [second]) => (first < second ? -1 : 1)), body]);
  return keyOf(a) === keyOf(b);
}
