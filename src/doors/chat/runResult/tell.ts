import type { CallResult } from "../../../agent/turn.js";
import { isRecord } from "../../../core/jsonSchema.js";
import { SKIPPED } from "../../../core/pipeline/callFailure.js";
import { LINK_COMMAND } from "../../../names/contributed.js";
import { codeFence, literalLine } from "../../../text/fence.js";
import { clipStart } from "../../../text/clip.js";
import { fileLink, type FileLinksHost } from "../fileLinks.js";
import type { ChatOutput } from "../output.js";
import { commandLink } from "../commandLink.js";
import { shownResult } from "./shown.js";
import type { OpenOutputArgument } from "./commands.js";

/** Maximum characters of the subject in the name of an output's editor. */
const MAX_TITLE = 60;

export interface RunResultHost extends Pick<FileLinksHost, "addressOf"> {
  results: {
    /** Keeps a result for an editor. @returns its URI */
    keep(tool: string, about: string, text: string, data: unknown): { toString(): string };
  };
  /** Returns the process that a call of a session has started since a time; undefined if it has started none. */
  processOf(session: string, call: string, since: number): string | undefined;
}

/** A call that a person made. */
interface MadeCall {
  session: string;
  id: string;
  tool: string;
  /** Its subject: the path, the pattern, the command. */
  about: string;
}

/** Shows the result of a call that a person made, with links to all of a long one and to a command's terminal. */
export async function tellResult(
  host: RunResultHost,
  { session, id, tool, about }: MadeCall,
  { ok, text, data, failed, error }: CallResult,
  output: Pick<ChatOutput, "own">,
): Promise<void> {
  if (!ok) {
    // What VS Code says of a skipped call is for a model.
    const why = error ?? { message: failed === SKIPPED ? "" : text };
    output.own(failureMarkdown(failed ?? "failed", why));
    return;
  }
  const { markdown, isCut } = await shownResult(text, data, (path, line, label) => fileLink(host, path, line, label));
  // A command's end is the first line of its result.
  const mark =
    failed === undefined ? "" : text.startsWith("[") ? "$(error) " : `$(error) **${literalLine(failed)}**\n\n`;
  output.own(`${mark}${markdown}\n\n`);
  const links: string[] = [];
  if (isCut) {
    const title = clipStart(about, MAX_TITLE);
    const stored = isRecord(data) && typeof data["result_id"] === "string" ? data["result_id"] : undefined;
    const argument: OpenOutputArgument =
      stored === undefined ? { uri: host.results.keep(tool, title, text, data).toString() } : { stored, tool, title };
    links.push(commandLink("Open Whole Output", LINK_COMMAND.openOutput, argument));
  }
  const process = host.processOf(session, id, 0);
  if (process !== undefined) {
    links.push(commandLink("Show Terminal", LINK_COMMAND.showTerminal, process));
  }
  if (links.length > 0) {
    output.own(`${links.join(" · ")}\n\n`, [LINK_COMMAND.openOutput, LINK_COMMAND.showTerminal]);
  }
}

/** Formats a failure: what happened, then details as they are, then what to do. */
function failureMarkdown(words: string, { message, hint }: { message: string; hint?: string }): string {
  const [first = "", ...rest] = message.split("\n");
  return [
    `$(error) **${literalLine(words)}**`,
    ...(first === "" ? [] : [literalLine(first)]),
    ...(rest.length === 0 ? [] : [codeFence(rest.join("\n"), "text")]),
    ...(hint === undefined ? [] : [literalLine(hint)]),
  ].join("\n\n");
}
