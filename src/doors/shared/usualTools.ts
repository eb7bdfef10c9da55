import type { Tool } from "../../core/contract.js";

/**
 * The tools that an outside agent is offered unless it asks for others: those that it lacks or has in a weaker form. In
 * 5,000 tokens (`test/unit/doors/mcp/offered.test.ts`), since many clients send all of them with every request. So each
 * has a purpose of its own: `apply_patch` does what `multi_edit` does, and `read` what `memory_get` does.
 */
const USUAL: ReadonlySet<string> = new Set([
  ...["read", "write", "edit", "apply_patch", "grep", "glob", "ls"],
  ...["symbols", "references", "edit_symbol"],
  ...["exec", "process", "query", "pipe"],
  ...["memory_search", "memory_write"],
]);

/** Whether a tool is among those that an outside agent is offered. */
export function isUsual({ name }: Pick<Tool, "name">): boolean {
  return USUAL.has(name);
}
