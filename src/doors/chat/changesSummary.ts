import type { ChangeKeeper } from "../../features/changes/changes.js";
import type { TurnKey } from "../../features/changes/journal/queries.js";
import type { JournalTurn } from "../../features/changes/journal/types.js";
import type { Pipeline } from "../../core/pipeline/pipeline.js";
import { escapeMarkdown } from "../../text/fence.js";
import { changeWords } from "../../views/undo/calls.js";
import { droppedOfTurn } from "../../views/undo/undo.js";
import { fileLink, type FileLinksHost } from "./fileLinks.js";
import type { ChatOutput } from "./output.js";
import type { RunCommand } from "./shownTurn.js";
import { count } from "../../text/words.js";
import { LINK_COMMAND, UNDO_COMMAND } from "../../names/contributed.js";

/** Maximum number of files in the summary; the review shows all. */
const MAX_LISTED = 20;
/** Maximum number of commands to check: of more, one has probably changed something. */
const MAX_COMMANDS = 20;

export interface SummaryHost extends FileLinksHost {
  changes: Pick<ChangeKeeper, "journal">;
  pipeline: Pick<Pipeline, "explain">;
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

/** Lists a turn's changes at its end, with buttons to review and undo them. */
export async function tellChanges(
  host: SummaryHost,
  turn: JournalTurn,
  commands: readonly RunCommand[],
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
    ...((await mayHaveChanged(host, session, commands))
      ? ["", "*Changes made by commands of this turn are not listed, and Undo does not undo them.*"]
      : []),
  ];
  const total = files.length > 1 ? ` (${escapeMarkdown(changeWords(files).replace(/ in \d+ files$/, ""))})` : "";
  output.own(["", "", `**Changed ${count(files.length, "file")}**${total}`, "", ...rows, ...remarks, ""].join("\n"));
  const key = { session, turn: turn.turn };
  output.button({ command: UNDO_COMMAND.review, title: "Review", arguments: [key] });
  output.button({ command: LINK_COMMAND.undoTurn, title: "Undo", arguments: [key] });
}

/** Whether a command of a turn is not proven to only read. */
async function mayHaveChanged(
  { pipeline }: SummaryHost,
  session: string,
  commands: readonly RunCommand[],
): Promise<boolean> {
  if (commands.length > MAX_COMMANDS) {
    return true;
  }
  const { signal } = new AbortController();
  const only = await Promise.all(
    commands.map(({ tool, input }) =>
      pipeline.explain(tool, input, { door: "chat", session, signal, authority: "model", planOnly: true }).then(
        ({ decision }) => decision !== "deny",
        // An invalid call ran nothing.
        () => true,
      ),
    ),
  );
  return only.includes(false);
}
