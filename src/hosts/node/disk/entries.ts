import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  type Stats,
} from "node:fs";
import type { EntryState } from "../../../ports/files.js";
import { alreadyThere, replacedMeanwhile } from "../../shared/fileAnswers.js";
import { ToolError } from "../../../core/errors.js";
import { errorCode } from "./diskErrors.js";

/** Permission bits, including set-user-id and similar bits. */
const MODE = 0o7777;

/** Returns what is at a path, links not followed; undefined if that is nothing, or no file, folder or readable link. */
export function entryAt(path: string): EntryState | undefined {
  const info = statsAt(path);
  if (info?.isSymbolicLink() === true) {
    const link = targetOf(path);
    return link === undefined ? undefined : { link };
  }
  const mode = (info?.mode ?? 0) & MODE;
  return info?.isDirectory() === true ? { folder: mode } : info?.isFile() === true ? { mode } : undefined;
}

/** Returns undefined if nothing is there, as where a file has taken the place of a folder above. */
export function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") {
      return undefined;
    }
    throw error;
  }
}

/** Returns the target of a link as it is written; undefined if it is not UTF-8. */
export function targetOf(path: string | Buffer): string | undefined {
  const bytes = readlinkSync(path, "buffer");
  const link = bytes.toString();
  return bytes.equals(Buffer.from(link)) ? link : undefined;
}

/**
 * Changes an entry in place, without following a link.
 *
 * @param old name for a link while another takes its place
 * @throws ToolError `stale` or `path_conflict` if something else is there: it stays
 */
export function setEntry(
  path: string,
  old: string,
  before: EntryState | undefined,
  after: EntryState | undefined,
): void {
  const now = statsAt(path) === undefined ? undefined : (entryAt(path) ?? "other");
  // A folder that is new may have been made for a file that was restored in it.
  const isMade = before === undefined && after !== undefined && "folder" in after && isFolder(now);
  if (!isMade && !isEntry(now, before)) {
    throw before === undefined ? alreadyThere(path) : replacedMeanwhile(path);
  }
  if (after !== undefined && "mode" in after) {
    setMode(path, after.mode);
    return;
  }
  if (before !== undefined && "folder" in before && !removeFolder(path, after === undefined)) {
    return;
  }
  if (before !== undefined && "link" in before) {
    renameSync(path, old);
    if (!isEntry(entryAt(old), before)) {
      restoreName(old, path);
      throw replacedMeanwhile(path);
    }
  }
  try {
    if (after !== undefined && "link" in after) {
      symlinkSync(after.link, path);
    } else if (after !== undefined && "folder" in after) {
      makeFolder(path, after.folder);
    }
  } catch (error) {
    if (before !== undefined && "link" in before) {
      restoreName(old, path);
    }
    throw errorCode(error) === "EEXIST" ? alreadyThere(path) : error;
  }
  rmSync(old, { force: true });
}

/** Whether an entry is as expected. Of a folder only its being there counts; a mode is that of a file or a folder. */
export function isEntry(now: EntryState | "other" | undefined, expected: EntryState | undefined): boolean {
  if (now === undefined || now === "other" || expected === undefined) {
    return now === expected;
  }
  if ("mode" in expected) {
    return ("mode" in now && now.mode === expected.mode) || ("folder" in now && now.folder === expected.mode);
  }
  return "folder" in expected ? isFolder(now) : "link" in expected && "link" in now && now.link === expected.link;
}

/** Gives what was moved aside its name back, unless something else has it: then it stays aside. */
export function restoreName(old: string, path: string): void {
  if (statsAt(path) === undefined) {
    renameSync(old, path);
  }
}

function isFolder(now: EntryState | "other" | undefined): boolean {
  return now !== undefined && now !== "other" && "folder" in now;
}

/** Removes a folder. @returns whether it is gone; one that is not empty may stay */
function removeFolder(path: string, mayStay: boolean): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) {
      throw error;
    }
    if (mayStay) {
      return false;
    }
    throw new ToolError(
      "stale",
      `${path} holds files by now that somebody else put there. It was left alone.`,
      "Look at what is in it.",
    );
  }
}

function makeFolder(path: string, mode: number): void {
  if (!isFolder(entryAt(path))) {
    mkdirSync(path);
  }
  setMode(path, mode);
}

function setMode(path: string, mode: number): void {
  if (process.platform === "win32" && isFolder(entryAt(path))) {
    // Folders have no mode there, and an open one takes none.
    return;
  }
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) !== "EACCES") {
      throw error;
    }
    // Its owner may not read it either. It was not a link a moment ago.
    chmodSync(path, mode);
    return;
  }
  try {
    fchmodSync(file, mode);
  } finally {
    closeSync(file);
  }
}
