import * as vscode from "vscode";
import type { Answer, Confirm, Question } from "../../ports/confirm.js";
import { choicesOf } from "./choices.js";
import { dialogText } from "./dialogText.js";
import type { WholeQuestions } from "./wholeQuestions.js";

const SHOW_ALL: vscode.MessageItem = { title: "Show All…" };

/**
 * Our own question: a modal dialog that VS Code's auto-approval cannot answer. Closing it or cancelling the call means
 * no. Text that does not fit can be opened in an editor; then the dialog asks again.
 */
export class QuestionDialog implements Confirm {
  readonly isAttended = true;
  readonly #whole: WholeQuestions;

  constructor(whole: WholeQuestions) {
    this.#whole = whole;
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const text = dialogText(question);
    // The API cannot close a dialog: after a cancelled call it stays open, and its buttons have no effect.
    const cancelled = new Promise<undefined>((resolve) =>
      signal.addEventListener("abort", () => resolve(undefined), { once: true }),
    );
    while (!signal.aborted) {
      const shown = vscode.window.showWarningMessage(
        question.accept === undefined ? `Allow this? ${text.title}` : text.title,
        { modal: true, detail: text.detail },
        // The first button, no, has the focus: Enter must not allow when the dialog opens while the user is typing. If it
        // were the dialog's close button (isCloseAffordance), VS Code would move it behind the others and it would lose
        // the focus.
        ...[...choicesOf(question), ...(text.whole === undefined ? [] : [SHOW_ALL])],
      );
      const pressed = await Promise.race([shown, cancelled]);
      if (pressed !== SHOW_ALL || text.whole === undefined) {
        return signal.aborted || pressed === undefined || !("answer" in pressed) ? "no" : pressed.answer;
      }
      await this.#whole.show(text.title, question.detail.language, text.whole, signal);
    }
    return "no";
  }
}
