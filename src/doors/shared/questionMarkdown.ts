import { ruleWords } from "../../core/permission/rules/words.js";
import { tellsMore } from "../../core/pipeline/question.js";
import type { Question } from "../../ports/confirm.js";
import type { Rule } from "../../ports/rules.js";
import { clipStart } from "../../text/clip.js";
import { cutDetails, type Room } from "../../text/cutDetails.js";
import { codeFence, literalCode, literalLine, sentenceMarkdown } from "../../text/fence.js";
import { PROSE, proseMarkdown } from "../../text/prose.js";
import { cardLine } from "./cardTitle.js";
import { visibleLine } from "../../text/showHidden.js";
import { visibleDetails } from "../../text/visibleDetails.js";

/** Maximum code units of a reason: a path may have thousands. */
const MAX_REASON = 2_000;
/** Maximum code units of a rule. */
const MAX_RULE = 200;
/** Limits of a diff or command. The view scrolls, so its width does not matter. */
const ROOM: Room = { characters: 20_000, rows: 2_000, columns: Infinity };

/**
 * Formats a question as Markdown for VS Code's confirmation. It names no rule: VS Code's buttons allow more than one.
 *
 * @param asker who makes the call, unless it is the agent that the user is talking to
 */
export function cardMarkdown(question: Question, asker?: string): string {
  return [
    ...(asker === undefined ? [] : [`**${literalLine(asker)}** asks.`]),
    bodyMarkdown({ ...question, title: cardLine(question.title) }),
    ...(question.derived.length === 0 ? [] : ["*Allow in this Session* covers this tool's other calls, too."]),
  ].join("\n\n");
}

/**
 * Formats a question as Markdown for our own question in a chat.
 *
 * @param named whether a button names the only rule that would allow the call
 * @param told whether the line above it has all of the detail
 */
export function questionMarkdown(question: Question, named = false, told = false): string {
  const { derived } = question;
  return [bodyMarkdown(question, told), ...(derived.length === 0 || named ? [] : [rulesNote(derived)])].join("\n\n");
}

/**
 * Formats the reasons, then what will happen. If that is too long, its first lines, with the omissions listed above them.
 * No text from outside can become markup, and hidden characters are made visible.
 */
function bodyMarkdown(question: Question, told = false): string {
  const details = cutDetails(visibleDetails(question), ROOM);
  return [
    ...question.reasons.map((reason) => sentenceMarkdown(clipStart(visibleLine(reason), MAX_REASON))),
    ...details.flatMap(({ notice, hidden }) => [notice ?? [], hidden ?? []].flat()).map((text) => `**${text}**`),
    ...details
      .slice(!told && tellsMore(question) ? 0 : 1)
      .flatMap(({ title, language, shown, end }) => [
        ...(title === undefined ? [] : [`${sentenceMarkdown(title)}:`]),
        language === PROSE ? proseMarkdown(shown) : codeFence(shown, language),
        ...(end === undefined ? [] : [end]),
      ]),
  ].join("\n\n");
}

function rulesNote(derived: readonly Rule[]): string {
  const rules = derived.map((rule) => literalCode(clipStart(visibleLine(ruleWords(rule)), MAX_RULE)));
  return `${rules.length === 1 ? "The rule" : "The rules"} that would allow it: ${rules.join(", ")}`;
}
