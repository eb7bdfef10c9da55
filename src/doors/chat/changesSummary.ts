import type { ChangeKeeper } from "../../features/changes/changes.js";
import type { TurnKey } from "../../features/changes/journal/queries.js";
import type { JournalTurn } from "../../features/changes/journal/types.js";
import { escapeMarkdown } from "../../text/fence.js";
import { changeWords } from "../../views/undo/calls.js";
import { droppedOfTurn } from "../../views/undo/undo.js";
import { fileLink, type FileLinksHost } from "./fileLinks.js";
import type { ChatOutput } from "./output.js";
import { count } from "../../text/words.js";
import { LINK_COMMAND, UNDO_COMMAND } from "../../names/contributed.js";

/** Maximum number of files in the summary; the review shows all. */
const MAX_LISTED = 20;
/** Maximum number of changes named that undo does not cover. */
const MAX_UNRECORDED = 5;

export interface SummaryHost extends FileLinksHost {
  changes: Pick<ChangeKeeper, "journal">;
}

/** Returns the turn if its changes are still in files; undefined if there are none or the journal is unavailable. */
export async function changesOf(
  { changes }: Pick<SummaryHost, "changes">,
  key: TurnKey,
): Promise<JournalTurn | undefined> {
  try {
    const turn = (await changes.journal()).turn(key);
    return turn === undefined || turn.files.length === 0 || turn.undone === "yes" ? undefined : turn;
  } catch {
    // Without a journal, the tools' results say that nothing can be undone.
    return undefined;
  }
}

/**
 * Lists a turn's changes at its end, with buttons to review and undo them.
 *
 * @param unrecorded what its commands changed that the undo journal does not have, as phrases
 */
export async function tellChanges(
  host: SummaryHost,
  turn: JournalTurn,
  unrecorded: readonly string[],
  output: ChatOutput,
): Promise<void> {
  const { files, session, dropped } = turn;
  const rows = await Promise.all(
    files
      .slice(0, MAX_LISTED)
      .map(
        async (file) =>
          `- ${file.kind === "delete" ? escapeMarkdown(file.path) : await fileLink(host, file.path)}: ${escapeMarkdown(changeWords([file]))}`,
      ),
  );
  const remarks = [
    ...(files.length > MAX_LISTED ? [`- and ${files.length - MAX_LISTED} more`] : []),
    ...(dropped > 0 ? ["", droppedOfTurn(dropped)] : []),
    ...(unrecorded.length > 0 ? ["", `*Undo does not cover: ${escapeMarkdown(firstOf(unrecorded))}.*`] : []),
  ];
  const total = files.length > 1 ? ` (${escapeMarkdown(changeWords(files).replace(/ in \d+ files$/, ""))})` : "";
  output.own(["", "", `**Changed ${count(files.length, "file")}**${total}`, "", ...rows, ...remarks, ""].join("\n"));
  const key = { session, turn: turn.turn };
  output.button({ command: UNDO_COMMAND.review, title: "Review", arguments: [key] });
  output.button({ command: LINK_COMMAND.undoTurn, title: "Undo", arguments: [key] });
}

function firstOf(phrases: readonly string[]): string {
  const more = phrases.length - MAX_UNRECORDED;
  return `${phrases.slice(0, MAX_UNRECORDED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
