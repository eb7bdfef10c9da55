import type { ExternalTool } from "../../ports/externalTools.js";
import type { ListedTool } from "../../ports/tools.js";
import { oneLine, shorten } from "../../text/clip.js";

/** A line of the list of capabilities: what a family of tools is for, without their names. */
export interface Theme {
  name: string;
  can: string;
}

export interface Themes {
  internal: readonly Theme[];
  external: readonly Theme[];
}

/** What the list is made of. */
export interface ToolFamilies {
  internal: readonly ListedTool[];
  external: readonly ExternalTool[];
}

/** Characters of a server's name in a line. */
const MAX_NAME = 60;

/** What our own groups are for, in words that name no tool. */
const GROUPS: Readonly<Record<string, Theme>> = {
  fs: { name: "Files", can: "look at, search, list, create, change and move the workspace's files, text or not" },
  runtime: {
    name: "Commands",
    can: "run shell commands and the workspace's tasks, watch and steer what goes on in the background",
  },
  context: {
    name: "Context store",
    can: "keep large texts and results by path, search them, evaluate expressions on them",
  },
  memory: { name: "Memory", can: "note what should be known in later sessions, and find it again" },
  code: {
    name: "Code",
    can: "errors and warnings, symbols, definitions, references and renames, as the editor's language servers know them",
  },
  web: { name: "Web", can: "search the web and fetch pages" },
  sessions: { name: "Sessions", can: "hand work to sub-agents, look into other sessions and leave word for them" },
  automation: { name: "Automation", can: "reach people by notification or chat, and do things at a set time" },
  task: { name: "Task", can: "end the task at hand: done, failed, or waiting" },
  documents: { name: "Documents", can: "keep skills, prompts, tasks and schedules as files" },
  tools: {
    name: "Other tools",
    can: "keep this overview, and find, describe and use what MCP servers and other extensions offer where there are any",
  },
};

/** One line a group and a server, made without a model. */
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

/** How many there are of each, in the order in which they come. */
function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) {
    counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  }
  return counts;
}
