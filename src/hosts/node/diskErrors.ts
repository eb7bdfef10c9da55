import { ToolError } from "../../core/errors.js";
import { linkCircle, missing, nameTooLong, notAFile } from "../fileAnswers.js";

/** Whether nothing is at a path. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
}

/** `ENOENT` and its like. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The system's error in words; a `ToolError` as it is. */
export function ioError(path: string, error: unknown): Error {
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
      return new ToolError("io_error", `${path}: the system does not permit it.`, "Check the permissions of the file and its folder.");
    case "EROFS":
      return new ToolError("io_error", `${path}: the disk is read-only.`);
    case "ENOSPC":
    case "EDQUOT":
      return new ToolError("io_error", `${path}: no space is left on the disk. The file is as it was.`, "Free some space and try again.");
    case "EFBIG":
      return new ToolError("io_error", `${path}: would become larger than the system allows. The file is as it was.`);
    case "ELOOP":
      return linkCircle(path);
    case "ENAMETOOLONG":
      return nameTooLong(path);
    default:
      return error instanceof DOMException ? error : new ToolError("io_error", `${path}: ${reason(error)}`);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
