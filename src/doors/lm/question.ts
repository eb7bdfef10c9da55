import type { Question } from "../../ports/confirm.js";
import { clipStart, oneLine } from "../../text/clip.js";
import { codeFence, escapeMarkdown } from "../../text/fence.js";

/** Code units of a diff or command shown in a confirmation; the rest is counted. */
const MAX_SHOWN = 10_000;

/** A question as Markdown for VS Code's confirmation. Nothing in it that came from outside can become markup. */
export function questionMarkdown({ reasons, detail }: Question): string {
  const shown = clipStart(detail.text, MAX_SHOWN);
  const rest = detail.text.length - shown.length;
  return [
    ...reasons.map((reason) => escapeMarkdown(oneLine(reason))),
    codeFence(shown, detail.language),
    ...(rest > 0 ? [`… and ${rest} more characters.`] : []),
  ].join("\n\n");
}
