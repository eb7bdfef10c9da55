import { CONTEXT_IGNORE_FILE, contextFile } from "../../features/context/path.js";
import { CONTEXT_FOLDER } from "../../names/stateFolder.js";
import { NotTakenBack, ToolError, unlessMissing } from "../../core/errors.js";
import { baseName, parentPath, sameName } from "../../core/paths/pathShape.js";
import type { FileChange } from "../../ports/changes.js";
import type { FileInfo, Files, GatedPath } from "../../ports/files.js";
import { nearestNames } from "../../text/nearest.js";
import { withoutName } from "../../text/withoutName.js";

/** A place in the context store: its logical path and its path in the workspace. */
export interface ContextPlace {
  /** `notes/a.md`; `.` for the store itself. */
  logical: string;
  at: GatedPath;
}

/**
 * Resolves a logical path. Refuses links on the way: files in the store must really be there.
 *
 * @throws ToolError `unsupported` for a link, and those of `Files.resolve`
 */
export async function contextPlace(files: Pick<Files, "resolve">, logical: string): Promise<ContextPlace> {
  const at = await files.resolve(contextFile(logical));
  if (!sameName(at.path, at.realPath)) {
    throw new ToolError(
      "unsupported",
      `${logical} is a link or below one; the context store does not follow links.`,
      `It points to ${at.realPath}: use the file tools there, or ask the user to put the file itself into ${CONTEXT_FOLDER}.`,
    );
  }
  return { logical, at };
}

/** Returns what is at a place; undefined if nothing is. */
export function contextInfo(files: Files, { at }: ContextPlace): Promise<FileInfo | undefined> {
  return unlessMissing(() => files.stat(at));
}

/**
 * Returns what is at a place that must exist.
 *
 * @throws ToolError `not_found` with similar names
 */
export async function existingInfo(files: Files, place: ContextPlace): Promise<FileInfo> {
  const info = await contextInfo(files, place);
  if (info === undefined) {
    throw new ToolError(
      "not_found",
      `${place.logical}: there is no such file or folder in the context store.`,
      await nearNames(files, place),
    );
  }
  return info;
}

/**
 * Returns what is at a place that must be a file.
 *
 * @throws ToolError `not_found`, `is_directory`, `unsupported` for a pipe or device
 */
export async function existingFile(files: Files, place: ContextPlace): Promise<FileInfo> {
  const info = await existingInfo(files, place);
  if (info.kind === "directory") {
    throw new ToolError(
      "is_directory",
      `${place.logical} is a folder, not a file.`,
      "Use context_tree to see what is in it.",
    );
  }
  if (info.kind === "other") {
    throw new ToolError(
      "unsupported",
      `${place.logical} is a pipe, socket or device, not a file, so it was not opened.`,
      "Ask the user to replace it with a file.",
    );
  }
  return info;
}

/** Runs `work`; its errors then name files by their logical paths, as the context tools do. */
export async function namedAsContext<T>({ logical, at }: ContextPlace, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ToolError) || error instanceof NotTakenBack || logical === ".") {
      throw error;
    }
    const store = at.path.slice(0, at.path.length - logical.length);
    // The store's own .gitignore is not an entry, so it keeps its full path.
    const isOfIgnore = withoutName(error.message, `${store}${CONTEXT_IGNORE_FILE}`) !== error.message;
    const message = isOfIgnore ? error.message : error.message.replaceAll(store, "");
    throw new ToolError(error.type, message, error.hint);
  }
}

/**
 * Returns the change that keeps the store out of Git, if its .gitignore does not exist yet; every write includes it.
 */
export async function ignoreChange(files: Files): Promise<FileChange[]> {
  try {
    const place = await contextPlace(files, CONTEXT_IGNORE_FILE);
    return (await contextInfo(files, place)) === undefined
      ? [{ kind: "create", at: place.at, content: { text: "*\n", encoding: "utf8" } }]
      : [];
  } catch (error) {
    if (error instanceof ToolError) {
      // Something else is there, such as a link: respect that decision.
      return [];
    }
    throw error;
  }
}

async function nearNames(files: Files, { logical }: ContextPlace): Promise<string> {
  const folder = parentPath(logical);
  try {
    const { at } = await contextPlace(files, folder);
    const entries = await files.list(at);
    const near = nearestNames(
      baseName(logical),
      entries.map(({ name }) => name),
    );
    if (near.length > 0) {
      return `Did you mean ${near.map((name) => (folder === "." ? name : `${folder}/${name}`)).join(" or ")}?`;
    }
  } catch {
    // No such folder, so no similar names.
  }
  return "Use context_tree to see what is stored, or context_search to find it.";
}
