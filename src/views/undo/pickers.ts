import * as vscode from "vscode";
import type { JournalTurn } from "../../features/changes/journal/types.js";
import { changeWords, fileNames, whoAndWhen, type ListedCall } from "./calls.js";
import type { Direction } from "./steps.js";
import { oneLine, shorten } from "../../text/clip.js";
import { plain } from "../../text/plainText.js";
import { visibleLine } from "../../text/showHidden.js";
import { count } from "../../text/words.js";

/** Maximum characters of what a call did. */
const MAX_SUMMARY = 100;

interface CallRow extends vscode.QuickPickItem {
  /** Undefined for a separator between turns. */
  listed?: ListedCall;
}

/** The user's choice: calls to undo, or undone calls to redo. */
export interface ChosenCalls {
  direction: Direction;
  calls: ListedCall[];
}

const REVIEW: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("diff-multiple"),
  tooltip: vscode.l10n.t("Review this change"),
};

/** What was asked for in turns, as far as it is known. */
export type Titles = ReadonlyMap<JournalTurn["turn"], string>;

/**
 * Lets the user choose one or more calls: either calls to undo, or undone calls to redo.
 *
 * @param review shows one call's changes; the list closes
 * @returns undefined if the user left
 */
export function pickCalls(
  listed: readonly ListedCall[],
  now: number,
  titles: Titles,
  review: (call: ListedCall) => void,
): Promise<ChosenCalls | undefined> {
  const picker = vscode.window.createQuickPick<CallRow>();
  picker.title = vscode.l10n.t("Toolhost: Undo Change");
  picker.placeholder = vscode.l10n.t("What to undo or redo?");
  picker.canSelectMany = true;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.items = callRows(listed, now, titles);
  let before: readonly CallRow[] = [];
  picker.onDidChangeSelection((rows) => {
    const kept = oneDirection(rows, before);
    before = kept;
    if (kept.length < rows.length) {
      picker.selectedItems = kept;
    }
  });
  return new Promise((resolve) => {
    picker.onDidTriggerItemButton(({ item: { listed: chosen } }) => {
      if (chosen !== undefined) {
        review(chosen);
      }
      picker.hide();
    });
    picker.onDidAccept(() => {
      const rows = picker.selectedItems;
      const calls = rows.flatMap((row) => row.listed ?? []);
      if (calls.length > 0) {
        resolve({ direction: directionOf(rows), calls });
        picker.hide();
      }
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

/** Lets the user choose a turn. Returns undefined if the user left. */
export async function pickTurn(
  turns: readonly JournalTurn[],
  now: number,
  titles: Titles,
): Promise<JournalTurn | undefined> {
  const rows = turns.map((turn) => {
    const title = titles.get(turn.turn);
    const files = fileNames(turn.files);
    return {
      label: plain(title ?? files),
      description: undoneWords(turn.undone).join(),
      detail: plain(
        [
          ...(title === undefined ? [] : [files]),
          whoAndWhen(turn, now),
          count(turn.calls.length, "call"),
          changeWords(turn.files),
        ].join(" · "),
      ),
      turn,
    };
  });
  const picked = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t("Toolhost: Review Changes"),
    placeHolder: vscode.l10n.t("Which changes?"),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.turn;
}

/** Returns one row per call, with separators between turns, which say what was asked for. */
function callRows(listed: readonly ListedCall[], now: number, titles: Titles): CallRow[] {
  const rows: CallRow[] = [];
  const chats = new Set(listed.filter(({ turn: { door } }) => door === "chat").map(({ turn: { session } }) => session));
  for (const [index, call] of listed.entries()) {
    const title = titles.get(call.turn.turn);
    if (call.turn !== listed[index - 1]?.turn && (index > 0 || title !== undefined)) {
      rows.push({ label: plain(title ?? ""), kind: vscode.QuickPickItemKind.Separator });
    }
    rows.push({
      label: plain(visibleLine(shorten(oneLine(call.call.summary), MAX_SUMMARY))),
      description: undoneWords(call.undone).join(),
      detail: plain(
        [...filesBeside(call), whoAndWhen(call.call, now), ...chatName(call, chats), changeWords(call.files)].join(
          " · ",
        ),
      ),
      buttons: [REVIEW],
      listed: call,
    });
  }
  return rows;
}

/** Names the files of a call if its summary names none: a command's has the command. */
function filesBeside({ call, files }: ListedCall): string[] {
  return files.some(({ path }) => call.summary.includes(path)) ? [] : [fileNames(files)];
}

/** Names the chat of a call by number if there are several, starting with the oldest. */
function chatName({ turn: { door, session } }: ListedCall, chats: ReadonlySet<string>): string[] {
  return door === "chat" && chats.size > 1 ? [vscode.l10n.t("chat {0}", chats.size - [...chats].indexOf(session))] : [];
}

/** Keeps only rows of one direction, that of the row chosen last. */
function oneDirection(rows: readonly CallRow[], before: readonly CallRow[]): readonly CallRow[] {
  const added = rows.find((row) => !before.includes(row)) ?? rows[0];
  return added === undefined ? rows : rows.filter((row) => directionOf([row]) === directionOf([added]));
}

function directionOf([row]: readonly CallRow[]): Direction {
  return row?.listed?.undone === "yes" ? "bring_back" : "undo";
}

function undoneWords(undone: JournalTurn["undone"]): string[] {
  return undone === "no" ? [] : [undone === "yes" ? vscode.l10n.t("undone") : vscode.l10n.t("partly undone")];
}
