import * as vscode from "vscode";
import { NotTakenBack, ToolError } from "../../../core/errors.js";
import type { GatedPath } from "../../../ports/files.js";
import { shownName } from "../../../text/shownName.js";

/** Turns VS Code's file system error into a `ToolError` that names the file as the caller does. */
export function ioError(at: GatedPath, error: unknown): unknown {
  if (error instanceof NotTakenBack) {
    return new NotTakenBack(error.message.replaceAll(at.absolute, shownName(at.path)), error.hint ?? "");
  }
  if (error instanceof ToolError) {
    return error.message.startsWith(at.absolute)
      ? new ToolError(error.type, shownName(at.path) + error.message.slice(at.absolute.length), error.hint)
      : error;
  }
  if (!(error instanceof vscode.FileSystemError)) {
    return error;
  }
  // `code` is the stable part: names and messages differ between providers.
  switch (error.code) {
    case "FileNotFound":
    case "FileNotADirectory":
      return new ToolError("not_found", `${shownName(at.path)}: there is no such file or folder.`);
    case "FileIsADirectory":
      return new ToolError(
        "is_directory",
        `${shownName(at.path)} is a folder, not a file.`,
        `Call ls with path=${shownName(at.path)} to see what is in it.`,
      );
    case "NoPermissions":
      return new ToolError(
        "io_error",
        `${shownName(at.path)}: the system does not permit it.`,
        "Check the permissions of the file and its folder.",
      );
    case "Unavailable":
      return new ToolError(
        "unavailable",
        `${shownName(at.path)}: its file system is not available now.`,
        "Try again later.",
      );
    default:
      return new ToolError("io_error", `${shownName(at.path)}: ${error.message}`);
  }
}
