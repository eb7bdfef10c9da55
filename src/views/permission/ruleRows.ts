import type { PlacedRule, RuleDecision } from "../../ports/rules.js";
import { ruleWords } from "../../core/permission/rules/words.js";
import { shorten } from "../../text/clip.js";
import { visibleLine } from "../../text/showHidden.js";
import { plain } from "../../text/plainText.js";
import { when } from "../shared/words.js";

/** Characters of a rule in the list. */
const MAX_RULE = 120;

const ICONS: Readonly<Record<RuleDecision, string>> = {
  allow: "$(check)",
  ask: "$(question)",
  deny: "$(circle-slash)",
};

const DECISIONS: Readonly<Record<RuleDecision, string>> = { allow: "allowed", ask: "asks", deny: "denied" };

/** How a rule stands in the list. */
export interface RuleRow {
  label: string;
  description: string;
  detail: string;
}

/**
 * A rule of the user's or of a session as a row.
 *
 * @param lastMatched milliseconds since 1970; undefined when it has decided nothing in this window
 */
export function ruleRow(
  { rule, source, place, broken }: PlacedRule,
  lastMatched: number | undefined,
  now: number,
): RuleRow {
  const words = plain(shorten(visibleLine(ruleWords(rule)), MAX_RULE)) || "(nothing that can be understood)";
  if (broken !== undefined) {
    const effect =
      rule.decision === "allow"
        ? "allows nothing"
        : rule.tool === ""
          ? "does nothing"
          : `${rule.decision === "deny" ? "denies" : "asks about"} all that is understood of it`;
    return {
      label: `$(warning) ${words}`,
      description: "broken",
      detail: plain(`${effect} · ${place.replace(/^.*\./, "")}: ${visibleLine(broken)}`),
    };
  }
  const matched = lastMatched === undefined ? "not matched yet" : `last matched ${when(lastMatched, now)}`;
  return {
    label: `${ICONS[rule.decision]} ${words}`,
    description: DECISIONS[rule.decision],
    detail: plain(`${source === "session" ? "until the window closes" : "your settings"} · ${matched}`),
  };
}

/** A default as a row; nobody can change it. */
export function defaultRow(sentence: string): { label: string } {
  return { label: `$(lock-small) ${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}` };
}
