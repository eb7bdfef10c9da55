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

/** A task file that cannot be read, or several. */
export interface UnreadTask {
  /** The file's path; absent for several. */
  path?: string;
  /** Why, as a line that names the file. */
  problem: string;
}

/** The task files of a workspace. Its changes are in the undo journal, in the task's turn, and are undone with it. */
export class FileBoard implements TaskBoard {
  readonly #host: WorkHost;
  readonly #turn: string;
  /** Tasks started here. */
  readonly #begun = new Set<string>();
  #unread: UnreadTask[] = [];

  /** @param turn the turn that does the task */
  constructor(host: WorkHost, turn: string) {
    this.#host = host;
    this.#turn = turn;
  }

  /** Files that the last list omitted, and why: a task to do may be among them. */
  get unread(): readonly UnreadTask[] {
    return this.#unread;
  }

  async list(): Promise<Task[]> {
    const listed = await listDocuments(this.#host.files, TASK, new AbortController().signal);
    const more =
      listed.length < MAX_DOCUMENTS
        ? 0
        : Math.max(0, (await documentNames(this.#host.files, TASK)).length - MAX_DOCUMENTS);
    this.#unread = [
      ...listed.flatMap(({ path, parsed }) => (parsed.ok ? [] : [{ path, problem: `${path}: ${parsed.problem}` }])),
      ...(more === 0 ? [] : [{ problem: `${count(more, "more task file")}: at most ${MAX_DOCUMENTS} are read` }]),
    ];
    return listed.flatMap(({ parsed }) => (parsed.ok ? [parsed.document] : []));
  }

  /** Reads a task from its file on disk; undefined if the file is gone or malformed. */
  async read(name: string): Promise<Task | undefined> {
    return (await readTaskFile(this.#host.files, name))?.task;
  }

  async change(task: Task, changes: TaskChanges): Promise<void> {
    const { files, door } = this.#host;
    const found = await readTaskFile(files, task.name);
    if (found === undefined || !isSame(found.task, task)) {
      throw new ToolError("stale", `task ${task.name} has changed in the meantime. Nothing was changed.`);
    }
    if (found.before.unsaved && !this.#begun.has(task.name)) {
      // The user is editing the task, so leave it alone, even if it would be marked as failed.
      throw new ToolError(
        "conflict",
        `task ${task.name}: its file has unsaved changes in the editor, so it was not started.`,
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
    // A stopped worker still records the end of its task.
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
   * Returns the session that the task used before, if it is a task's session and not active; otherwise a new one. The
   * log decides, since a file may name any session.
   */
  async sessionFor({ fields: { session } }: Task): Promise<string> {
    if (session === undefined) {
      return newId();
    }
    try {
      const { id, kind, state } = await (await this.#host.log()).status(session);
      return id === session && kind === "task" && state !== "active" ? id : newId();
    } catch (error) {
      // A log that fails now may have the session: in a new session the task would lose its history.
      if (!isUnknownSession(error)) {
        throw error;
      }
      return newId();
    }
  }
}

/** Reports task files that cannot be read, in one line. @param problems those of `FileBoard.unread`, at least one */
export function tellUnread(problems: readonly UnreadTask[]): string {
  const [first] = problems;
  const rest = problems.length - 1;
  return `Not read: ${oneLine(first?.problem ?? "")}${rest > 0 ? ` (and ${rest} more: a list of the tasks names them)` : ""}.`;
}

function isSame(a: Task, b: Task): boolean {
  const keyOf = ({ fields, body }: Task): string =>
    JSON.stringify([Object.entries(fields).sort(([first], [second]) => (first < second ? -1 : 1)), body]);
  return keyOf(a) === keyOf(b);
}
