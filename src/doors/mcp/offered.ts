import type { Tool } from "../../core/contract.js";

/**
 * The tools that an outside agent is offered unless it asks for others: those that it lacks or has in a weaker form. In
 * 5,000 tokens (`test/unit/doors/mcp/offered.test.ts`), since many clients send all of them with every request.
 */
const OFFERED = [
  ...["read", "write", "edit", "multi_edit", "apply_patch", "grep", "glob", "ls"],
  ...["exec", "process", "query", "pipe"],
  ...["memory_search", "memory_get", "memory_write"],
];

/** Reads what other tools have stored, so it comes with any of them. */
const READER = "read_result";

/**
 * Returns the tools that an outside agent is offered, out of all.
 *
 * @param isWanted whether the user chose a tool; the usual ones if absent
 */
export function offeredTools(all: readonly Tool[], isWanted?: (tool: Tool) => boolean): Tool[] {
  const isOffered = isWanted ?? (({ name }: Tool): boolean => OFFERED.includes(name));
  const offered = all.filter((tool) => !tool.terminal && isOffered(tool));
  return offered.length === 0 ? [] : all.filter((tool) => offered.includes(tool) || tool.name === READER);
}
