import { ToolError } from "../core/errors.js";
import type { DirectoryEntry, GatedPath, Root } from "../ports/files.js";

/** The answers of every host to the same odd file, in the same words. */

export function binaryFile(at: GatedPath): ToolError {
  return new ToolError("binary", `${at.path}: is a binary file, not text.`);
}

export function notExact(at: GatedPath, encoding: string): ToolError {
  return new ToolError(
    "unsupported",
    `${at.path}: is not valid ${encoding}, so writing it back would change more than the edit.`,
    "Let the user convert the file to UTF-8 first.",
  );
}

export function staleFile(at: GatedPath): ToolError {
  return new ToolError("stale", `${at.path}: has changed since it was looked at. Nothing was written.`, "Read it again and repeat the edit.");
}

export function alreadyThere(path: string): ToolError {
  return new ToolError("path_conflict", `${path}: already exists. Nothing was written.`, "Read it first, then edit it or write with on_conflict=overwrite.");
}

/** The folders of a workspace that has several, as entries of its top. */
export function topEntries(roots: readonly Root[]): DirectoryEntry[] {
  return roots.map(({ name }) => ({ name, kind: "directory", link: false, size: undefined }));
}
