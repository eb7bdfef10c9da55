import type { ExternalTool } from "../../ports/externalTools.js";
import type { ListedTool } from "../../ports/tools.js";
import { oneLine, shorten } from "../../text/clip.js";

/** One line of the capabilities list: the purpose of a group of tools, without naming them. */
export interface Theme {
  name: string;
  can: string;
}

export interface Themes {
  internal: readonly Theme[];
  external: readonly Theme[];
}

/** The tools that the list covers. */
export interface ToolFamilies {
  internal: readonly ListedTool[];
  external: readonly ExternalTool[];
}

/** Maximum characters shown of a server's name. */
const MAX_NAME = 60;

/** The purposes of our own groups, without naming any tool. */
const GROUPS: Readonly<Record<string, Theme>> = {
  fs: { name: "Files", can: "look at, search, list, create, change and move the workspace's files, text or not" },
  runtime: {
    name: "Commands",
    can: "run shell commands and the workspace's tasks, watch and control background processes",
  },
  context: {
    name: "Context store",
    can: "store large texts and results by path, search them, evaluate expressions on them",
  },
  memory: { name: "Memory", can: "store notes for later sessions, and find them again" },
  code: {
    name: "Code",
    can: "errors and warnings, symbols, definitions, references and renames, as the editor's language servers know them",
  },
  web: { name: "Web", can: "search the web and fetch pages" },
  sessions: {
    name: "Sessions",
    can: "hand work to other agents, look into other sessions and leave messages for them",
  },
  automation: { name: "Automation", can: "notify people or message them by chat, and run prompts at set times" },
  task: { name: "Task", can: "end the current task as done, failed or waiting" },
  documents: { name: "Documents", can: "manage skills, prompts, tasks and schedules as files" },
  tools: {
    name: "Other tools",
    can: "update this overview, and find, describe and use tools of MCP servers and other extensions",
  },
};

/** Returns one line per group and per server, written without a model. */
export function staticThemes({
  internal,
  external,
}: {
  internal: readonly Pick<ListedTool, "group">[];
  external: readonly Pick<ExternalTool, "server">[];
}): Themes {
  return {
    internal: [...grouped(internal, ({ group }) => group)].map(
      ([group, count]) => GROUPS[group] ?? counted(group, count),
    ),
    external: [...grouped(external, ({ server }) => server)].map(([server, count]) => counted(server, count)),
  };
}

function counted(name: string, count: number): Theme {
  return { name: shorten(oneLine(name), MAX_NAME), can: `${count} tool(s)` };
}

/** Counts the items per key, in order of first occurrence. */
function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) {
    counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  }
  return counts;
}
