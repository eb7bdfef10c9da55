import * as vscode from "vscode";
import type { PlacedPart } from "./openParts.js";
import { HOVER_COMMANDS, hoverMarkdown } from "./partHover.js";

/** Marks the lines of agents' changes in editors; a hover shows what was there before. All colours are the theme's. */
export class PartMarks implements vscode.Disposable {
  // High contrast has no background for lines, but the bars are there.
  readonly #kinds = [
    mark("added", "solid", "0 0 0 2px", "diffEditor.insertedLineBackground"),
    mark("modified", "solid", "0 0 0 2px", "diffEditor.insertedLineBackground"),
    mark("deleted", "dashed", "1px 0 0 0"),
    // Nothing follows what was deleted: the line before has the mark.
    mark("deleted", "dashed", "0 0 1px 0"),
  ];

  /** Marks the lines of these parts in an editor, and no others. */
  show(editor: vscode.TextEditor, parts: readonly PlacedPart[], now: number): void {
    const { document } = editor;
    const last = document.lineCount - 1;
    const kindOf = ({ lines: { start, end }, removed }: PlacedPart): number =>
      start < end ? Math.min(removed, 1) : start > last ? 3 : 2;
    this.#kinds.forEach((type, kind) => {
      const marked = parts.filter((part) => kindOf(part) === kind);
      editor.setDecorations(
        type,
        marked.map((part) => {
          const { start, end } = part.lines;
          const range = new vscode.Range(Math.min(start, last), 0, Math.max(start, end - 1), Infinity);
          return { range: document.validateRange(range), hoverMessage: hoverOf(part, document, now) };
        }),
      );
    });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#kinds).dispose();
  }
}

function mark(
  kind: "added" | "modified" | "deleted",
  borderStyle: string,
  borderWidth: string,
  background?: string,
): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    ...{ isWholeLine: true, borderStyle, borderWidth },
    ...(background !== undefined && { backgroundColor: new vscode.ThemeColor(background) }),
    borderColor: new vscode.ThemeColor(`editorGutter.${kind}Background`),
    overviewRulerColor: new vscode.ThemeColor(`editorOverviewRuler.${kind}Foreground`),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    // Text that the user types before or after these lines is not the agent's.
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}

function hoverOf(part: PlacedPart, { uri, languageId }: vscode.TextDocument, now: number): vscode.MarkdownString {
  const hover = new vscode.MarkdownString(hoverMarkdown(part, { uri: uri.toString(), languageId }, now));
  hover.isTrusted = { enabledCommands: HOVER_COMMANDS };
  return hover;
}
