import type { Tool } from "./contract.js";

/** Icons of tools for which their group's does not fit. */
const OF_TOOL: Readonly<Record<string, string>> = {
  read: "file",
  ls: "list-tree",
  glob: "files",
  grep: "search",
  read_result: "output",
  exec: "terminal",
  process: "server-process",
  run_task: "run-all",
  message: "mail",
  query: "json",
  pipe: "filter",
  show_secret: "key",
};

/** Icons of groups. */
const OF_GROUP: Readonly<Record<string, string>> = {
  automation: "watch",
  context: "library",
  memory: "book",
  sessions: "hubot",
  tools: "tools",
  web: "globe",
};

/** Returns the id of the icon that VS Code shows for a tool. */
export function toolIcon({ name, group, annotations }: Pick<Tool, "name" | "group" | "annotations">): string {
  return OF_TOOL[name] ?? OF_GROUP[group] ?? (annotations.readOnly ? "search" : "edit");
}
