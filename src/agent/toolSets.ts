import type { Tool } from "../core/contract.js";

/** The default tools of a sub-agent: they only read. */
const SUB_AGENT_TOOLS = ["read", "grep", "glob", "ls", "memory_search", "memory_get"] as const;

/** Returns the tools of an agent: all except those that end a task, which only sessions of tasks have. */
export function mainAgentTools(tools: readonly Tool[]): Tool[] {
  return tools.filter(({ terminal }) => !terminal);
}

/** Returns the default tools of a sub-agent. */
export function subAgentTools(tools: readonly Tool[]): Tool[] {
  return SUB_AGENT_TOOLS.flatMap((name) => tools.filter((tool) => tool.name === name));
}
