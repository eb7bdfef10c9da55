import type { Tool } from "../../core/contract.js";

/** Tools of an agent's session: a single command has none, and nothing that it starts runs after it ends. */
const OF_SESSIONS = ["process", "todo", "ask_user"];

/** Whether a tool has a command. Those that end a task have none: only a task's session can end. */
export function hasCommand({ name, terminal }: Pick<Tool, "name" | "terminal">): boolean {
  return !terminal && !OF_SESSIONS.includes(name);
}

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
