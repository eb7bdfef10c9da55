import { ruleWords } from "../../core/permission/rules/words.js";
import { tellsMore } from "../../core/pipeline/question.js";
import type { Question } from "../../ports/confirm.js";
import type { Rule } from "../../ports/rules.js";
import { clipStart } from "../../text/clip.js";
import { cutDetail, type Room } from "../../text/cutDetail.js";
import { codeFence, literalCode, literalLine, sentenceMarkdown } from "../../text/fence.js";
import { showHidden, visibleLine } from "../../text/showHidden.js";

/** Maximum code units of a reason: a path may have thousands. */
const MAX_REASON = 2_000;
/** Maximum code units of a rule. */
const MAX_RULE = 200;
/** Limits of a diff or command. The view scrolls, so its width does not matter. */
const ROOM: Room = { characters: 20_000, rows: 2_000, columns: Infinity };

/**
 * Formats a question as Markdown for VS Code's confirmation: the reasons, then what will happen. If that is too long, its
 * first lines, with the omissions listed above them. No text from outside can become markup, and hidden characters are
 * made visible.
 *
 * @param asker who makes the call, unless it is the agent that the user is talking to
 */
export function questionMarkdown(question: Question, asker?: string): string {
  const { reasons, detail, derived } = question;
  const visible = showHidden(detail.text, detail.language !== "bash");
  const { shown, notice, end } = cutDetail({ language: detail.language, text: visible.text }, ROOM);
  return [
    ...(asker === undefined ? [] : [`**${literalLine(asker)}** asks.`]),
    ...reasons.map((reason) => sentenceMarkdown(clipStart(visibleLine(reason), MAX_REASON))),
    ...[notice, visible.notice].flatMap((text) => (text === undefined ? [] : [`**${text}**`])),
    ...(tellsMore(question) ? [codeFence(shown, detail.language)] : []),
    ...(end === undefined ? [] : [end]),
    ...(derived.length === 0 ? [] : [rulesNote(derived)]),
  ].join("\n\n");
}

function rulesNote(derived: readonly Rule[]): string {
  const rules = derived.map((rule) => literalCode(clipStart(visibleLine(ruleWords(rule)), MAX_RULE)));
  return `${rules.length === 1 ? "The rule" : "The rules"} that would allow it: ${rules.join(", ")}`;
}
