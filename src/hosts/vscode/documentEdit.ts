import * as vscode from "vscode";
import { ToolError } from "../../core/errors.js";
import type { ChangeReport } from "../../ports/changes.js";
import type { GatedPath } from "../../ports/files.js";
import { changedRanges } from "../../text/changedRanges.js";
import type { Step } from "../disk.js";
import { staleFile } from "../fileAnswers.js";

/** A new text for an open document. */
export interface DocumentChange {
  document: vscode.TextDocument;
  at: GatedPath;
  before: string;
  text: string;
  /** Its text was not on disk: it stays so, as the user left it. */
  unsaved: boolean;
  /** Filled in by the step: what came of it. */
  report: ChangeReport;
}

/**
 * New texts for open documents, by one edit of the least ranges, so that cursors, folds and decorations elsewhere stay and one
 * undo takes all back. Documents that were clean are saved.
 */
export function documentStep(changes: readonly DocumentChange[], save: boolean): Step {
  const saving = changes.filter(({ unsaved }) => save || !unsaved);
  return {
    commit: async () => {
      // Nothing may be typed between this look and the edit: no waiting in between. VS Code compares the versions, too.
      const changed = changes.find(({ document, before }) => document.getText() !== before);
      if (changed !== undefined) {
        throw staleFile(changed.at);
      }
      await give(changes, ({ text }) => text);
      for (const { document, at } of saving) {
        if (!(await document.save())) {
          await takeBack(changes, saving);
          throw new ToolError("io_error", `${at.path}: VS Code could not save it, so the change was taken back.`, "The file may be read-only, or have changed on disk.");
        }
      }
      for (const change of changes) {
        Object.assign(change.report, { saved: saving.includes(change), text: change.document.getText() });
      }
    },
    undo: () => takeBack(changes, saving),
    release: () => Promise.resolve(),
  };
}

/** Gives documents their old texts again, and those that were saved to the disk. */
async function takeBack(changes: readonly DocumentChange[], saving: readonly DocumentChange[]): Promise<void> {
  await give(changes, ({ before }) => before);
  for (const { document, unsaved } of saving) {
    if (!unsaved) {
      await document.save();
    }
  }
}

async function give(changes: readonly DocumentChange[], textOf: (change: DocumentChange) => string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const change of changes) {
    const { document } = change;
    // Ranges outside a document are clamped without a word (vscode.md §0.6): these are its own positions.
    for (const { start, end, text } of changedRanges(document.getText(), textOf(change))) {
      edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
    }
  }
  const names = changes.map(({ at }) => at.path).join(", ");
  if (edit.size > 0 && !(await vscode.workspace.applyEdit(edit))) {
    throw new ToolError("io_error", `${names}: VS Code refused the edit. Nothing was changed.`, "The file may be read-only in the editor, or was just typed in.");
  }
  const missed = changes.find((change) => change.document.getText() !== textOf(change));
  if (missed !== undefined) {
    throw new ToolError("io_error", `${missed.at.path}: does not hold what was to be written: it was typed in at the same moment.`, "Read it again.");
  }
}
