import { constants, type Stats } from "node:fs";
import { lstat, open, readlink, type FileHandle } from "node:fs/promises";
import { ToolError } from "../../../core/errors.js";
import { notAFile, notRegular } from "../../shared/fileAnswers.js";
import { ioError } from "./diskErrors.js";

/**
 * Opens a file: never a pipe or device (opening one can hang or have effects), and never through a link that took the
 * file's place after the gate checked it.
 */
export async function openRegular(path: string, access = constants.O_RDONLY): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    const expected = await lstat(path);
    if (!expected.isFile()) {
      throw expected.isDirectory() ? notAFile(path) : notRegular(path);
    }
    file = await open(path, access | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const opened = await file.stat();
    if (!opened.isFile() || opened.ino !== expected.ino || opened.dev !== expected.dev || !(await isAt(file, path))) {
      throw new ToolError("stale", `${path} was replaced while it was opened.`, "Try again.");
    }
    return file;
  } catch (error) {
    await file?.close();
    throw ioError(path, error);
  }
}

/**
 * Whether an open file is at the path that was decided on. Its path may have led through a link only at the moment of
 * opening, if a folder was swapped for a link and back; the system's information about the open file itself is
 * reliable. True if the system has no such information (only Linux does).
 *
 * @param path with all links resolved
 */
async function isAt(file: FileHandle, path: string): Promise<boolean> {
  const place =
    process.platform === "linux" ? await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined) : undefined;
  // File names may be case-insensitive.
  const same = (name: string): string => name.normalize().toLowerCase();
  // A file that was removed in the meantime was at its path when it was opened.
  return place === undefined || [path, `${path} (deleted)`].map(same).includes(same(place));
}

/** Returns a file's stat once it is certain that it may be written: a rename would ignore that it is read-only. */
export async function statWritable(path: string): Promise<Stats> {
  const file = await openRegular(path, constants.O_WRONLY);
  try {
    return await file.stat();
  } finally {
    await file.close();
  }
}
