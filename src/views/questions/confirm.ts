import * as vscode from "vscode";
import type { Answer, Confirm, Question } from "../../ports/confirm.js";
import { choicesOf } from "./choices.js";
import { dialogText, SHOW } from "./dialogText.js";
import type { WholeQuestions } from "./wholeQuestions.js";

interface Button extends vscode.MessageItem {
  /** Undefined if the question is asked again. */
  answer?: Answer;
}

/**
 * Our own question: a modal dialog that VS Code's auto-approval cannot answer. Closing it or cancelling the call means
 * no. What will happen can be opened in an editor; then the dialog asks again.
 */
export class QuestionDialog implements Confirm {
  readonly isAttended = true;
  readonly #whole: WholeQuestions;

  constructor(whole: WholeQuestions) {
    this.#whole = whole;
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const text = dialogText(question);
    const showInEditor: Button = { title: SHOW() };
    // The API cannot close a dialog: after a cancelled call it stays open, and its buttons have no effect.
    const cancelled = new Promise<undefined>((resolve) =>
      signal.addEventListener("abort", () => resolve(undefined), { once: true }),
    );
    while (!signal.aborted) {
      const shown = vscode.window.showWarningMessage<Button>(
        text.headline,
        { modal: true, detail: text.detail },
        // The first button has the focus: Enter must neither allow nor refuse when the dialog opens while the user is
        // typing. No is the close button, in place of VS Code's own Cancel.
        ...[showInEditor, ...choicesOf(question).map((each) => ({ ...each, isCloseAffordance: each.answer === "no" }))],
      );
      const pressed = await Promise.race([shown, cancelled]);
      if (pressed !== showInEditor) {
        return signal.aborted ? "no" : (pressed?.answer ?? "no");
      }
      // A command with a diff below it is coloured as a diff: of the command, that changes nothing.
      const { language } = question.outcome?.find((each) => each.language === "diff") ?? question.detail;
      await this.#whole.show(text.title, language, text.whole ?? text.shown, signal);
    }
    return "no";
  }
}
