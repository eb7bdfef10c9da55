import { ToolError } from "../../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";
import { baseName, joinPath, parentPath } from "../../core/paths/pathShape.js";
import { secretReason } from "../../core/paths/protectedFiles.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import type { FileInfo, Files, GatedPath } from "../../ports/files.js";
import { nearestNames } from "../../text/nearest.js";
import { shownName } from "../../text/shownName.js";
import { findElsewhere } from "./elsewhere.js";

/**
 * Returns what is at a path.
 *
 * @throws ToolError `not_found`, with similar names, if nothing is
 */
export async function statExisting(files: Files, at: GatedPath): Promise<FileInfo> {
  try {
    return await files.stat(at);
  } catch (error) {
    if (error instanceof ToolError && error.type === "not_found") {
      throw new ToolError(
        "not_found",
        `${shownName(at.path)}: there is no such file or folder.`,
        await nearNames(files, at),
      );
    }
    throw error;
  }
}

/** Does the same for a path that must be a file. */
export async function statFile(files: Files, at: GatedPath): Promise<FileInfo> {
  const info = await statExisting(files, at);
  if (info.kind === "directory") {
    throw new ToolError(
      "is_directory",
      `${shownName(at.path)} is a folder, not a file.`,
      `Call ls with path=${shownName(at.path)} to see what is in it.`,
    );
  }
  if (info.kind === "other") {
    throw new ToolError(
      "unsupported",
      `${shownName(at.path)} is a pipe, socket or device, not a file, so it was not opened.`,
    );
  }
  return info;
}

/** Does the same for a file to edit. In other systems, an edit without an old text creates a file. */
export async function statEdited(files: Files, at: GatedPath, oldText: string): Promise<void> {
  try {
    await statFile(files, at);
  } catch (error) {
    throw error instanceof ToolError && error.type === "not_found" && oldText === ""
      ? new ToolError(
          "not_found",
          error.message,
          `To create it, call write with path and content.${error.hint?.startsWith("Did you") === true ? ` ${error.hint}` : ""}`,
        )
      : error;
  }
}

/** Adds a hint to `too_large` on reading a file before a change: paging does not help there. */
export async function withChangeHint<T>(before: Promise<T>): Promise<T> {
  try {
    return await before;
  } catch (error) {
    if (error instanceof ToolError && error.type === "too_large") {
      throw new ToolError(
        "too_large",
        `${error.message} Nothing was changed.`,
        `Tools do not change files over ${LARGEST_CHANGED_FILE / 1e6} MB. Use a command, or ask the user to change it.`,
      );
    }
    throw error;
  }
}

/** Ids of stored results, as answers name them. */
const RESULT_ID = /^r[0-9a-f]{12}$/;

/** Maximum number of paths suggested when several end in the missing one. */
const MAX_NAMED = 3;

async function nearNames(files: Files, at: GatedPath): Promise<string> {
  if (at.outside) {
    return "It is outside the workspace, so similar names were not looked up. Use ls on its folder.";
  }
  if (RESULT_ID.test(at.path)) {
    return `${at.path} is a stored result: read_result gives its pages and searches it.`;
  }
  const shorter = await withoutRootName(files, at);
  if (shorter !== undefined) {
    return `Did you mean ${shownName(shorter)}? Paths start inside the workspace folder, without its name.`;
  }
  const cleaned = await asWritten(files, at);
  if (cleaned !== undefined) {
    const line = LINE.exec(at.path)?.[1];
    return line === undefined
      ? `Did you mean ${shownName(cleaned)}?`
      : `Did you mean ${shownName(cleaned)}, with offset=${line}?`;
  }
  if (/[*?]/.test(at.path)) {
    return "A path takes no wildcards: find files with glob, or search some with include of grep.";
  }
  const folder = parentPath(at.path);
  const siblings = await namesIn(files, folder);
  if (siblings === "a file") {
    return `${shownName(folder)} is a file, not a folder.`;
  }
  if (siblings === "unreadable") {
    return `${folder === "." ? "The workspace" : `The folder ${shownName(folder)}`} cannot be read, so its contents are unknown.`;
  }
  if (siblings?.includes(baseName(at.path))) {
    return at.path.includes("\ufffd")
      ? "A similar name exists, but it is not valid UTF-8, so tools cannot open it. Rename it with a command."
      : "It exists now, or cannot be opened. Try again.";
  }
  const near = nearestNames(baseName(at.path), siblings ?? []).map((name) =>
    joinPath(folder, name).replace(/^\.\//, ""),
  );
  const { ending, named } = await findElsewhere(files, at);
  const meant = [
    ...new Set([
      ...(ending.length <= MAX_NAMED ? ending : []),
      ...near,
      ...(ending.length === 0 && named.length === 1 ? named : []),
    ]),
  ];
  if (meant.length > 0) {
    return `Did you mean ${meant.map(shownName).join(" or ")}?`;
  }
  return siblings === undefined
    ? `The folder ${shownName(folder)} does not exist either. Use ls or grep to find the file.`
    : `ls shows what is in ${folder === "." ? "the workspace" : shownName(folder)}.`;
}

/** Characters that models put around paths, or before them: quotes, and the `@` of a mention. */
const AROUND = /^[`"'@]{1,3}|[`"']{1,3}$/g;
/** A line behind a path: `a.ts:10`, `a.ts:10:5`, `a.ts:10-20`, `a.ts#L10`. */
const LINE = /(?::|#L)(\d{1,7})(?:[:-]L?\d{1,7})?$/;
/** Git's names of both sides of a diff. */
const SIDE = /^[ab]\//;
/** Maximum folders of a path that is looked for in other case. */
const MAX_SEGMENTS = 20;

/** Returns the path without what does not belong to it, or with `/` for Windows' separators, if something exists there. */
async function asWritten(files: Files, at: GatedPath): Promise<string | undefined> {
  const path = at.path.replace(AROUND, "");
  const forms = [path, path.replaceAll("\\", "/"), path.replace(LINE, ""), path.replace(SIDE, "")];
  for (const form of new Set(forms.filter((form) => form !== at.path && form !== ""))) {
    if (secretReason(form) === undefined && (await isThere(files, at, form))) {
      return form;
    }
  }
  const other = await inOtherCase(files, path);
  return other === undefined || secretReason(other) !== undefined ? undefined : other;
}

/** Returns the only path that differs in case alone; undefined if there is none. */
async function inOtherCase(files: Files, path: string): Promise<string | undefined> {
  const segments = path.split("/");
  let found = ".";
  for (const segment of segments.length > MAX_SEGMENTS ? [] : segments) {
    const names = await namesIn(files, found);
    const same = Array.isArray(names) ? names.filter((name) => name.toLowerCase() === segment.toLowerCase()) : [];
    const name = same.includes(segment) ? segment : same.length === 1 ? same[0] : undefined;
    if (name === undefined) {
      return undefined;
    }
    found = found === "." ? name : joinPath(found, name);
  }
  return found === "." || found === path ? undefined : found;
}

/** Returns the path without a leading root name, if something exists there. */
async function withoutRootName(files: Files, at: GatedPath): Promise<string | undefined> {
  const { path, root } = at;
  const several = files.roots().filter(({ beside }) => !beside).length > 1;
  if (root === undefined || root.beside) {
    return undefined;
  }
  if (!several && path === root.name) {
    return ".";
  }
  const twice = several ? `${root.name}/${root.name}/` : `${root.name}/`;
  if (!path.startsWith(twice)) {
    return undefined;
  }
  const shorter = `${several ? `${root.name}/` : ""}${path.slice(twice.length)}`;
  return (await isThere(files, at, shorter)) ? shorter : undefined;
}

async function isThere(files: Files, at: GatedPath, path: string): Promise<boolean> {
  try {
    await files.stat(await resolveFrom(files, at, path));
    return true;
  } catch (error) {
    return unlessToolError(error, false);
  }
}

/** Returns the names in a folder; undefined if it does not exist or is outside the workspace. */
async function namesIn(files: Files, folder: string): Promise<string[] | "a file" | "unreadable" | undefined> {
  try {
    const at = await files.resolve(folder);
    return (await files.stat(at)).kind === "directory" ? (await files.list(at)).map(({ name }) => name) : "a file";
  } catch (error) {
    return unlessToolError(error, error instanceof ToolError && error.type === "io_error" ? "unreadable" : undefined);
  }
}

function unlessToolError<T>(error: unknown, value: T): T {
  if (error instanceof ToolError) {
    return value;
  }
  throw error;
}
