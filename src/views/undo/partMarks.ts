import * as vscode from "vscode";
import { CHANGE_AT_CURSOR, UNDO_COMMAND } from "../../names/contributed.js";
import { clipStart } from "../../text/clip.js";
import { codeFence, escapeMarkdown } from "../../text/fence.js";
import { clockTime, doorName } from "../shared/words.js";
import type { PlacedPart } from "./openParts.js";

/** Maximum characters of old text in a hover. */
const MAX_WAS = 2_000;

const COMMANDS = [CHANGE_AT_CURSOR.undo.command, CHANGE_AT_CURSOR.keep.command, UNDO_COMMAND.review];

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

/** Says what the lines were, whose change it is, and offers what can be done with it. */
function hoverOf(part: PlacedPart, { uri, languageId }: vscode.TextDocument, now: number): vscode.MarkdownString {
  const { key, lines: own, removed, was, turn } = part;
  const all = was.join("");
  const shown = clipStart(all, MAX_WAS);
  const isCut = removed > was.length || shown.length < all.length;
  const who = escapeMarkdown(whoAndTime(part, now));
  const link = (title: string, command: string, argument: object): string =>
    `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
  const meant = { uri: uri.toString(), parts: [key] };
  const hover = new vscode.MarkdownString(
    [
      removed === 0
        ? vscode.l10n.t("Added by {0}", who)
        : own.start < own.end
          ? vscode.l10n.t("Changed by {0}. Was:", who)
          : vscode.l10n.t("Deleted here by {0}:", who),
      ...(removed === 0 ? [] : [codeFence(shown.replace(/\r?\n$/, ""), languageId)]),
      ...(isCut ? [vscode.l10n.t("and more: see *Review*")] : []),
      [
        link(vscode.l10n.t("Undo"), CHANGE_AT_CURSOR.undo.command, meant),
        link(vscode.l10n.t("Keep"), CHANGE_AT_CURSOR.keep.command, meant),
        link(vscode.l10n.t("Review"), UNDO_COMMAND.review, { session: turn.turn.session, turn: turn.turn.turn }),
      ].join(" · "),
    ].join("\n\n"),
  );
  // The old text is in a fence that it cannot leave, so these links are ours.
  hover.isTrusted = { enabledCommands: COMMANDS };
  return hover;
}

/** Returns who made a part of a change, and at what time: a hover stays open. */
export function whoAndTime({ turn: { turn } }: Pick<PlacedPart, "turn">, now: number): string {
  return `${doorName(turn.door)}, ${clockTime(turn.at, now)}`;
}
