import { documentPath, MAX_DOCUMENT_BYTES, parseDocument } from "../../features/documents/document.js";
import { setFields } from "../../features/documents/frontMatter.js";
import { TASK } from "../../features/documents/task.js";
import type { Task, TaskChanges } from "../../features/documents/tasks.js";
import { ToolError } from "../../core/errors.js";
import type { FileChange } from "../../ports/changes.js";
import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";

/** A task as stored on disk, which is the version every worker uses. */
export interface TaskFile {
  task: Task;
  at: GatedPath;
  /** Its current text, with any unsaved changes. */
  before: TextSnapshot;
}

/** @returns undefined if its file is gone, too large, not a text file, or malformed on disk */
export async function readTaskFile(files: Files, name: string): Promise<TaskFile | undefined> {
  try {
    const at = await files.resolve(documentPath(TASK, name));
    const before = await files.readSnapshot(at, MAX_DOCUMENT_BYTES);
    const saved = before.unsaved
      ? new TextDecoder().decode(await files.readBytes(at, MAX_DOCUMENT_BYTES))
      : before.text;
    const parsed = parseDocument(TASK, name, saved);
    return parsed.ok ? { task: parsed.document, at, before } : undefined;
  } catch (error) {
    if (error instanceof ToolError && ["not_found", "binary", "too_large", "is_directory"].includes(error.type)) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Returns the change of a task's file that sets some of its fields. Unsaved changes are kept and saved along with it:
 * otherwise another worker would take the task again.
 */
export function changeTaskFile({ at, before }: TaskFile, changes: TaskChanges): FileChange {
  return { kind: "replace", at, before, text: setFields(before.text, { ...changes }), saved: true };
}
