import * as vscode from "vscode";
import { merge3 } from "../../text/diff/merge.js";

/** Maximum characters that one keystroke inserts or deletes. */
const STROKE = 2;

/**
 * Distinguishes text that a user typed into documents while they were saved from changes that saving made, such as a
 * formatter's. VS Code reports both as the same event, so this relies on signs, and treats a doubtful change as the
 * user's: an undo then keeps it.
 */
export class UserWatch {
  readonly #used = new Set<vscode.TextDocument>();
  readonly #stroked = new Set<vscode.TextDocument>();
  readonly #listening: vscode.Disposable[];

  constructor() {
    this.#listening = [
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
        if (reason !== undefined && contentChanges.length > 0) {
          this.#used.add(document);
        }
        const [change, ...others] = contentChanges;
        if (
          change !== undefined &&
          others.length === 0 &&
          change.text.length <= STROKE &&
          change.rangeLength <= STROKE
        ) {
          this.#stroked.add(document);
        }
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        if (
          kind === vscode.TextEditorSelectionChangeKind.Keyboard ||
          kind === vscode.TextEditorSelectionChangeKind.Mouse
        ) {
          this.#used.add(textEditor.document);
        }
      }),
    ];
  }

  /**
   * @param before the text before the change
   * @param given the document's text when saving began
   */
  hasTyped(document: vscode.TextDocument, before: string, given: string): boolean {
    const now = document.getText();
    if (now === given) {
      return false;
    }
    if (this.#used.has(document)) {
      return true;
    }
    // Typed if the change is on other lines than ours, and either contains a single keystroke or is not explained by VS
    // Code's settings. A change on the same lines is a formatter's.
    return (this.#stroked.has(document) || !changesOnSave(document)) && merge3(given, now, before).ok;
  }

  dispose(): void {
    for (const each of this.#listening) {
      each.dispose();
    }
  }
}

/** Whether VS Code itself changes a document when saving it. */
function changesOnSave(document: vscode.TextDocument): boolean {
  const settings = vscode.workspace.getConfiguration(undefined, document);
  const actions = settings.get<unknown>("editor.codeActionsOnSave");
  const hasActions = Array.isArray(actions)
    ? actions.length > 0
    : Object.values(actions ?? {}).some((when) => when !== false && when !== "never");
  return (
    hasActions ||
    ["editor.formatOnSave", "files.trimTrailingWhitespace", "files.insertFinalNewline", "files.trimFinalNewlines"].some(
      (name) => settings.get(name) === true,
    )
  );
}
