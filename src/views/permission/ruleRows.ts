import type { PlacedRule, RuleDecision } from "../../ports/rules.js";
import { ruleWords } from "../../core/permission/rules/words.js";
import { shorten } from "../../text/clip.js";
import { visibleLine } from "../../text/showHidden.js";
import { plain } from "../../text/plainText.js";
import { when } from "../shared/words.js";
import { l10n } from "../shared/l10n.js";

/** Maximum characters of a rule in the list. */
const MAX_RULE = 120;

const ICONS: Readonly<Record<RuleDecision, string>> = {
  allow: "check",
  ask: "question",
  deny: "circle-slash",
};

const DECISIONS: Readonly<Record<RuleDecision, () => string>> = {
  allow: () => l10n.t("allowed"),
  ask: () => l10n.t("asks"),
  deny: () => l10n.t("denied"),
};

/** A rule in a list. */
export interface RuleRow {
  label: string;
  description: string;
  detail: string;
}

/** A rule as lists show it, in texts that are not escaped. */
export interface RuleLook extends RuleRow {
  /** A codicon's name. */
  icon: string;
}

/**
 * Returns how lists show a rule of the user or of a session.
 *
 * @param lastMatched in ms since the epoch; undefined if it has not decided anything in this window
 */
export function ruleLook(
  { rule, source, place, broken }: PlacedRule,
  lastMatched: number | undefined,
  now: number,
): RuleLook {
  const label = shorten(visibleLine(ruleWords(rule)), MAX_RULE) || l10n.t("(cannot be understood)");
  if (broken !== undefined) {
    const effect =
      rule.decision === "allow"
        ? l10n.t("allows nothing")
        : rule.tool === ""
          ? l10n.t("does nothing")
          : rule.decision === "deny"
            ? l10n.t("denies every call that its readable part matches")
            : l10n.t("asks about every call that its readable part matches");
    return {
      icon: "warning",
      label,
      description: l10n.t("broken"),
      detail: `${effect} · ${place.replace(/^.*\./, "")}: ${visibleLine(broken)}`,
    };
  }
  const matched =
    lastMatched === undefined ? l10n.t("not matched yet") : l10n.t("last matched {0}", when(lastMatched, now));
  return {
    icon: ICONS[rule.decision],
    label,
    description: DECISIONS[rule.decision](),
    detail: `${source === "session" ? l10n.t("until the window closes") : l10n.t("your settings")} · ${matched}`,
  };
}

/** Returns the row of a rule in a quick pick. Parameters are those of `ruleLook`. */
export function ruleRow(...rule: Parameters<typeof ruleLook>): RuleRow {
  const { icon, label, description, detail } = ruleLook(...rule);
  return { label: `$(${icon}) ${plain(label)}`, description, detail: plain(detail) };
}

/** Returns the row of a default, which cannot be changed. */
export function defaultRow(sentence: string): { label: string } {
  return { label: `$(lock-small) ${defaultWords(sentence)}` };
}

/** Returns a default as a sentence of its own. */
export function defaultWords(sentence: string): string {
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}`;
}
