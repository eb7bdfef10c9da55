import { documentPath, MAX_DOCUMENT_BYTES, parseDocument } from "../../core/documents/document.js";
import { setFields } from "../../core/documents/frontMatter.js";
import { TASK } from "../../core/documents/task.js";
import type { Task, TaskChanges } from "../../core/documents/tasks.js";
import { ToolError } from "../../core/errors.js";
import type { Changes } from "../../ports/changes.js";
import type { Files } from "../../ports/files.js";
import { listDocuments } from "../documents/documentFiles.js";

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
export async function moveOwnTask({ files, changes, session, signal }: TaskContext, step: (task: Task) => TaskChanges): Promise<Task> {
  const listed = await listDocuments(files, TASK, signal);
  const own = listed.find(({ parsed }) => parsed.ok && parsed.document.fields.status === "in_progress" && parsed.document.fields.session === session);
  if (own === undefined) {
    throw new ToolError("unavailable", "No task runs in this session, so none can be ended.", "task_list tells the state of every task.");
  }
  // Its own task a session knows: it was told what to do, and the front matter is the worker's.
  const at = await files.resolve(documentPath(TASK, own.name));
  const before = await files.readSnapshot(at, MAX_DOCUMENT_BYTES);
  const parsed = parseDocument(TASK, own.name, before.text);
  if (!parsed.ok) {
    throw new ToolError("conflict", `task ${own.name}: is malformed by now: ${parsed.problem}. Nothing was changed.`, "Mend it with task_edit, then call this tool again.");
  }
  await changes.apply([{ kind: "replace", at, before, text: setFields(before.text, { ...step(parsed.document) }) }], signal);
  return parsed.document;
}
