import * as vscode from "vscode";
import { NotTakenBack, ToolError } from "../../../core/errors.js";
import type { ChangeReport } from "../../../ports/changes.js";
import type { GatedPath } from "../../../ports/files.js";
import { changedRanges } from "../../../text/diff/changedRanges.js";
import { merge3 } from "../../../text/diff/merge.js";
import type { Step } from "../../shared/disk.js";
import { replacedMeanwhile, staleFile } from "../../shared/fileAnswers.js";
import { UserWatch } from "../userWatch.js";
import { messageOf } from "../../../text/words.js";

/** A new text for an open document. */
export interface DocumentChange {
  document: vscode.TextDocument;
  at: GatedPath;
  before: string;
  text: string;
  /** Whether its text was not on disk: it then stays unsaved, as the user left it. */
  unsaved: boolean;
  /** The outcome, filled in by the step. */
  report: ChangeReport;
}

/**
 * Changes open documents by one edit of minimal ranges, so that cursors, folds and decorations elsewhere stay and a
 * single undo reverts everything. Documents that were clean are saved.
 */
export function documentStep(changes: readonly DocumentChange[], save: boolean): Step {
  const saving = changes.filter(({ unsaved }) => save || !unsaved);
  /** The text that the change left in each document. */
  const left = new Map(changes.map((change): [DocumentChange, string] => [change, asHeld(change)]));
  const leftIn = (change: DocumentChange): string => left.get(change) ?? change.text;
  /** @param failed the document that cannot be saved: trying again would only format it once more */
  const takeBack = async (failed?: DocumentChange): Promise<void> => {
    const changed = changes.flatMap((change) => {
      // Text that the user typed outside the change stays.
      const back = merge3(leftIn(change), change.document.getText(), change.before);
      return back.ok ? [{ change, text: back.text }] : [];
    });
    await give(changed.map(({ change, text }) => ({ ...change, text })));
    for (const change of saving) {
      if (!change.unsaved && change !== failed) {
        await change.document.save();
      }
    }
    const kept = changes.filter((change) => !changed.some((each) => each.change === change));
    if (kept.length > 0) {
      throw replacedMeanwhile(namesOf(kept));
    }
  };
  const saveAll = async (watch: UserWatch): Promise<void> => {
    for (const change of saving) {
      const { document, at } = change;
      const saved = await saveDocument(document);
      // Changes that saving made to the text are undone with the change; text that the user typed is not.
      if (!watch.hasTyped(document, change.before, leftIn(change))) {
        left.set(change, document.getText());
      }
      if (!saved) {
        await takeBack(change).catch((error: unknown) => {
          throw new NotTakenBack(
            `${at.path}: VS Code could not save it, and the change could not be undone: ${messageOf(error)}`,
            "The file may be read-only, or have changed on disk. Read it again before going on.",
          );
        });
        throw new ToolError(
          "io_error",
          `${at.path}: VS Code could not save it, so the change was undone.`,
          "The file may be read-only, or have changed on disk.",
        );
      }
    }
  };
  return {
    commit: async () => {
      // Nothing may be typed between this check and the edit, so don't await in between. VS Code compares versions too.
      const changed = changes.find(({ document, before }) => document.getText() !== before);
      if (changed !== undefined) {
        throw staleFile(changed.at);
      }
      await give(changes);
      const watch = new UserWatch();
      try {
        await saveAll(watch);
      } finally {
        watch.dispose();
      }
      for (const change of changes) {
        Object.assign(change.report, { saved: saving.includes(change), text: leftIn(change) });
      }
    },
    undo: () => takeBack(),
    release: () => Promise.resolve(),
  };
}

/**
 * Saves a document, and returns whether VS Code wrote it. VS Code also answers "not saved" when somebody typed while it
 * wrote the file, since the document then has unsaved changes again. Saving once more tells that from a failure, even
 * where the file written first was an earlier text's (auto save).
 */
async function saveDocument(document: vscode.TextDocument): Promise<boolean> {
  let written = false;
  const listening = vscode.workspace.onDidSaveTextDocument((each) => {
    written ||= each === document;
  });
  try {
    if (await document.save()) {
      return true;
    }
    if (!written) {
      return false;
    }
    written = false;
    return (await document.save()) || written;
  } finally {
    listening.dispose();
  }
}

/** Returns a text as its document holds it: with the document's line endings. */
export function asHeld({ document, text }: Pick<DocumentChange, "document" | "text">): string {
  return text.replace(/\r\n|\r|\n/g, document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n");
}

/**
 * Gives all documents their new texts, or none of them. A document's text may differ afterwards: VS Code uses the
 * document's line endings, and a user may type a moment later.
 */
export async function give(changes: readonly Pick<DocumentChange, "document" | "at" | "text">[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const before = changes.map(({ document, text: wanted }) => {
    const now = document.getText();
    // Ranges outside a document are clamped silently (vscode.md §0.6): use the document's own positions.
    for (const { start, end, text } of changedRanges(now, wanted)) {
      edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
    }
    return now;
  });
  // VS Code applies an edit of several documents only if none has changed since it was created, or not at all.
  if (edit.size > 0 && !(await vscode.workspace.applyEdit(edit))) {
    const typed = changes.find(({ document }, index) => document.getText() !== before[index]);
    throw typed === undefined
      ? new ToolError(
          "io_error",
          `${namesOf(changes)}: VS Code refused the edit. Nothing was changed.`,
          "The file may be read-only in the editor, or was just typed in.",
        )
      : staleFile(typed.at);
  }
}

function namesOf(changes: readonly Pick<DocumentChange, "at">[]): string {
  return changes.map(({ at }) => at.path).join(", ");
}
