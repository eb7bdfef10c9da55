import type { PlacedRule } from "../../../ports/rules.js";
import { ruleWords } from "./words.js";

/** A rule with its decision and place, as a decision names it: `toolhost.permissions.rules[2]: allow npm test **`. */
export function placedText({ rule, place }: PlacedRule): string {
  return `${place}: ${rule.decision} ${ruleWords(rule)}`;
}
