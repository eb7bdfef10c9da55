import type { Rule } from "../../../ports/rules.js";

/** Fields that show on their own what a rule is about. */
const TELLING = new Set(["command", "path", "url", "label", "to"]);

/**
 * Returns a description of what a rule covers, for people: `npm test **`, `edit src/**`, `process action=signal`,
 * `my_tool`.
 */
export function ruleWords({ tool, params = {}, beyond }: Pick<Rule, "tool" | "params" | "beyond">): string {
  if (beyond !== undefined) {
    return `${beyond.access} anything but ${beyond.globs.join(", ") || "nothing"}`;
  }
  const entries = Object.entries(params);
  const [only] = entries;
  if (tool === "exec" && entries.length === 1 && only?.[0] === "command") {
    return only[1];
  }
  return [tool, ...entries.map(([field, pattern]) => (TELLING.has(field) ? pattern : `${field}=${pattern}`))].join(" ");
}

/** Whether two rules are equivalent. */
export function sameRule(one: Rule, other: Rule): boolean {
  return ruleKey(one) === ruleKey(other);
}

/** Returns a rule as a key: the same for equivalent rules, whatever the order of their fields. */
export function ruleKey({ tool, params = {}, decision, beyond }: Rule): string {
  return JSON.stringify([
    tool,
    decision,
    Object.entries(params).sort(([one], [other]) => (one < other ? -1 : 1)),
    beyond,
  ]);
}
