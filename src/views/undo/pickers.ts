import * as vscode from "vscode";
import type { JournalTurn } from "../../features/changes/journal/types.js";
import { changeWords, fileNames, whoAndWhen, type ListedCall } from "./calls.js";
import type { Direction } from "./steps.js";
import { plain } from "../../text/plainText.js";
import { count } from "../../text/words.js";
interface CallRow extends vscode.QuickPickItem {
  /** None for a line between turns. */
  listed?: ListedCall;
}

/** What a person chose: calls to undo, or undone ones to bring back. */
export interface ChosenCalls {
  direction: Direction;
  calls: ListedCall[];
}

const REVIEW: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("diff-multiple"),
  tooltip: "Review this change",
};

/**
 * Lets a person choose calls, several at once; either some to undo, or undone ones to bring back.
 *
 * @param review shows one call's changes; the list closes
 * @returns undefined when the person left
 */
export function pickCalls(
  listed: readonly ListedCall[],
  now: number,
  review: (call: ListedCall) => void,
): Promise<ChosenCalls | undefined> {
  const picker = vscode.window.createQuickPick<CallRow>();
  picker.title = "Toolhost: Undo Change";
  picker.placeholder = "Choose changes to undo, or undone ones to bring back";
  picker.canSelectMany = true;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.items = callRows(listed, now);
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

/** Lets a person choose a turn. Undefined when the person left. */
export async function pickTurn(turns: readonly JournalTurn[], now: number): Promise<JournalTurn | undefined> {
  const rows = turns.map((turn) => ({
    label: plain(fileNames(turn.files)),
    description: undoneWords(turn.undone).join(),
    detail: plain([whoAndWhen(turn, now), count(turn.calls.length, "call"), changeWords(turn.files)].join(" · ")),
    turn,
  }));
  const picked = await vscode.window.showQuickPick(rows, {
    title: "Toolhost: Review Changes",
    placeHolder: "Whose changes?",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.turn;
}

/** A row a call, with a line between turns. */
function callRows(listed: readonly ListedCall[], now: number): CallRow[] {
  const rows: CallRow[] = [];
  const chats = new Set(listed.filter(({ turn: { door } }) => door === "chat").map(({ turn: { session } }) => session));
  for (const [index, call] of listed.entries()) {
    if (index > 0 && call.turn !== listed[index - 1]?.turn) {
      rows.push({ label: "", kind: vscode.QuickPickItemKind.Separator });
    }
    rows.push({
      label: plain(`${call.call.tool} ${fileNames(call.files)}`),
      description: undoneWords(call.undone).join(),
      detail: plain([whoAndWhen(call.call, now), ...chatName(call, chats), changeWords(call.files)].join(" · ")),
      buttons: [REVIEW],
      listed: call,
    });
  }
  return rows;
}

/** Which of several chats a call was made in, the oldest being the first. */
function chatName({ turn: { door, session } }: ListedCall, chats: ReadonlySet<string>): string[] {
  return door === "chat" && chats.size > 1 ? [`chat ${chats.size - [...chats].indexOf(session)}`] : [];
}

/** One list serves both ways; what was chosen last says which. */
function oneDirection(rows: readonly CallRow[], before: readonly CallRow[]): readonly CallRow[] {
  const added = rows.find((row) => !before.includes(row)) ?? rows[0];
  return added === undefined ? rows : rows.filter((row) => directionOf([row]) === directionOf([added]));
}

function directionOf([row]: readonly CallRow[]): Direction {
  return row?.listed?.undone === "yes" ? "bring_back" : "undo";
}

function undoneWords(undone: JournalTurn["undone"]): string[] {
  return undone === "no" ? [] : [undone === "yes" ? "undone" : "partly undone"];
}
