import type { Root } from "../../ports/files.js";

/** How an absolute path begins. */
export const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/;

/** Returns the program of a command: a path counts from the workspace folder; a name is found by PATH. */
export function programOf(command: string, root: Root): string {
  return ABSOLUTE.test(command) || !/[\\/]/.test(command) ? command : `${root.path}/${command}`;
}
