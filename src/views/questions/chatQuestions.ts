import * as vscode from "vscode";
import { LINK_COMMAND } from "../../names/contributed.js";
import type { Answer, Confirm, Question } from "../../ports/confirm.js";
import { visibleLine } from "../../text/showHidden.js";
import { plain } from "../../text/plainText.js";
import type { Commands } from "../shared/commandTable.js";
import { choicesOf, type QuestionChoice } from "./choices.js";

/** A question that waits in a chat. */
interface Waiting {
  question: Question;
  answer: (answer: Answer) => void;
  /** Aborted when it is answered. */
  ended: AbortController;
}

/** An answer below a question in a chat, with the command that gives it. */
export interface ShownChoice extends QuestionChoice {
  command: string;
  /** The command's only argument. */
  argument: object;
}

/** A button's argument. */
interface Pressed {
  key?: unknown;
  answer?: unknown;
}

/**
 * Our own questions as buttons in the answer of a chat. VS Code's auto-approval does not press buttons, and nobody else
 * knows a button's argument, which is random. A status bar item leads to the same question as a dialog, for users who do
 * not see the chat.
 */
export class ChatQuestions implements vscode.Disposable {
  readonly #dialog: Confirm;
  readonly #waiting = new Map<string, Waiting>();
  readonly #item = vscode.window.createStatusBarItem("toolhost.question", vscode.StatusBarAlignment.Left);
  readonly commands: Commands = {
    [LINK_COMMAND.answer]: (pressed) => this.#press(pressed ?? {}),
    [LINK_COMMAND.showQuestion]: () => this.#showOldest(),
  };

  /** @param dialog asks the same where the chat is not seen */
  constructor(dialog: Confirm) {
    this.#dialog = dialog;
    this.#item.name = vscode.l10n.t("Toolhost: Question");
    this.#item.command = LINK_COMMAND.showQuestion;
    this.#item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
  }

  /** Waits for the answer. A cancelled call means no. @param show puts the answers into the chat */
  async ask(question: Question, signal: AbortSignal, show: (choices: ShownChoice[]) => void): Promise<Answer> {
    const key = crypto.randomUUID();
    const ended = new AbortController();
    const answered = new Promise<Answer>((answer) => {
      this.#waiting.set(key, { question, answer, ended });
      signal.addEventListener("abort", () => answer("no"), { once: true });
    });
    if (signal.aborted) {
      this.#waiting.delete(key);
      return "no";
    }
    const command = LINK_COMMAND.answer;
    show(choicesOf(question).map((choice) => ({ ...choice, command, argument: { key, answer: choice.answer } })));
    this.#update();
    try {
      return await answered;
    } finally {
      ended.abort();
      this.#waiting.delete(key);
      this.#update();
    }
  }

  dispose(): void {
    this.#item.dispose();
  }

  #press({ key, answer }: Pressed): void {
    const waiting = this.#waiting.get(String(key));
    const chosen = waiting && choicesOf(waiting.question).find((choice) => choice.answer === answer);
    if (waiting === undefined || chosen === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t("This question no longer waits for an answer."));
      return;
    }
    waiting.answer(chosen.answer);
  }

  async #showOldest(): Promise<void> {
    const [oldest] = this.#waiting.values();
    if (oldest !== undefined) {
      oldest.answer(await this.#dialog.ask(oldest.question, oldest.ended.signal));
    }
  }

  #update(): void {
    const [oldest] = this.#waiting.values();
    if (oldest === undefined) {
      this.#item.hide();
      return;
    }
    this.#item.text = `$(question) ${vscode.l10n.t("Toolhost asks")}${this.#waiting.size > 1 ? ` (${this.#waiting.size})` : ""}`;
    this.#item.tooltip = `${plain(visibleLine(oldest.question.title))}\n${vscode.l10n.t("The question is in the chat. Click to answer it in a dialog; closing the dialog means no.")}`;
    this.#item.show();
  }
}
