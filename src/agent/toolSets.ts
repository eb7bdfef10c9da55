import type { Tool } from "../core/contract.js";

/**
 * The tools sent with every request of an agent; it reaches the others through `find_tool`. At most 16 with that one, in
 * 4,000 tokens (`test/unit/agent/sentTools.test.ts`): every request pays for them.
 */
const SENT_TOOLS = [
  ...["read", "write", "edit", "multi_edit", "apply_patch", "grep", "glob", "ls"],
  ...["exec", "process", "read_result", "memory_search", "sessions_spawn", "todo", "ask_user"],
];

/** The default tools of a subagent: they only read. */
const SUB_AGENT_TOOLS = ["read", "grep", "glob", "ls", "memory_search", "memory_get"] as const;

/** Returns the tools of an agent: all except those that end a task, which only sessions of tasks have. */
export function mainAgentTools(tools: readonly Tool[]): Tool[] {
  return tools.filter(({ terminal }) => !terminal);
}

/** Returns the default tools of a subagent. */
export function subAgentTools(tools: readonly Tool[]): Tool[] {
  return SUB_AGENT_TOOLS.flatMap((name) => tools.filter((tool) => tool.name === name));
}

/** Returns the tools of a session that nobody watches: without those that need a person. */
export function unwatchedTools(tools: readonly Tool[]): Tool[] {
  return tools.filter(({ needs }) => !needs.includes("person"));
}

/** The tools of an agent's turn, and those sent with every request. */
export interface AgentTools {
  tools: Tool[];
  sent: Tool[];
}

/**
 * Returns the tools of an agent's turn.
 *
 * @param all the tools that can be used now
 * @param isWanted whether the user wants a tool to be sent with every request, though few need it
 * @param enders tools that end the turn
 */
export function agentTools(
  all: readonly Tool[],
  isWanted: ((tool: Tool) => boolean) | undefined,
  enders: readonly Tool[] = [],
): AgentTools {
  const tools = [...mainAgentTools(all), ...enders];
  return { tools, sent: sentTools(tools, isWanted) };
}

/** Returns those of an agent's tools that are sent with every request. @param isWanted see `agentTools` */
export function sentTools(tools: readonly Tool[], isWanted?: (tool: Tool) => boolean): Tool[] {
  return tools.filter((tool) => SENT_TOOLS.includes(tool.name) || tool.terminal || isWanted?.(tool) === true);
}
