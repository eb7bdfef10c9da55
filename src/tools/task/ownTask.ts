import { documentCall } from "../../features/documents/document.js";
import { TASK } from "../../features/documents/task.js";
import type { Task, TaskChanges } from "../../features/documents/tasks.js";
import { ToolError } from "../../core/errors.js";
import type { Changes } from "../../ports/changes.js";
import type { Files } from "../../ports/files.js";
import { listDocuments } from "../documents/documentFiles.js";
import { changeTaskFile, readTaskFile } from "../documents/taskFile.js";

/** The capabilities of the tools that end a task. */
interface TaskContext {
  files: Files;
  changes: Pick<Changes, "apply">;
  session: string;
  signal: AbortSignal;
}

/**
 * Changes the task that is running in a call's session.
 *
 * @throws ToolError `unavailable` if none is running, and those of `Changes.apply`
 */
export async function moveOwnTask(
  { files, changes, session, signal }: TaskContext,
  step: (task: Task) => TaskChanges,
): Promise<Task> {
  for (const { name, parsed } of await listDocuments(files, TASK, signal)) {
    // The file may be malformed while someone is editing it.
    const found =
      !parsed.ok || parsed.document.fields.session === session ? await readTaskFile(files, name) : undefined;
    if (found !== undefined && found.task.fields.status === "in_progress" && found.task.fields.session === session) {
      // No must-read check: the session knows its own task, and the worker wrote the front matter.
      await changes.apply([changeTaskFile(found, step(found.task))], signal);
      return found.task;
    }
  }
  throw new ToolError(
    "unavailable",
    "No task is running in this session, so there is none to end.",
    `${documentCall("list", TASK)} shows the state of every task.`,
  );
}
