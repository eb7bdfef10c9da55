import { ruleWords } from "../../core/permission/rules/words.js";
import type { Answer, Question } from "../../ports/confirm.js";
import type { Rule } from "../../ports/rules.js";
import { shorten } from "../../text/clip.js";
import { visibleLine } from "../../text/showHidden.js";
import { l10n } from "../shared/l10n.js";

/** Maximum characters of a rule on a button. */
const MAX_BUTTON_RULE = 32;

/** A button of a question. */
export interface QuestionChoice {
  title: string;
  answer: Answer;
}

/** Returns what a person can answer: no, once and, where rules would allow the call, for longer. */
export function choicesOf({ accept, derived }: Pick<Question, "accept" | "derived">): QuestionChoice[] {
  return [
    { title: accept === undefined ? l10n.t("Don't Allow") : l10n.t("Don't {0}", accept), answer: "no" },
    { title: accept ?? l10n.t("Allow Once"), answer: "once" },
    ...(derived.length === 0
      ? []
      : ([
          { title: l10n.t("Allow in This Session"), answer: "session" },
          { title: l10n.t("Always Allow {0}", alwaysLabel(derived)), answer: "always" },
        ] as const)),
  ];
}

function alwaysLabel(derived: readonly Rule[]): string {
  const [only] = derived;
  return derived.length === 1 && only !== undefined
    ? `“${shorten(visibleLine(ruleWords(only)), MAX_BUTTON_RULE)}”`
    : l10n.t("{0} Rules", derived.length);
}
