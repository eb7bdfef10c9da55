import * as vscode from "vscode";
import type { Answer, Confirm, Question } from "../../ports/confirm.js";
import { keepHeadAndTail } from "../../text/clip.js";

/** A modal dialog grows with its text, off the screen at last. */
const MAX_DETAIL = 2_000;

// The first button has the focus: a user who was typing when the dialog came up must not allow by Enter. Marked as
// the one that closes, it would be moved behind the others and lose the focus to them.
const REFUSE: vscode.MessageItem = { title: "Don't Allow" };
const ALLOW: vscode.MessageItem = { title: "Allow" };

/** Asks in a modal dialog, for calls that no chat shows. Closing it, and cancelling the call, is a no. */
export const modalConfirm: Confirm = {
  async ask({ title, reasons, detail }: Question, signal: AbortSignal): Promise<Answer> {
    if (signal.aborted) {
      return "no";
    }
    const text = `${reasons.join("\n")}\n\n${keepHeadAndTail(detail.text, MAX_DETAIL)}`;
    // The API cannot close a dialog: a cancelled call leaves it, and what is pressed there then counts for nothing.
    const cancelled = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
    const answer = vscode.window.showWarningMessage(title, { modal: true, detail: text }, REFUSE, ALLOW);
    return (await Promise.race([answer, cancelled])) === ALLOW ? "once" : "no";
  },
};
