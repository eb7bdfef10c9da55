import type { Root } from "../../ports/files.js";

/** How an absolute path begins. */
export const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/;

/** Returns the program of a command: a path is relative to the workspace folder; a name is found on PATH. */
export function programOf(command: string, root: Root): string {
  return ABSOLUTE.test(command) || !/[\\/]/.test(command) ? command : `${root.path}/${command}`;
}
