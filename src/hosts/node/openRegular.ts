import { constants, type Stats } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";
import { ToolError } from "../../core/errors.js";
import { notAFile, notRegular } from "../fileAnswers.js";
import { ioError } from "./diskErrors.js";

/**
 * Opens a file: never a pipe or device (opening one can hang or act), and never through a link
 * that took the file's place after the gate looked.
 */
export async function openRegular(path: string, access = constants.O_RDONLY): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    const expected = await lstat(path);
    if (!expected.isFile()) {
      throw expected.isDirectory()
        ? notAFile(path)
        : notRegular(path);
    }
    file = await open(path, access | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const opened = await file.stat();
    if (!opened.isFile() || opened.ino !== expected.ino || opened.dev !== expected.dev) {
      throw new ToolError("stale", `${path}: was replaced while it was opened.`, "Try again.");
    }
    return file;
  } catch (error) {
    await file?.close();
    throw ioError(path, error);
  }
}

/** What is known of a file, once it is sure that it may be written: a rename would pass over a file marked read-only. */
export async function statWritable(path: string): Promise<Stats> {
  const file = await openRegular(path, constants.O_WRONLY);
  try {
    return await file.stat();
  } finally {
    await file.close();
  }
}
