import { ownWords } from "../../agent/ownWords.js";
import type { ChangeKeeper } from "../../features/changes/changes.js";
import type { TurnKey } from "../../features/changes/journal/queries.js";
import { oneLine, shorten } from "../../text/clip.js";
import { escapeMarkdown } from "../../text/fence.js";
import type { StandingChanges } from "../../views/undo/standing.js";
import { standingOf, type Standing } from "../../views/undo/standingOf.js";
import type { ChangedTurns } from "./changedTurns.js";
import type { ChatOutput } from "./output.js";
import type { ChatPlace, ChatTurn } from "./place.js";
import { count } from "../../text/words.js";
import { LINK_COMMAND, UNDO_COMMAND } from "../../names/contributed.js";

export interface TakenBackHost {
  changes: Pick<ChangeKeeper, "journal">;
  changedTurns: ChangedTurns;
  standing: Pick<StandingChanges, "add">;
}

interface ToldTurn {
  key: TurnKey;
  prompt: string;
  standing: Standing;
}

/** Maximum characters of a quoted message. */
const MAX_PROMPT = 60;

/** Turns that were removed from the chat while their changes stay in files. */
export interface TakenBack {
  /** A note for the model, which no longer sees those turns. */
  forModel: string;
  /** Shows a notice at the end of the answer: VS Code folds anything before the last text into steps. */
  show(output: Pick<ChatOutput, "own" | "button">): void;
}

/**
 * Finds, once, the turns that the user removed from the chat while their changes are still in files, and shows that in
 * the status bar. If the journal cannot be opened, the notice says that this is unknown.
 *
 * @param turns the turns that the chat shows
 * @returns undefined if there are none
 */
export async function findTakenBack(
  host: TakenBackHost,
  place: ChatPlace,
  turns: readonly ChatTurn[],
): Promise<TakenBack | undefined> {
  const unknown = turns.flatMap(({ prompt, metadata }) => (metadata === undefined ? [prompt] : []));
  const gone = host.changedTurns.takenBack(place.chat, place.turns, unknown);
  if (gone.length === 0) {
    return undefined;
  }
  const journal = await host.changes.journal().catch(() => undefined);
  if (journal === undefined) {
    // The journal may open with the next message, so keep the turns.
    gone.toReversed().forEach((turn) => host.changedTurns.keep(turn));
    return unknownFor(gone.map(({ prompt }) => shorten(oneLine(prompt), MAX_PROMPT)));
  }
  const told = gone.flatMap(({ session, turn, prompt }) => {
    const standing = standingOf(
      journal,
      journal.calls({ session, turn }).map(({ id }) => id),
    );
    return standing === undefined
      ? []
      : [{ key: { session, turn }, prompt: shorten(oneLine(prompt), MAX_PROMPT), standing }];
  });
  if (told.length === 0) {
    return undefined;
  }
  await host.standing.add(told.flatMap(({ standing }) => standing.calls));
  return {
    forModel: ownWords(
      `The user removed earlier messages from this chat, which you no longer see. Changes made for them are still in these files: ${told.map(({ standing }) => standing.files).join("; ")}. Read them before you rely on their contents.`,
    ),
    show: (output) => told.forEach((turn, index) => show(turn, index === 0, output)),
  };
}

/** Returns the notice if the journal cannot be opened: it is unknown whether the changes are still in files. */
function unknownFor(prompts: readonly string[]): TakenBack {
  return {
    forModel: ownWords(
      "The user removed earlier messages from this chat; you no longer see them. Files were changed because of them, and some of these changes may remain: the undo journal cannot be opened now. Read files before you rely on their contents.",
    ),
    show: (output) =>
      output.own(
        `\n\n$(warning) **Messages were removed from the chat. Their changes may still be in the files**; the undo journal cannot be opened now: ${prompts.map((prompt) => `“${escapeMarkdown(prompt)}”`).join(", ")}\n\n`,
      ),
  };
}

function show({ key, prompt, standing }: ToldTurn, isFirst: boolean, output: Pick<ChatOutput, "own" | "button">): void {
  if (isFirst) {
    output.own(
      "\n\n$(warning) **Messages were removed from the chat, but their changes are still in the files.** *Restore Checkpoint* and editing a message do not undo Toolhost's changes:\n\n",
    );
  }
  output.own(
    `\n\n“${escapeMarkdown(prompt)}”: ${count(standing.changes, "change")} in ${escapeMarkdown(standing.files)}\n\n`,
  );
  output.button({
    command: LINK_COMMAND.undoTurn,
    title: `Undo Its ${count(standing.changes, "Change")}`,
    arguments: [key],
  });
  output.button({ command: UNDO_COMMAND.review, title: "Review", arguments: [key] });
}
