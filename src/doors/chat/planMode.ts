import type { Tool } from "../../core/contract.js";

/**
 * Tools that may change something but are offered in a plan turn, too: permission allows only those of their calls that
 * read.
 */
const DECIDED_BY_CALL = ["exec", "sessions_spawn", "document"];

/** Instructions for the model in a `/plan` turn. */
export const PLAN_INSTRUCTIONS = [
  "The user asked for a plan with /plan. In this turn you can only look: every tool and command that would change something is refused, so do not try.",
  "Look at what matters, then present the plan: what you found, the steps with the files and lines they change, how to verify each, what could go wrong, and open questions. Do not say that you did any of it.",
  "If the user then agrees in a message without /plan, carry the plan out in that turn.",
] as const;

/** Returns the tools of a turn that only plans. */
export function planTools(tools: readonly Tool[]): Tool[] {
  return tools.filter(({ name, annotations }) => annotations.readOnly || DECIDED_BY_CALL.includes(name));
}
