import { excerpt } from "../../text/clip.js";
import { ToolError } from "../../core/errors.js";
import { STATE_FOLDER } from "../../core/paths/pathGate.js";

/**
 * A file of the memory by its path relative to `.toolhost/`: `MEMORY.md`, or `memory/<name>.md`. Such a path is what
 * memory_search gives; one that begins with `.toolhost/` or `./`, or has `\` between its parts, is understood, too.
 *
 * @throws ToolError `invalid_input` for every other path
 */
export function memoryPath(raw: string): string {
  const path = raw
    .replaceAll("\\", "/")
    .normalize("NFC")
    .replace(/^(\.?\/)+/, "")
    .replace(/^\.toolhost\//, "");
  if (path !== "MEMORY.md" && !/^memory\/[^/\p{Cc}\p{Surrogate}]+\.md$/u.test(path)) {
    throw new ToolError(
      "invalid_input",
      `${excerpt(raw)}: is no file of the memory.`,
      "Give MEMORY.md or memory/<key>.md; memory_list gives the keys. Other files are for read.",
    );
  }
  return path;
}

/** The same file by its path in the workspace. */
export function inWorkspace(path: string): string {
  return `${STATE_FOLDER}/${path}`;
}
