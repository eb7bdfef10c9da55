import { ToolError } from "../../core/errors.js";
import type { FileChange } from "../../ports/changes.js";
import type { DirectoryEntry, GatedPath, Root } from "../../ports/files.js";
import { shownName } from "../../text/shownName.js";

/** Errors about unusual files, worded the same for every host. */

export function binaryFile(at: GatedPath): ToolError {
  return new ToolError("binary", `${shownName(at.path)} is a binary file, not text.`);
}

export function notExact(at: GatedPath, encoding: string): ToolError {
  return new ToolError(
    "unsupported",
    `${shownName(at.path)} is not valid ${encoding}, so writing it back would change more than the edit.`,
    "Let the user name its encoding (files.encoding in the folder's VS Code settings, such as windows1252) or convert it to UTF-8.",
  );
}

export function staleFile(at: GatedPath): ToolError {
  return new ToolError(
    "stale",
    `${shownName(at.path)} has changed since it was last read. Nothing was written.`,
    "Read it again and repeat the edit.",
  );
}

export function alreadyThere(path: string): ToolError {
  return new ToolError(
    "path_conflict",
    `${path} already exists. Nothing was written.`,
    "Read it first, then edit it or write with on_conflict=overwrite.",
  );
}

export function missing(path: string): ToolError {
  return new ToolError("not_found", `${path}: there is no such file or folder.`);
}

export function notAFile(path: string): ToolError {
  return new ToolError("is_directory", `${path} is a folder, not a file.`);
}

export function notRegular(path: string): ToolError {
  return new ToolError("unsupported", `${path} is not a regular file, so it is not opened.`);
}

export function brokenLink(path: string): ToolError {
  return new ToolError("not_found", `${path} is a link whose target does not exist.`, "Use the target's own path.");
}

export function linkCircle(path: string): ToolError {
  return new ToolError("io_error", `${path}: its links form a cycle.`);
}

export function nameTooLong(path: string): ToolError {
  return new ToolError("invalid_input", `${path}: the name is too long for the file system.`);
}

export function underFile(path: string): ToolError {
  return new ToolError(
    "path_conflict",
    `${path}: one of its folders is a file. Nothing was written.`,
    "Give a path below a folder.",
  );
}

/**
 * Builds the error for a path whose real location has changed since the gate let it through: a folder on the way is now
 * a link.
 */
export function movedFolder(path: string): ToolError {
  return new ToolError(
    "stale",
    `${path}: a folder in its path was replaced by a link. Nothing was read or written.`,
    "Try again.",
  );
}

export function tooLarge(path: string, size: number, maxBytes: number): ToolError {
  return new ToolError(
    "too_large",
    `${path} has ${size} bytes; at most ${maxBytes} can be read whole.`,
    "Use grep, or read with offset and limit.",
  );
}

/** Builds the error for a file that is not moved or removed because the editor holds unsaved text of it. */
export function unsavedFile(at: GatedPath): ToolError {
  return new ToolError(
    "unsupported",
    `${shownName(at.path)} has unsaved text in the editor. Nothing was changed.`,
    "Ask the user to save or discard it first.",
  );
}

/** Builds the error for a file whose current content is not what was put there. */
export function replacedMeanwhile(path: string): ToolError {
  return new ToolError(
    "stale",
    `${path} was changed by somebody else in the meantime and was left alone.`,
    "Read it again.",
  );
}

/** Returns the name of a change for people: its file's name, or both names of a move. */
export function changeName(change: FileChange): string {
  return change.kind === "move"
    ? `${shownName(change.at.path)} to ${shownName(change.to.path)}`
    : shownName(change.at.path);
}

/** Returns the folders of a workspace with several, as the entries of its top level. */
export function topEntries(roots: readonly Root[]): DirectoryEntry[] {
  return roots.map(({ name }) => ({ name, kind: "directory", link: false, size: undefined }));
}
