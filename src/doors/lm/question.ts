import { ruleWords } from "../../core/permission/rules/words.js";
import type { Question } from "../../ports/confirm.js";
import type { Rule } from "../../ports/rules.js";
import { clipStart } from "../../text/clip.js";
import { cutDetail, type Room } from "../../text/cutDetail.js";
import { codeFence, codeSpan, sentenceMarkdown } from "../../text/fence.js";
import { showHidden, visibleLine } from "../../text/showHidden.js";

/** Code units of a reason: a path may have thousands. */
const MAX_REASON = 2_000;
/** Code units of a rule. */
const MAX_RULE = 200;
/** Of a diff or command. The view scrolls, so its width does not matter. */
const ROOM: Room = { characters: 20_000, rows: 2_000, columns: Infinity };

/**
 * A question as Markdown for VS Code's confirmation: why it is asked, then what will happen. Of what is too long to
 * show, the first lines; above them stands what is left out. Nothing that came from outside can become markup, and
 * nothing is hidden.
 */
export function questionMarkdown({ reasons, detail, derived }: Question): string {
  const visible = showHidden(detail.text, detail.language !== "bash");
  const { shown, notice, end } = cutDetail({ language: detail.language, text: visible.text }, ROOM);
  return [
    ...reasons.map((reason) => sentenceMarkdown(clipStart(visibleLine(reason), MAX_REASON))),
    ...[notice, visible.notice].flatMap((text) => (text === undefined ? [] : [`**${text}**`])),
    codeFence(shown, detail.language),
    ...(end === undefined ? [] : [end]),
    ...(derived.length === 0 ? [] : [rulesNote(derived)]),
  ].join("\n\n");
}

function rulesNote(derived: readonly Rule[]): string {
  const rules = derived.map((rule) => codeSpan(clipStart(visibleLine(ruleWords(rule)), MAX_RULE)));
  return `${rules.length === 1 ? "The rule" : "The rules"} that would allow it from now on: ${rules.join(", ")}`;
}
