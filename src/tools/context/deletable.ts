import { contextFile, MAX_CONTEXT_DEPTH } from "../../features/context/path.js";
import { ToolError } from "../../core/errors.js";
import { protectedReason, secretReason } from "../../core/paths/protectedFiles.js";
import type { Files } from "../../ports/files.js";
import type { ContextPlace } from "./contextStore.js";

/** Maximum number of files deleted per call: each is read and kept for undo. */
const MAX_FILES = 500;

/**
 * Returns the files below a folder of the context store, ordered by name.
 *
 * @throws ToolError `unsupported` for a link, a pipe or a device below it, and for folders that are too deep;
 * `too_large` for more files than one call deletes
 */
export async function filesBelow(files: Files, folder: ContextPlace, signal: AbortSignal): Promise<ContextPlace[]> {
  const found: ContextPlace[] = [];
  const folders = [folder];
  for (let open = folders.pop(); open !== undefined; open = folders.pop()) {
    signal.throwIfAborted();
    const below: ContextPlace[] = [];
    for (const { name, kind, link } of await files.list(open.at)) {
      const logical = `${open.logical}/${name}`;
      if (link || kind === "other") {
        throw new ToolError(
          "unsupported",
          `${folder.logical}: ${logical} is ${link ? "a link" : "a pipe, socket or device, not a file"}. Nothing was changed.`,
          "Delete the other files by their own paths, or ask the user to delete it.",
        );
      }
      if (kind === "directory" && logical.split("/").length >= MAX_CONTEXT_DEPTH) {
        throw new ToolError(
          "unsupported",
          `${folder.logical} has folders ${MAX_CONTEXT_DEPTH} or more levels deep. Nothing was changed.`,
          "Ask the user to delete it.",
        );
      }
      const place = { logical, at: await files.resolve(contextFile(logical)) };
      (kind === "directory" ? below : found).push(place);
      if (found.length > MAX_FILES) {
        throw new ToolError(
          "too_large",
          `${folder.logical} has more than ${MAX_FILES} files, the most that one call can delete. Nothing was changed.`,
          "Delete its subfolders one by one; context_tree lists them.",
        );
      }
    }
    folders.push(...below.reverse());
  }
  return found;
}

/**
 * Refuses a folder that contains a file which needs its own approval: approving the folder did not cover it.
 *
 * @throws ToolError `protected`
 */
export function checkDeletable(folder: ContextPlace, found: readonly ContextPlace[]): void {
  for (const { logical, at } of found) {
    const why = protectedReason(at.path) ?? secretReason(at.path);
    if (why !== undefined) {
      throw new ToolError(
        "protected",
        `${folder.logical} contains ${logical}, which is protected: ${why}. Nothing was changed.`,
        `Delete ${logical} by its own path first, which asks the user.`,
      );
    }
  }
}
