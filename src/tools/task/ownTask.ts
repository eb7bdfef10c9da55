import { TASK } from "../../features/documents/task.js";
import type { Task, TaskChanges } from "../../features/documents/tasks.js";
import { ToolError } from "../../core/errors.js";
import type { Changes } from "../../ports/changes.js";
import type { Files } from "../../ports/files.js";
import { listDocuments } from "../documents/documentFiles.js";
import { changeTaskFile, readTaskFile } from "../documents/taskFile.js";

/** What the tools that end a task are handed. */
interface TaskContext {
  files: Files;
  changes: Pick<Changes, "apply">;
  session: string;
  signal: AbortSignal;
}

/**
 * Moves the task that runs in the session of a call.
 *
 * @throws ToolError `unavailable` where none runs, and as `Changes.apply` does
 */
export async function moveOwnTask(
  { files, changes, session, signal }: TaskContext,
  step: (task: Task) => TaskChanges,
): Promise<Task> {
  for (const { name, parsed } of await listDocuments(files, TASK, signal)) {
    // What somebody types in its file may be malformed as yet.
    const found =
      !parsed.ok || parsed.document.fields.session === session ? await readTaskFile(files, name) : undefined;
    if (found !== undefined && found.task.fields.status === "in_progress" && found.task.fields.session === session) {
      // Its own task a session knows: it was told what to do, and the front matter is the worker's.
      await changes.apply([changeTaskFile(found, step(found.task))], signal);
      return found.task;
    }
  }
  throw new ToolError(
    "unavailable",
    "No task is running in this session, so there is none to end.",
    "task_list shows the state of every task.",
  );
}
