import { ToolError } from "../../core/errors.js";
import { baseName, joinPath, parentPath } from "../../core/pathShape.js";
import type { FileInfo, Files, GatedPath } from "../../ports/files.js";
import { nearestNames } from "../../text/nearest.js";

/**
 * What is at a path; when nothing is, `not_found` with the names next to it that may have been meant.
 */
export async function statExisting(files: Files, at: GatedPath): Promise<FileInfo> {
  try {
    return await files.stat(at);
  } catch (error) {
    if (error instanceof ToolError && error.type === "not_found") {
      throw new ToolError("not_found", `${at.path}: there is no such file or folder.`, await nearNames(files, at));
    }
    throw error;
  }
}

/** The same for a path that must be a file. */
export async function statFile(files: Files, at: GatedPath): Promise<FileInfo> {
  const info = await statExisting(files, at);
  if (info.kind === "directory") {
    throw new ToolError("is_directory", `${at.path}: is a folder, not a file.`, "Use ls to see what is in it.");
  }
  if (info.kind === "other") {
    throw new ToolError("unsupported", `${at.path}: is neither a file nor a folder (a pipe, socket or device), so it is not opened.`);
  }
  return info;
}

/** What a file holds before a change, whose size no other way of reading it makes up for. */
export async function withChangeHint<T>(before: Promise<T>): Promise<T> {
  try {
    return await before;
  } catch (error) {
    if (error instanceof ToolError && error.type === "too_large") {
      throw new ToolError("too_large", `${error.message} Nothing was changed.`, "Files over 20 MB are not changed by tools. Let the user change it, or use a command.");
    }
    throw error;
  }
}

async function nearNames(files: Files, at: GatedPath): Promise<string> {
  if (at.outside) {
    return "It lies outside the workspace, where only what a call names is looked at. Use ls on its folder to see what is there.";
  }
  const folder = parentPath(at.path);
  try {
    const parent = await files.resolve(folder);
    if ((await files.stat(parent)).kind !== "directory") {
      return `${folder} is a file, not a folder.`;
    }
    const entries = await files.list(parent);
    const near = nearestNames(baseName(at.path), entries.map(({ name }) => name));
    if (near.length > 0) {
      return `Did you mean ${near.map((name) => joinPath(folder, name).replace(/^\.\//, "")).join(" or ")}?`;
    }
    return `${folder === "." ? "The workspace" : folder} exists: use ls to see what is in it.`;
  } catch {
    return `The folder ${folder} does not exist either. Use ls or grep to find the file.`;
  }
}
