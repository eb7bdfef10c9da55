import type * as vscode from "vscode";
import { ToolError } from "../../core/errors.js";
import type { TurnKey } from "../../features/changes/journal/queries.js";
import { conflictError } from "../../features/changes/journal/undo.js";
import type { UndoPlan } from "../../features/changes/journal/undoPlan.js";
import type { ModelMessage } from "../../ports/models.js";
import { codeSpan, escapeMarkdown } from "../../text/fence.js";
import { lastTurn } from "./calls.js";
import { countedSteps, stepLines, stepWords, type Direction } from "./steps.js";
import { checkTrust, undo, type ToldUndo, type UndoHost } from "./undo.js";
import { LINK_COMMAND, UNDO_COMMAND } from "../../names/contributed.js";

/** Maximum number of files that the answer lists; the review shows all. */
const MAX_LISTED = 30;

/** Maximum number of files listed for the model of the next turn, since every line costs tokens. */
const MAX_TOLD = 50;

export interface ChatUndoHost extends UndoHost {
  /** Returns the URI of a workspace path; undefined if it does not exist. */
  addressOf(path: string): Promise<vscode.Uri | undefined>;
}

/**
 * Handles `/undo`: undoes the last turn of a chat that changed files. Sent again, it undoes the turn before.
 *
 * @param session undefined in a chat without a turn so far
 * @param words the text after the command
 * @returns messages that tell the next turn's model
 */
export async function undoInChat(
  host: ChatUndoHost,
  session: string | undefined,
  words: string,
  stream: vscode.ChatResponseStream,
  signal: AbortSignal,
): Promise<ModelMessage[]> {
  if (words.trim() !== "") {
    stream.markdown(
      "Nothing was undone. `/undo` undoes the whole last turn of this chat that changed files: send it alone. To choose single changes, use the command **Toolhost: Undo Change…**.",
    );
    return [];
  }
  try {
    checkTrust(host);
    const journal = await host.changes.journal();
    // A chat without a turn has no session; no session is named "".
    const key = lastTurn(journal, host.now(), session ?? "");
    const plan = await host.changes.planUndo(key, host.files);
    if (conflictError(plan) !== undefined) {
      await tellConflicts(host, plan, key, journal.turn(key)?.files.length ?? 0, stream);
      return [];
    }
    const done = await undo(host, { door: "chat", session: session ?? "", signal }, key, "undo");
    await tellDone(host, done, journal.lastTurn(key.session) !== undefined, stream);
    return asMessages(done);
  } catch (error) {
    if (!(error instanceof ToolError)) {
      throw error;
    }
    const { type, message, hint } = error;
    const elsewhere =
      type === "not_found"
        ? " The command **Toolhost: Undo Last Turn** undoes changes made elsewhere in this workspace."
        : "";
    stream.markdown(`${escapeMarkdown([message, hint].filter((part) => part !== undefined).join(" "))}${elsewhere}`);
    return [];
  }
}

async function tellDone(
  host: ChatUndoHost,
  { headline, steps, remarks, key }: ToldUndo,
  isMore: boolean,
  stream: vscode.ChatResponseStream,
): Promise<void> {
  stream.markdown(`${escapeMarkdown(headline)}\n\n`);
  for (const step of steps.slice(0, MAX_LISTED)) {
    stream.markdown("- ");
    await tellFile(host, step.path, step.did !== "deleted", stream);
    stream.markdown(`: ${escapeMarkdown(stepWords(step, "undo"))}\n`);
  }
  if (steps.length > MAX_LISTED) {
    const others = steps.slice(MAX_LISTED);
    stream.markdown(`- and ${others.length} more: ${countedSteps(others, "undo")}\n`);
  }
  stream.markdown(
    ["", ...remarks.map(escapeMarkdown), ...(isMore ? ["Send `/undo` again to undo the turn before."] : [])].join(
      "\n\n",
    ),
  );
  if (key !== undefined) {
    stream.button({ command: LINK_COMMAND.bringBack, title: "Redo", arguments: [key] });
  }
}

async function tellConflicts(
  host: ChatUndoHost,
  { conflicts }: UndoPlan,
  key: TurnKey,
  files: number,
  stream: vscode.ChatResponseStream,
): Promise<void> {
  stream.markdown("Nothing was undone, to keep later changes:\n\n");
  for (const { path, reason, conflicts: places } of conflicts.slice(0, MAX_LISTED)) {
    stream.markdown("- ");
    await tellFile(host, path, true, stream);
    const lines = places.map(({ start, end }) => (end > start ? `${start}–${end}` : `${start}`)).join(", ");
    stream.markdown(
      ` ${escapeMarkdown(reason)}${lines === "" ? "" : ` (line${/\D/.test(lines) ? "s" : ""} ${lines})`}.\n`,
    );
  }
  const others =
    files > conflicts.length ? " The command **Toolhost: Undo Change…** can undo the other files alone." : "";
  stream.markdown(`\nEdit ${conflicts.length === 1 ? "it" : "them"} by hand.${others}`);
  stream.button({ command: UNDO_COMMAND.review, title: "Review", arguments: [key] });
}

async function tellFile(
  host: ChatUndoHost,
  path: string,
  isThere: boolean,
  stream: vscode.ChatResponseStream,
): Promise<void> {
  const address = isThere ? await host.addressOf(path) : undefined;
  if (address === undefined) {
    stream.markdown(codeSpan(path));
  } else {
    // An anchor would show the file name without its folder.
    stream.markdown(`[${escapeMarkdown(path)}](${address.toString()})`);
  }
}

/**
 * Messages that tell a session's model that changes were undone or redone, so that it does not rely on the old state.
 *
 * @param asked how the user did it
 */
export function asMessages(
  { headline, steps, remarks }: ToldUndo,
  asked = "/undo",
  direction: Direction = "undo",
): ModelMessage[] {
  const files = stepLines(steps, direction, MAX_TOLD, (path) => path).map((line) => `- ${line}`);
  const what =
    direction === "undo"
      ? "(The user undid the changes of an earlier turn.)"
      : "(The user redid changes that had been undone.)";
  return [
    { role: "user", content: [{ type: "text", text: asked }] },
    { role: "assistant", content: [{ type: "text", text: [what, headline, ...files, ...remarks].join("\n") }] },
  ];
}
