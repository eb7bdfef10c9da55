import { Minimatch } from "minimatch";
import * as vscode from "vscode";
import { ToolError } from "../../../core/errors.js";
import type { GatedPath } from "../../../ports/files.js";

/**
 * Refuses to change a file that the user has marked read-only in the editor (`files.readonlyInclude`, minus
 * `files.readonlyExclude`): where a person may not type, a tool may not write.
 *
 * @throws ToolError `protected`
 */
export function refuseReadonly(at: GatedPath, uri: vscode.Uri): void {
  const files = vscode.workspace.getConfiguration("files", uri);
  const path = vscode.workspace.asRelativePath(uri, false);
  if (matchesAny(files.get("readonlyInclude"), path) && !matchesAny(files.get("readonlyExclude"), path)) {
    throw new ToolError(
      "protected",
      `${at.path}: the user has marked it read-only. Nothing was changed.`,
      "Ask the user: the setting files.readonlyInclude names it.",
    );
  }
}

/** Whether a path matches such a setting, which maps globs to whether they count. */
function matchesAny(globs: unknown, path: string): boolean {
  return Object.entries((globs ?? {}) as Record<string, unknown>).some(
    ([glob, counts]) =>
      counts === true && new Minimatch(glob, { dot: true, nocomment: true, nonegate: true }).match(path),
  );
}
