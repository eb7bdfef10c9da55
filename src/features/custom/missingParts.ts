import { ToolError, unlessMissing } from "../../core/errors.js";
import type { Files } from "../../ports/files.js";
import type { Programs } from "../../ports/programs.js";
import { visibleLine } from "../../text/showHidden.js";
import { joined } from "./commandTool.js";
import type { ReadEntry } from "./readTools.js";
import type { Problem } from "./source.js";

/**
 * Returns what command tools need and this machine or workspace does not have: their programs and folders. These are
 * warnings, since another machine may have them and a folder may be made later; a folder outside the workspace is an
 * error.
 *
 * @param root the absolute path of the folder that programs' paths are relative to
 * @param folder that folder in paths of `files`: `.`, or its name in a workspace of several
 */
export async function missingParts(
  entries: readonly ReadEntry[],
  { programs, files }: { programs: Programs; files: Files },
  root: string,
  folder: string,
): Promise<Problem[]> {
  const found = await Promise.all(
    entries.map(async ({ entry, line, column }): Promise<Problem[]> => {
      if ("use" in entry) {
        return [];
      }
      const at = { line, column, tool: entry.name };
      const wrong = entry.cwd === undefined ? undefined : await folderProblem(files, joined(folder, entry.cwd));
      const isFound = (await programs.find(entry.command, root)).length > 0;
      return [
        ...(isFound
          ? []
          : [
              {
                ...at,
                message: `${visibleLine(entry.command)} is missing or not executable on this machine.`,
                isWarning: true,
              },
            ]),
        ...(wrong === undefined ? [] : [{ ...at, ...wrong }]),
      ];
    }),
  );
  return found.flat();
}

async function folderProblem(files: Files, path: string): Promise<Pick<Problem, "message" | "isWarning"> | undefined> {
  try {
    const kind = await unlessMissing(async () => (await files.stat(await files.resolve(path))).kind);
    if (kind === "directory") {
      return undefined;
    }
    const message =
      kind === undefined
        ? `cwd: there is no folder ${visibleLine(path)}.`
        : `cwd: ${visibleLine(path)} is not a folder.`;
    return { message, isWarning: true };
  } catch (error) {
    if (!(error instanceof ToolError)) {
      throw error;
    }
    return { message: `cwd: ${error.message}` };
  }
}
