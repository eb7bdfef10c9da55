import type { Tool } from "../../core/contract.js";

/**
 * The words of a tool on the command line: one that is named after its group is a verb of it (`context read`), and one
 * of the documents is a verb of its kind (`task list`), whose whole name works, too (`whole`): nobody sees from its
 * group how it is called.
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
