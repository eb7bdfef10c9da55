import type { Tool } from "../../core/contract.js";

/**
 * The words of a tool on the command line: one that is named after its group is a verb of it (`context read`), and one of the documents is a
 * verb of its kind (`task list`). Its whole name works, too.
 */
export function commandWords({ name, group }: Pick<Tool, "name" | "group">): { parent?: string; verb: string } {
  const parent = group === "documents" ? name.slice(0, Math.max(0, name.indexOf("_"))) : group;
  return parent !== "" && name.startsWith(`${parent}_`) ? { parent, verb: name.slice(parent.length + 1) } : { verb: name };
}
