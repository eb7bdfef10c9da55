import { excerpt } from "../../text/clip.js";
import { ToolError } from "../../core/errors.js";
import { STATE_FOLDER } from "../../names/stateFolder.js";

/**
 * Returns the path of a memory file relative to `.toolhost/`: `MEMORY.md`, or `memory/<name>.md`, as memory_search
 * returns it. A path that begins with `.toolhost/` or `./`, or uses `\`, is understood too.
 *
 * @throws ToolError `invalid_input` for any other path
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
      `${excerpt(raw)} is not a memory file.`,
      "Give MEMORY.md or memory/<key>.md; memory_list lists the keys. Use read for other files.",
    );
  }
  return path;
}

/** Returns the workspace path of such a file. */
export function inWorkspace(path: string): string {
  return `${STATE_FOLDER}/${path}`;
}
