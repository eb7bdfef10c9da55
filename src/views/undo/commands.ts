import * as vscode from "vscode";
import { ToolError } from "../../core/errors.js";
import type { JournalQueries } from "../../features/changes/journal/queries.js";
import type { JournalTurn } from "../../features/changes/journal/types.js";
import { LINK_COMMAND, UNDO_COMMAND } from "../../names/contributed.js";
import { oneLine, shorten } from "../../text/clip.js";
import type { Commands } from "../shared/commandTable.js";
import { bringBack, directionOf, droppedNote, lastTurn, listCalls, listTurns } from "./calls.js";
import { tellFailure } from "./failure.js";
import { filesOf, limitsOf, readArgument, type Given } from "./given.js";
import { pickCalls, pickTurn, type Titles } from "./pickers.js";
import { origin, type Proposal } from "./proposal.js";
import { BRING_BACK, ProposedUndo, type UndoCommandsHost } from "./proposedUndo.js";
import { checkTrust, type ToldUndo } from "./undo.js";

/** Maximum characters of what was asked for in a turn. */
const MAX_REQUEST = 80;

/**
 * Returns the palette commands for changes: undo the last turn, undo single changes, review changes.
 *
 * A key binding or another extension can pass arguments: `{"ask": false}` undoes without asking and throws errors
 * instead of showing them; `{"calls": [12]}` names calls by their ids in the journal. The commands return what was
 * undone.
 */
export function undoCommands(host: UndoCommandsHost): Commands {
  const commands = new UndoCommands(host);
  const answered =
    (run: (given: Given) => Promise<ToldUndo | undefined>) =>
    async (argument?: unknown): Promise<ToldUndo | undefined> => {
      const given = readArgument(argument);
      try {
        return await run(given);
      } catch (error) {
        if (!given.ask) {
          throw error;
        }
        tellFailure(error);
        return undefined;
      }
    };
  return {
    [UNDO_COMMAND.lastTurn]: answered((given) => commands.undoLastTurn(given)),
    [UNDO_COMMAND.change]: answered((given) => commands.undoChange(given)),
    [UNDO_COMMAND.review]: answered((given) => commands.review(given)),
    [LINK_COMMAND.bringBack]: answered((given) => commands.bringBack(given)),
    [LINK_COMMAND.undoTurn]: answered((given) => commands.undoTurn(given)),
  };
}

/** How programs that run these commands undo some of the files alone. */
const ALONE = `the command \`${UNDO_COMMAND.change}\` and its argument \`files\``;

class UndoCommands {
  readonly #host: UndoCommandsHost;
  readonly #proposed: ProposedUndo;

  constructor(host: UndoCommandsHost) {
    this.#host = host;
    this.#proposed = new ProposedUndo(host);
  }

  async undoLastTurn({ ask }: Given): Promise<ToldUndo | undefined> {
    checkTrust(this.#host);
    const journal = await this.#journal();
    const now = this.#host.now();
    const key = lastTurn(journal, now);
    const turn = journal.turn(key);
    const proposal: Proposal = {
      what: key,
      direction: "undo",
      name: "the last turn",
      session: key.session,
      ...origin(
        turn === undefined ? [] : [turn],
        filesOf(journal, turn?.calls.map(({ id }) => id) ?? []),
        now,
        await this.#requests(turn === undefined ? [] : [turn]),
      ),
    };
    return ask ? this.#proposed.propose(proposal) : this.#proposed.undo(proposal, ALONE);
  }

  async undoChange({ ask, calls: wanted, changes, files, parts }: Given): Promise<ToldUndo | undefined> {
    checkTrust(this.#host);
    const journal = await this.#journal();
    const now = this.#host.now();
    if (wanted !== undefined) {
      const calls = wanted.flatMap((id) => journal.call(id) ?? []);
      const direction = wanted[0] === undefined ? "undo" : directionOf(journal, wanted[0]);
      const proposal: Proposal = {
        what: { calls: wanted, ...limitsOf({ changes, files, parts }) },
        direction,
        ...origin(calls, filesOf(journal, wanted, { changes, files }), now),
      };
      return ask ? this.#proposed.propose(proposal) : this.#proposed.undo(proposal, ALONE);
    }
    const listed = listCalls(journal);
    if (listed.length === 0) {
      throw new ToolError(
        "not_found",
        `Nothing to undo: Toolhost's tools have changed no file in this workspace.${droppedNote(journal.dropped(), now)}`,
      );
    }
    const titles = await this.#titles(listed.map(({ turn }) => turn));
    const requestsOf = (of: readonly { turn: JournalTurn }[]): string[] =>
      of.flatMap(({ turn }) => titles.get(turn.turn) ?? []);
    const chosen = await pickCalls(listed, now, titles, (each) => {
      void this.#proposed.show(origin([each.call], each.files, now, requestsOf([each])).review);
    });
    if (chosen === undefined) {
      return undefined;
    }
    const { direction, calls } = chosen;
    const ids = calls.map(({ call }) => call.id);
    return this.#proposed.propose({
      what: direction === "undo" ? { calls: ids } : bringBack(journal, ids),
      direction,
      ...origin(
        calls.map(({ call }) => call),
        filesOf(journal, ids),
        now,
        requestsOf(calls),
      ),
    });
  }

  /** Shows a turn's changes. If none is given, the user chooses one. */
  async review({ turn: key }: Given): Promise<undefined> {
    const journal = await this.#journal();
    const now = this.#host.now();
    const turns = key === undefined ? listTurns(journal) : [journal.turn(key)].filter((turn) => turn !== undefined);
    if (turns.length === 0) {
      throw new ToolError(
        "not_found",
        `Nothing to review: ${key === undefined ? "Toolhost's tools have changed no file in this workspace" : "this turn is no longer in the undo journal"}.${droppedNote(journal.dropped(), now)}`,
      );
    }
    const turn = turns.length === 1 ? turns[0] : await pickTurn(turns, now, await this.#titles(turns));
    if (turn !== undefined) {
      await this.#proposed.show(origin([turn], turn.files, now, await this.#requests([turn])).review);
    }
  }

  /** Undoes an undo. It comes from a button that says so, so there is no question. */
  async bringBack({ turn, calls, session, files }: Given): Promise<ToldUndo | undefined> {
    const undone = turn ?? (calls && { calls });
    return (
      undone &&
      this.#proposed.run({
        what: { ...undone, ...limitsOf({ files }) },
        direction: "bring_back",
        origins: [],
        review: undefined,
        ...(session === undefined ? {} : { session }),
      })
    );
  }

  /** Undoes a turn, or files of it. It comes from a button that says so and can be redone, so there is no question. */
  async undoTurn({ turn: key, calls, changes, files, parts }: Given): Promise<ToldUndo | undefined> {
    if (key === undefined) {
      return undefined;
    }
    checkTrust(this.#host);
    const journal = await this.#journal();
    const turn = journal.turn(key);
    const made = calls ?? turn?.calls.map(({ id }) => id) ?? [];
    const proposal: Proposal = {
      what: { ...(calls === undefined ? key : { calls }), ...limitsOf({ changes, files, parts }) },
      direction: "undo",
      session: key.session,
      isInEditor: parts?.only !== undefined,
      ...origin(
        turn === undefined ? [] : [turn],
        filesOf(journal, made, { changes, files }),
        this.#host.now(),
        await this.#requests(turn === undefined ? [] : [turn]),
      ),
    };
    if (turn?.undone === "yes") {
      this.#tellUndone(
        turn.calls.map(({ id }) => id),
        proposal,
      );
      return undefined;
    }
    return (await this.#proposed.planned(proposal)) && this.#proposed.run(proposal);
  }

  /** Returns what was asked for in turns, as far as it is known. */
  async #titles(turns: readonly JournalTurn[]): Promise<Titles> {
    const titles = new Map<string, string>();
    for (const turn of turns) {
      // A list without requests is better than none.
      const title = titles.get(turn.turn) ?? (await this.#host.requestOf?.(turn).catch(() => undefined));
      if (title !== undefined) {
        titles.set(turn.turn, shorten(oneLine(title), MAX_REQUEST));
      }
    }
    return titles;
  }

  async #requests(turns: readonly JournalTurn[]): Promise<string[]> {
    return [...(await this.#titles(turns)).values()];
  }

  #tellUndone(calls: readonly number[], proposal: Proposal): void {
    void vscode.window
      .showInformationMessage(
        vscode.l10n.t("Nothing to undo: the changes of this turn are already undone."),
        BRING_BACK,
      )
      .then(async (answer) => {
        if (answer === BRING_BACK) {
          const run = async (): Promise<void> =>
            void (await this.#proposed.run({
              ...proposal,
              what: bringBack(await this.#journal(), calls),
              direction: "bring_back",
            }));
          await run().catch(tellFailure);
        }
      });
  }

  async #journal(): Promise<JournalQueries> {
    return this.#host.changes.journal();
  }
}
