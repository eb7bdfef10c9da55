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

/** Files that the summary lists; the review shows all of them. */
const MAX_LISTED = 20;
/** Commands that are looked at; of more, one will have changed something. */
const MAX_COMMANDS = 20;

export interface SummaryHost extends FileLinksHost {
  changes: Pick<ChangeKeeper, "journal">;
  pipeline: Pick<Pipeline, "explain">;
}

/** What a turn changed and still stands; undefined when that is nothing, or nothing is known. */
export async function changesOf(
  { changes }: Pick<SummaryHost, "changes">,
  key: TurnKey,
): Promise<JournalTurn | undefined> {
  try {
    const turn = (await changes.journal()).turn(key);
    return turn === undefined || turn.files.length === 0 || turn.undone === "yes" ? undefined : turn;
  } catch {
    // Without a journal the tools' own answers say that nothing can be undone.
    return undefined;
  }
}

/** Tells at the end of a turn what it changed, with buttons to look at it and to take it back. */
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
      ? ["", "*What the commands of this turn changed is not in this list, and Undo does not take it back.*"]
      : []),
  ];
  const total = files.length > 1 ? ` (${escapeMarkdown(changeWords(files).replace(/ in \d+ files$/, ""))})` : "";
  output.own(["", "", `**Changed ${count(files.length, "file")}**${total}`, "", ...rows, ...remarks, ""].join("\n"));
  const key = { session, turn: turn.turn };
  output.button({ command: UNDO_COMMAND.review, title: "Review", arguments: [key] });
  output.button({ command: LINK_COMMAND.undoTurn, title: "Undo", arguments: [key] });
}

/** Whether some command of a turn is not proven to only read. */
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
        // A call that is wrong in itself ran nothing.
        () => true,
      ),
    ),
  );
  return only.includes(false);
}
