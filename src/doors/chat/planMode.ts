import type { Tool } from "../../core/contract.js";

/**
 * Tools that may change something and are there all the same: what they do is decided on in each call, and here only
 * looking is allowed.
 */
const DECIDED_BY_CALL = ["exec", "sessions_spawn"];

/** What `/plan` tells the model for its turn. */
export const PLAN_INSTRUCTIONS = [
  "The user asked for a plan, with /plan. In this turn you can look and nothing else: every tool and command that would change something is refused, and asking for it is useless.",
  "Look at what matters, then lay out the plan: what you found, the steps with the files and lines they change, how each is proved, what could go wrong, and what you would have to ask. Do not say that you did any of it.",
  "When the user agrees, without /plan, you carry it out in a later turn.",
] as const;

/** The tools of a turn that only plans. */
export function planTools(tools: readonly Tool[]): Tool[] {
  return tools.filter(({ name, annotations }) => annotations.readOnly || DECIDED_BY_CALL.includes(name));
}
