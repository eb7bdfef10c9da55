import type { Tool } from "../core/contract.js";

/** What a sub-agent has unless it is to have more: tools that only look. */
const SUB_AGENT_TOOLS = ["read", "grep", "glob", "ls", "memory_search", "memory_get"] as const;

/**
 * The tools of an agent, of those there are: all but the ones that end a task, which are for sessions that have one.
 */
export function mainAgentTools(tools: readonly Tool[]): Tool[] {
  return tools.filter(({ terminal }) => !terminal);
}

/** The tools of a sub-agent, of those there are: six that only look. */
export function subAgentTools(tools: readonly Tool[]): Tool[] {
  return SUB_AGENT_TOOLS.flatMap((name) => tools.filter((tool) => tool.name === name));
}
