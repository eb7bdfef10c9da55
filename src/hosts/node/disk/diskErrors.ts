import { constants } from "node:os";
import { ToolError } from "../../../core/errors.js";
import { linkCircle, missing, nameTooLong, notAFile } from "../../shared/fileAnswers.js";
import { messageOf } from "../../../text/words.js";

/** Whether an error means that nothing exists at a path. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
}

/**
 * Returns `ENOENT` and the like, even where Node has no name for the system's error (libuv knows neither `EDQUOT` nor
 * `ESTALE`).
 */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
  return code?.startsWith(UNNAMED) === true ? (nameOf(errorNumber(error)) ?? code) : code;
}

/** Prefix of the code of an error that Node has no name for; its number follows. */
const UNNAMED = "Unknown system error";

function errorNumber(error: unknown): number {
  return error instanceof Error && "errno" in error && typeof error.errno === "number" ? Math.abs(error.errno) : 0;
}

function nameOf(errno: number): string | undefined {
  return Object.entries(constants.errno).find(([, number]) => number === errno)?.[0];
}

/** Turns a system error into a `ToolError`; returns a `ToolError` unchanged. */
export function ioError(path: string, error: unknown, windows = process.platform === "win32"): Error {
  if (error instanceof ToolError) {
    return error;
  }
  switch (errorCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return missing(path);
    case "EISDIR":
      return notAFile(path);
    case "EACCES":
    case "EPERM":
      return new ToolError(
        "io_error",
        `${path}: the system does not permit it.`,
        `Check the permissions of the file and its folder.${windows ? " Another program may have it open, too: close it there, then try again." : ""}`,
      );
    case "EBUSY":
      return windows
        ? new ToolError(
            "io_error",
            `${path}: another program has it open. The file is as it was.`,
            "Close it there (an editor, a running program, a sync client or a virus scanner may hold it), then try again.",
          )
        : new ToolError(
            "io_error",
            `${path}: it is in use: a mount point, or locked by another program. The file is as it was.`,
            "Change it where it is mounted from, or end what uses it, then try again.",
          );
    case "EROFS":
      return new ToolError("io_error", `${path}: the disk is read-only.`);
    case "EDQUOT":
      return new ToolError(
        "io_error",
        `${path}: the quota of this disk is used up. The file is as it was.`,
        "Free some space and try again.",
      );
    case "ESTALE":
      return new ToolError(
        "io_error",
        `${path}: the network disk no longer knows this file: it was replaced elsewhere, or the disk was remounted.`,
        "Try again; if it still fails, remount the disk.",
      );
    case "ENOSPC":
      return new ToolError(
        "io_error",
        `${path}: no space is left on the disk. The file is as it was.`,
        "Free some space and try again.",
      );
    case "EFBIG":
      return new ToolError("io_error", `${path} would become larger than the system allows. The file is as it was.`);
    case "ELOOP":
      return linkCircle(path);
    case "ENAMETOOLONG":
      return nameTooLong(path);
    default:
      return error instanceof DOMException ? error : new ToolError("io_error", `${path}: ${reason(error)}`);
  }
}

function reason(error: unknown): string {
  const code = errorCode(error);
  if (error instanceof Error && error.message.includes(UNNAMED)) {
    return code?.startsWith("E") === true
      ? `the system refused it (${code}).`
      : `the system refused it with error ${errorNumber(error)}, which has no name here.`;
  }
  return messageOf(error);
}
