import * as vscode from "vscode";
import { ToolError } from "../../core/errors.js";
import type { JournalQueries, TurnKey } from "../../features/changes/journal/queries.js";
import type { JournalTurn, RecordedCall, TurnFile } from "../../features/changes/journal/types.js";
import { conflictError, type UndoWhat } from "../../features/changes/journal/undo.js";
import type { UndoPlan } from "../../features/changes/journal/undoPlan.js";
import { isRecord } from "../../core/jsonSchema.js";
import { newId } from "../../core/pipeline/pipeline.js";
import type { Commands } from "../shared/commandTable.js";
import { showFailure } from "../shared/failureNotice.js";
import {
  bringBack,
  countChanges,
  directionOf,
  droppedNote,
  lastTurn,
  listCalls,
  listTurns,
  whoAndWhen,
} from "./calls.js";
import { pickCalls, pickTurn } from "./pickers.js";
import { undoQuestion } from "./question.js";
import type { ReviewView } from "./review.js";
import { undoSteps, type Direction } from "./steps.js";
import { checkTrust, droppedOfTurn, notesOf, undo, type ToldUndo, type UndoHost } from "./undo.js";
import { plain } from "../../text/plainText.js";
import { clockTime, doorName } from "../shared/words.js";
import { messageOf } from "../../text/words.js";
import { LINK_COMMAND, UNDO_COMMAND } from "../../names/contributed.js";

// The first button has the focus: Enter must not undo when the dialog opens while the user is typing.
const REVIEW: vscode.MessageItem = { title: "Review…" };
const REVIEW_AFTER: vscode.MessageItem = { title: "Review" };
const UNDO_OTHERS: vscode.MessageItem = { title: "Undo the Other Files…" };
const UNDO: vscode.MessageItem = { title: "Undo" };
const BRING_BACK: vscode.MessageItem = { title: "Redo" };
const UNDO_AGAIN: vscode.MessageItem = { title: "Undo Again" };

/** Maximum number of origins that the question names. */
const MAX_ORIGINS = 3;

export interface UndoCommandsHost extends UndoHost {
  review: ReviewView;
  /** Called when changes of a session were undone or redone, so that its model learns of it. */
  onDone?(session: string, done: ToldUndo, direction: Direction): void;
}

interface Review {
  title: string;
  files: readonly TurnFile[];
  /** Sentences on what the files do not show. */
  notes: readonly string[];
}

/** An undo that the user may want to review first. */
interface Proposal {
  what: UndoWhat;
  direction: Direction;
  name?: string;
  origins: readonly string[];
  /** The changes, for the review. */
  review: Review | undefined;
  /** The session that made them, if a single one did. */
  session?: string;
}

/**
 * Returns the palette commands for changes: undo the last turn, undo single changes, review changes.
 *
 * A key binding or another extension can pass arguments: `{"ask": false}` undoes without asking and throws errors
 * instead of showing them; `{"calls": [12]}` names calls by their ids in the journal. The commands return what was
 * undone.
 */
export function undoCommands(host: UndoCommandsHost): Commands {
  const commands = new UndoCommands(host, newId());
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

/** Arguments of a command. */
interface Given {
  ask: boolean;
  calls: number[] | undefined;
  turn: TurnKey | undefined;
  session: string | undefined;
  /** Of the calls or of the turn, only these changes, by their ids in the journal. */
  changes: number[] | undefined;
  /** Of the calls or of the turn, only these. */
  files: string[] | undefined;
}

function readArgument(argument: unknown): Given {
  const { ask, calls, session, turn, changes, files } = isRecord(argument) ? argument : {};
  const numbers = (value: unknown): number[] | undefined =>
    Array.isArray(value) ? value.filter((id) => typeof id === "number") : undefined;
  return {
    ask: ask !== false,
    calls: numbers(calls),
    turn: typeof session === "string" && typeof turn === "string" ? { session, turn } : undefined,
    session: typeof session === "string" ? session : undefined,
    changes: numbers(changes),
    files: Array.isArray(files) ? files.filter((path) => typeof path === "string") : undefined,
  };
}

/** Returns what limits an undo to a part of its calls or turn. */
function limitsOf({ changes, files }: Pick<Given, "changes" | "files">): Pick<UndoWhat, "changes" | "files"> {
  return { ...(changes === undefined ? {} : { changes }), ...(files === undefined ? {} : { files }) };
}

/** Returns what calls did to files, within these limits. */
function filesOf(
  journal: JournalQueries,
  calls: readonly number[],
  { changes, files }: Pick<Given, "changes" | "files">,
): TurnFile[] {
  return journal
    .files(journal.changes(calls).filter(({ id }) => changes?.includes(id) !== false))
    .filter(({ path }) => files?.includes(path) !== false);
}

class UndoCommands {
  readonly #host: UndoCommandsHost;
  readonly #session: string;

  constructor(host: UndoCommandsHost, session: string) {
    this.#host = host;
    this.#session = session;
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
      ...origin(turn === undefined ? [] : [turn], turn?.files ?? [], now),
    };
    return ask ? this.#propose(proposal) : this.#undo(proposal);
  }

  async undoChange({ ask, calls: wanted, changes, files }: Given): Promise<ToldUndo | undefined> {
    checkTrust(this.#host);
    const journal = await this.#journal();
    const now = this.#host.now();
    if (wanted !== undefined) {
      const calls = wanted.flatMap((id) => journal.call(id) ?? []);
      const direction = wanted[0] === undefined ? "undo" : directionOf(journal, wanted[0]);
      const proposal: Proposal = {
        what: { calls: wanted, ...limitsOf({ changes, files }) },
        direction,
        ...origin(calls, filesOf(journal, wanted, { changes, files }), now),
      };
      return ask ? this.#propose(proposal) : this.#undo(proposal);
    }
    const listed = listCalls(journal);
    if (listed.length === 0) {
      throw new ToolError(
        "not_found",
        `Nothing to undo: Toolhost's tools have changed no file in this workspace.${droppedNote(journal.dropped(), now)}`,
      );
    }
    const chosen = await pickCalls(
      listed,
      now,
      ({ call, files }) => void this.#show(origin([call], files, now).review),
    );
    if (chosen === undefined) {
      return undefined;
    }
    const { direction, calls } = chosen;
    const ids = calls.map(({ call }) => call.id);
    return this.#propose({
      what: direction === "undo" ? { calls: ids } : bringBack(journal, ids),
      direction,
      ...origin(
        calls.map(({ call }) => call),
        journal.files(journal.changes(ids)),
        now,
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
    const turn = turns.length === 1 ? turns[0] : await pickTurn(turns, now);
    if (turn !== undefined) {
      await this.#show(origin([turn], turn.files, now).review);
    }
  }

  /** Undoes an undo. It comes from a button that says so, so there is no question. */
  async bringBack({ turn, calls, session, files }: Given): Promise<ToldUndo | undefined> {
    const undone = turn ?? (calls && { calls });
    return (
      undone &&
      this.#run({
        what: { ...undone, ...limitsOf({ changes: undefined, files }) },
        direction: "bring_back",
        origins: [],
        review: undefined,
        ...(session === undefined ? {} : { session }),
      })
    );
  }

  /** Undoes a turn, or files of it. It comes from a button that says so and can be redone, so there is no question. */
  async undoTurn({ turn: key, calls, changes, files }: Given): Promise<ToldUndo | undefined> {
    if (key === undefined) {
      return undefined;
    }
    checkTrust(this.#host);
    const journal = await this.#journal();
    const turn = journal.turn(key);
    const made = calls ?? turn?.calls.map(({ id }) => id) ?? [];
    const proposal: Proposal = {
      what: { ...(calls === undefined ? key : { calls }), ...limitsOf({ changes, files }) },
      direction: "undo",
      session: key.session,
      ...origin(turn === undefined ? [] : [turn], filesOf(journal, made, { changes, files }), this.#host.now()),
    };
    if (turn?.undone === "yes") {
      this.#tellUndone(
        turn.calls.map(({ id }) => id),
        proposal,
      );
      return undefined;
    }
    return (await this.#planned(proposal)) && this.#run(proposal);
  }

  #tellUndone(calls: readonly number[], proposal: Proposal): void {
    void vscode.window
      .showInformationMessage("Nothing to undo: the changes of this turn are already undone.", BRING_BACK)
      .then(async (answer) => {
        if (answer === BRING_BACK) {
          const run = async (): Promise<void> =>
            void (await this.#run({
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

  async #show(review: Review | undefined): Promise<void> {
    if (review === undefined) {
      await vscode.window.showInformationMessage("Nothing to review: these calls changed nothing.");
      return;
    }
    await this.#host.review.show(review.title, review.files);
    if (review.notes.length > 0) {
      // The editor of changes has no place for texts.
      void vscode.window.showInformationMessage(plain(review.notes.join(" ")));
    }
  }

  /** Plans an undo. If there is a conflict, shows it to the user and returns undefined. */
  async #planned(proposal: Proposal): Promise<UndoPlan | undefined> {
    const plan = await this.#host.changes.planUndo(proposal.what, this.#host.files);
    const conflict = conflictError(plan);
    if (conflict === undefined) {
      return plan;
    }
    this.#tellConflict(
      conflict,
      proposal,
      plan.conflicts.map(({ path }) => path),
    );
    return undefined;
  }

  /** Shows what will happen and does it if the user agrees. */
  async #propose(proposal: Proposal): Promise<ToldUndo | undefined> {
    const { direction, name, origins, review } = proposal;
    const plan = await this.#planned(proposal);
    if (plan === undefined) {
      return undefined;
    }
    const changes = countChanges(
      await this.#journal(),
      plan.undoes.flatMap(({ targets }) => targets),
    );
    const { message, detail } = undoQuestion({
      direction,
      ...(name !== undefined && { name }),
      changes,
      origins,
      steps: undoSteps(plan),
      remarks: [
        ...(plan.dropped > 0 ? [droppedOfTurn(plan.dropped)] : []),
        ...(direction === "undo" ? notesOf(await this.#journal(), proposal.what) : []),
      ],
    });
    const go = direction === "undo" ? UNDO : BRING_BACK;
    let answer = await vscode.window.showWarningMessage(message, { modal: true, detail }, REVIEW, go);
    if (answer === REVIEW) {
      await this.#show(review);
      // The review closed the dialog, so ask again in a notification.
      answer = await vscode.window.showInformationMessage(plain(message), go);
    }
    return answer === go ? this.#run(proposal) : undefined;
  }

  /** Undoes, and reports what was done. */
  async #run(proposal: Proposal): Promise<ToldUndo | undefined> {
    const { direction, review, session } = proposal;
    let done: ToldUndo;
    try {
      done = await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Window,
          title: direction === "undo" ? "Undoing changes" : "Redoing changes",
        },
        () => this.#undo(proposal),
      );
    } catch (error) {
      if (!(error instanceof ToolError) || error.type !== "conflict") {
        throw error;
      }
      this.#tellConflict(error, proposal);
      return undefined;
    }
    const { key, headline, remarks } = done;
    if (session !== undefined) {
      this.#host.onDone?.(session, done, direction);
    }
    const back = direction === "undo" ? BRING_BACK : UNDO_AGAIN;
    // Do not wait for the message: it may stay open long after the command.
    void vscode.window
      .showInformationMessage(plain([headline, ...remarks].join(" ")), ...(key === undefined ? [] : [back]))
      .then(async (answer) => {
        if (answer === back && key !== undefined) {
          await this.#run({
            what: key,
            direction: direction === "undo" ? "bring_back" : "undo",
            origins: [],
            review,
            ...(session === undefined ? {} : { session }),
          }).catch(tellFailure);
        }
      });
    return done;
  }

  #undo({ what, direction }: Proposal): Promise<ToldUndo> {
    return undo(
      this.#host,
      { door: "palette", session: this.#session, signal: new AbortController().signal },
      what,
      direction,
    );
  }

  /** @param inTheWay the files with conflicts */
  #tellConflict(error: ToolError, proposal: Proposal, inTheWay: readonly string[] = []): void {
    const { what, review } = proposal;
    const others = (review?.files ?? [])
      .filter(({ path, from }) => !inTheWay.includes(path) && !inTheWay.includes(from ?? path))
      .map(({ path }) => path);
    const buttons = [
      ...(review === undefined ? [] : [REVIEW_AFTER]),
      ...(inTheWay.length > 0 && others.length > 0 ? [UNDO_OTHERS] : []),
    ];
    void vscode.window.showErrorMessage(failureText(error), ...buttons).then(async (answer) => {
      if (answer === REVIEW_AFTER) {
        await this.#show(review);
      } else if (answer === UNDO_OTHERS) {
        const { name: _name, ...rest } = proposal;
        await this.#propose({ ...rest, what: { ...what, files: others } }).catch(tellFailure);
      }
    });
  }
}

function tellFailure(error: unknown): void {
  if (!(error instanceof ToolError)) {
    void showFailure({ type: "internal_error", message: `Toolhost failed: ${messageOf(error)}` });
  } else if (error.type === "not_found") {
    // Having nothing to do is not a failure.
    void vscode.window.showInformationMessage(failureText(error));
  } else {
    void showFailure(error);
  }
}

function failureText({ message, hint }: ToolError): string {
  return plain(hint === undefined ? message : `${message} ${hint}`);
}

/** Describes who made changes and when, for the question and for the review. */
function origin(
  made: readonly (Pick<RecordedCall, "door" | "at" | "notes"> | JournalTurn)[],
  files: readonly TurnFile[],
  now: number,
): Pick<Proposal, "origins" | "review"> {
  const some = (words: readonly string[]): string[] => {
    const lines = [...new Set(words)];
    return lines.length <= MAX_ORIGINS
      ? lines
      : [...lines.slice(0, MAX_ORIGINS - 1), `and ${lines.length - MAX_ORIGINS + 1} other times`];
  };
  // The editor stays open, so its name has the time of day.
  const title = `Changes: ${some(made.map(({ door, at }) => `${doorName(door)}, ${clockTime(at, now)}`)).join("; ")}`;
  const notes = made.flatMap((each) => ("calls" in each ? each.calls : [each])).flatMap((call) => call.notes ?? []);
  return {
    origins: some(made.map((call) => whoAndWhen(call, now))),
    review: files.length === 0 ? undefined : { title, files, notes: [...new Set(notes)] },
  };
}
