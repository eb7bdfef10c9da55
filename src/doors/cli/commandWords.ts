import type { Tool } from "../../core/contract.js";

/**
 * Returns the command line words of a tool. A tool named after its group is a verb of the group (`context read`); a
 * document tool is a verb of its kind (`task list`). The full name (`whole`) works for document tools, too, because the
 * group does not show how they are called.
 */
export function commandWords({ name, group }: Pick<Tool, "name" | "group">): {
  parent?: string;
  verb: string;
  whole?: string;
} {
  const isDocument = group === "documents" && name.includes("_");
  const parent = isDocument ? name.slice(0, name.indexOf("_")) : group;
  return name.startsWith(`${parent}_`)
    ? { parent, verb: name.slice(parent.length + 1), ...(isDocument ? { whole: name } : {}) }
    : { verb: name };
}
