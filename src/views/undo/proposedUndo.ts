import * as vscode from "vscode";
import { ToolError } from "../../core/errors.js";
import { newId } from "../../core/pipeline/pipeline.js";
import type { TurnKey } from "../../features/changes/journal/queries.js";
import { conflictError } from "../../features/changes/journal/undo.js";
import type { UndoPlan } from "../../features/changes/journal/undoPlan.js";
import { plain } from "../../text/plainText.js";
import { countChanges } from "./calls.js";
import { failureText, tellFailure } from "./failure.js";
import type { PartsNotice } from "./partsNotice.js";
import type { Proposal, Review } from "./proposal.js";
import { undoQuestion } from "./question.js";
import type { ReviewView } from "./review.js";
import { undoSteps, type Direction } from "./steps.js";
import { droppedOfTurn, notesOf, undo, type ToldUndo, type UndoHost } from "./undo.js";

// The first button has the focus: Enter must not undo when the dialog opens while the user is typing.
const REVIEW: vscode.MessageItem = { title: vscode.l10n.t("Review…") };
const REVIEW_AFTER: vscode.MessageItem = { title: vscode.l10n.t("Review") };
const UNDO_OTHERS: vscode.MessageItem = { title: vscode.l10n.t("Undo the Other Files…") };
const UNDO: vscode.MessageItem = { title: vscode.l10n.t("Undo") };
export const BRING_BACK: vscode.MessageItem = { title: vscode.l10n.t("Redo") };
const UNDO_AGAIN: vscode.MessageItem = { title: vscode.l10n.t("Undo Again") };

export interface UndoCommandsHost extends UndoHost {
  review: ReviewView;
  /** Tells of parts that were undone where an editor shows it. */
  notice: Pick<PartsNotice, "show">;
  /** Returns what was asked for in a turn; undefined if it is not known. */
  requestOf?(turn: TurnKey): Promise<string | undefined>;
  /** Called when changes of a session were undone or redone, so that its model learns of it. */
  onDone?(session: string, done: ToldUndo, direction: Direction): void;
}

/** Asks the user about an undo, does it and reports it. */
export class ProposedUndo {
  readonly #host: UndoCommandsHost;
  /** The session that all undos of this window belong to. */
  readonly #session = newId();

  constructor(host: UndoCommandsHost) {
    this.#host = host;
  }

  /** Shows changes in the editor. */
  async show(review: Review | undefined): Promise<void> {
    if (review === undefined) {
      await vscode.window.showInformationMessage(vscode.l10n.t("Nothing to review: these calls changed nothing."));
      return;
    }
    await this.#host.review.show(review.title, review.files);
    if (review.notes.length > 0) {
      // The editor of changes has no place for texts.
      void vscode.window.showInformationMessage(plain(review.notes.join(" ")));
    }
  }

  /** Plans an undo. If there is a conflict, shows it to the user and returns undefined. */
  async planned(proposal: Proposal): Promise<UndoPlan | undefined> {
    const plan = await this.#host.changes.planUndo(proposal.what, this.#host.files);
    const conflict = conflictError(plan);
    if (conflict === undefined) {
      return plan;
    }
    // The other files are offered without being looked at one by one.
    const left = (plan.perhapsOthers ?? []).map(({ path, to }) => to ?? path);
    this.#tellConflict(conflict, proposal, [...plan.conflicts.map(({ path }) => path), ...left]);
    return undefined;
  }

  /** Shows what will happen and does it if the user agrees. */
  async propose(proposal: Proposal): Promise<ToldUndo | undefined> {
    const { direction, name, origins, review } = proposal;
    const plan = await this.planned(proposal);
    if (plan === undefined) {
      return undefined;
    }
    const changes = countChanges(
      await this.#host.changes.journal(),
      plan.undoes.flatMap(({ targets }) => targets),
    );
    const steps = undoSteps(plan);
    if (steps.every(({ did }) => did === "already")) {
      // There is nothing to ask, but the turn counts as undone from now on: the next undo is of the one before it.
      return this.run(proposal);
    }
    const { message, detail } = undoQuestion({
      direction,
      ...(name !== undefined && { name }),
      changes,
      origins,
      steps,
      remarks: [
        ...(plan.dropped > 0 ? [droppedOfTurn(plan.dropped)] : []),
        ...(direction === "undo" ? notesOf(await this.#host.changes.journal(), plan, proposal.what) : []),
      ],
    });
    const go = direction === "undo" ? UNDO : BRING_BACK;
    let answer = await vscode.window.showWarningMessage(message, { modal: true, detail }, REVIEW, go);
    if (answer === REVIEW) {
      await this.show(review);
      // The review closed the dialog, so ask again in a notification.
      answer = await vscode.window.showInformationMessage(plain(message), go);
    }
    return answer === go ? this.run(proposal) : undefined;
  }

  /** Undoes, and reports what was done. */
  async run(proposal: Proposal): Promise<ToldUndo | undefined> {
    const { direction, review, session, isInEditor = false } = proposal;
    let done: ToldUndo;
    try {
      done = await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Window,
          title: direction === "undo" ? vscode.l10n.t("Undoing changes") : vscode.l10n.t("Redoing changes"),
        },
        () => this.undo(proposal),
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
    const text = [headline, ...remarks].join(" ");
    const revert = (): Promise<unknown> | undefined =>
      key &&
      this.run({
        ...{ what: key, direction: direction === "undo" ? "bring_back" : "undo", origins: [], review },
        ...(session !== undefined && { session }),
        ...(isInEditor && { isInEditor }),
      });
    if (isInEditor) {
      // What was redone is offered again above its lines.
      this.#host.notice.show(text, direction === "undo" && key !== undefined ? async () => revert() : undefined);
      return done;
    }
    const back = direction === "undo" ? BRING_BACK : UNDO_AGAIN;
    // Do not wait for the message: it may stay open long after the command.
    void vscode.window
      .showInformationMessage(plain(text), ...(key === undefined ? [] : [back]))
      .then(async (answer) => {
        if (answer === back) {
          await revert()?.catch(tellFailure);
        }
      });
    return done;
  }

  /** Undoes without asking or telling. @param alone how the caller undoes some of the files alone */
  undo({ what, direction }: Proposal, alone?: string): Promise<ToldUndo> {
    return undo(
      this.#host,
      { door: "palette", session: this.#session, signal: new AbortController().signal, alone },
      what,
      direction,
    );
  }

  /** Offers what can still be done. @param inTheWay the files with conflicts */
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
        await this.show(review);
      } else if (answer === UNDO_OTHERS) {
        const { name: _name, ...rest } = proposal;
        await this.propose({ ...rest, what: { ...what, files: others } }).catch(tellFailure);
      }
    });
  }
}
