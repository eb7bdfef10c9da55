import { ToolError } from "../../core/errors.js";
import type { Files, GatedPath } from "../../ports/files.js";

/**
 * Opens a file that the user approves by its text.
 *
 * @throws ToolError `unsupported` for a link: what it leads to could change without a change of the file
 */
export async function openFile(files: Files, path: string): Promise<GatedPath> {
  const at = await files.resolve(path);
  const { kind } = await files.stat(at);
  if (at.realPath !== at.path) {
    throw new ToolError(
      "unsupported",
      `${path} is a link, or is in a linked folder: it leads to ${at.realPath}. Put the file itself there.`,
    );
  }
  if (kind !== "file") {
    throw new ToolError("unsupported", `${path} is not a file.`);
  }
  return at;
}
