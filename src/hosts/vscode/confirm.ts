import * as vscode from "vscode";
import type { Confirm, Question } from "../../ports/confirm.js";
import { keepHeadAndTail } from "../../text/clip.js";

/** A modal dialog grows with its text, off the screen at last. */
const MAX_DETAIL = 2_000;

/** Asks in a modal dialog, for calls that no chat shows. Closing it is a no. */
export const modalConfirm: Confirm = {
  async ask({ title, reasons, detail }: Question, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) {
      return false;
    }
    const allow = "Allow";
    const text = `${reasons.join("\n")}\n\n${keepHeadAndTail(detail.text, MAX_DETAIL)}`;
    return (await vscode.window.showWarningMessage(title, { modal: true, detail: text }, allow)) === allow;
  },
};
