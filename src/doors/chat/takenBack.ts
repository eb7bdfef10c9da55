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

/** Characters of a message that is named. */
const MAX_PROMPT = 60;

/** Turns that were taken back in the chat, and not in the files. */
export interface TakenBack {
  /** The model is told nothing of those turns any more. */
  forModel: string;
  /** For the end of the answer: what comes before its last words, VS Code folds away as steps. */
  show(output: Pick<ChatOutput, "own" | "button">): void;
}

/**
 * Finds, once, the turns that the user took back in the chat while their changes are still in the files, and says so in
 * the status bar. Where the journal cannot be opened, it says that this is not known.
 *
 * @param turns that the chat shows
 * @returns undefined when there are none
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
    // With the next message it may open: they are looked for again.
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
      `The user took back earlier messages of this chat, which you no longer see. What was changed for them is still in these files: ${told.map(({ standing }) => standing.files).join("; ")}. Read them before you rely on what they hold.`,
    ),
    show: (output) => told.forEach((turn, index) => show(turn, index === 0, output)),
  };
}

/** The journal cannot be opened: whether the changes of taken-back turns are still in files is not known. */
function unknownFor(prompts: readonly string[]): TakenBack {
  return {
    forModel: ownWords(
      "The user took back earlier messages of this chat, which you no longer see. Files were changed for them, and the undo journal cannot be opened now, so it is not known which of these changes are still there. Read files before you rely on what they hold.",
    ),
    show: (output) =>
      output.own(
        `\n\n$(warning) **Taken back in the chat; whether what Toolhost changed is still in the files is not known**, because the undo journal cannot be opened now: ${prompts.map((prompt) => `“${escapeMarkdown(prompt)}”`).join(", ")}\n\n`,
      ),
  };
}

function show({ key, prompt, standing }: ToldTurn, isFirst: boolean, output: Pick<ChatOutput, "own" | "button">): void {
  if (isFirst) {
    output.own(
      "\n\n$(warning) **Taken back in the chat, but not in the files.** *Restore Checkpoint* and the editing of a message leave what Toolhost changed as it is:\n\n",
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
