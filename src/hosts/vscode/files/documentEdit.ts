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
  /** Its text was not on disk: it stays so, as the user left it. */
  unsaved: boolean;
  /** Filled in by the step: what came of it. */
  report: ChangeReport;
}

/**
 * New texts for open documents, by one edit of the least ranges, so that cursors, folds and decorations elsewhere stay
 * and one undo takes all back. Documents that were clean are saved.
 */
export function documentStep(changes: readonly DocumentChange[], save: boolean): Step {
  const saving = changes.filter(({ unsaved }) => save || !unsaved);
  /** What the change left in each document. */
  const left = new Map(changes.map((change): [DocumentChange, string] => [change, asHeld(change)]));
  const leftIn = (change: DocumentChange): string => left.get(change) ?? change.text;
  /** @param failed the document that cannot be saved: another attempt would only format it once more */
  const takeBack = async (failed?: DocumentChange): Promise<void> => {
    const changed = changes.flatMap((change) => {
      // What a user typed beside the change stays.
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
      const saved = await document.save();
      // What saving made of the text goes back with the change; what the user typed does not.
      if (!watch.hasTyped(document, change.before, leftIn(change))) {
        left.set(change, document.getText());
      }
      if (!saved) {
        await takeBack(change).catch((error: unknown) => {
          throw new NotTakenBack(
            `${at.path}: VS Code could not save it, and the change could not be taken back: ${messageOf(error)}`,
            "The file may be read-only, or have changed on disk. Read it again before going on.",
          );
        });
        throw new ToolError(
          "io_error",
          `${at.path}: VS Code could not save it, so the change was taken back.`,
          "The file may be read-only, or have changed on disk.",
        );
      }
    }
  };
  return {
    commit: async () => {
      // Nothing may be typed between this look and the edit: no waiting in between. VS Code compares the versions, too.
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

/** A text as its document holds it: with the document's line endings. */
export function asHeld({ document, text }: Pick<DocumentChange, "document" | "text">): string {
  return text.replace(/\r\n|\r|\n/g, document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n");
}

/**
 * Gives documents new texts, all or none. A document may hold another text afterwards: VS Code writes line endings as
 * the document has them, and a user may type the moment after.
 */
export async function give(changes: readonly Pick<DocumentChange, "document" | "at" | "text">[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const before = changes.map(({ document, text: wanted }) => {
    const now = document.getText();
    // Ranges outside a document are clamped without a word (vscode.md §0.6): these are its own positions.
    for (const { start, end, text } of changedRanges(now, wanted)) {
      edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
    }
    return now;
  });
  // VS Code makes an edit of several documents when all of them are as they were when it was made, or not at all.
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
