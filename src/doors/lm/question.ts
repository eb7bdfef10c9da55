import type { Question } from "../../ports/confirm.js";
import { clipStart, oneLine } from "../../text/clip.js";
import { codeFence, escapeMarkdown } from "../../text/fence.js";
import { cutDetail } from "./cutDetail.js";

/** Code units of a reason: a path may have thousands. */
const MAX_REASON = 2_000;

/**
 * A question as Markdown for VS Code's confirmation: why it is asked, then what will happen. Of what is too long to show, the
 * first lines; above them stands what is left out. Nothing that came from outside can become markup.
 */
export function questionMarkdown({ reasons, detail }: Question): string {
  const { shown, notice, end } = cutDetail(detail);
  return [
    ...reasons.map((reason) => escapeMarkdown(clipStart(oneLine(reason), MAX_REASON))),
    ...(notice === undefined ? [] : [`**${notice}**`]),
    codeFence(shown, detail.language),
    ...(end === undefined ? [] : [end]),
  ].join("\n\n");
}
