import type { Programs } from "../../ports/programs.js";
import { visibleLine } from "../../text/showHidden.js";
import type { ReadEntry } from "./readTools.js";
import type { Problem } from "./source.js";

/**
 * Returns the entries whose commands cannot be started on this machine, as warnings: another may have them.
 *
 * @param folder the absolute path of the folder that paths count from
 */
export async function missingCommands(
  entries: readonly ReadEntry[],
  programs: Programs,
  folder: string,
): Promise<Problem[]> {
  const found = await Promise.all(
    entries.map(async ({ entry, line, column }): Promise<Problem[]> => {
      if ("use" in entry || (await programs.find(entry.command, folder)).length > 0) {
        return [];
      }
      const message = `${visibleLine(entry.command)} is missing or not executable on this machine.`;
      return [{ line, column, tool: entry.name, message, isWarning: true }];
    }),
  );
  return found.flat();
}
