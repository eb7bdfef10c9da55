import * as vscode from "vscode";
import type { Choice, Person, PersonAnswer, PersonQuestion } from "../../ports/person.js";
import { oneLine, shorten } from "../../text/clip.js";
import { plain } from "../../text/plainText.js";
import { readPicked } from "./readPicked.js";

const TITLE = vscode.l10n.t("Toolhost asks");
/** Maximum characters of a question in a picker; the chat shows all of it. */
const MAX_QUESTION = 400;

interface Row extends vscode.QuickPickItem {
  /** Undefined for the row that takes the typed text. */
  choice: Choice | undefined;
}

/**
 * Asks the user in a quick pick or, without choices, in an input box, one question at a time. It stays open while they
 * look around; Escape leaves it.
 */
export class QuestionPicker implements Person {
  #last: Promise<unknown> = Promise.resolve();

  answer(question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer> {
    // A second picker would close the first.
    const answer = this.#last.then(() => ask(question, signal));
    this.#last = answer.catch(() => undefined);
    return answer;
  }
}

function ask(question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer> {
  signal.throwIfAborted();
  const words = plain(shorten(oneLine(question.question), MAX_QUESTION));
  return question.choices.length === 0 ? askWords(words, signal) : askChoice(words, question, signal);
}

function askWords(words: string, signal: AbortSignal): Promise<PersonAnswer> {
  const box = vscode.window.createInputBox();
  box.title = TITLE;
  box.prompt = words;
  box.placeholder = vscode.l10n.t("Your answer");
  return untilLeft(box, signal, () =>
    box.value.trim() === "" ? "unanswered" : { chosen: [], words: box.value.trim() },
  );
}

function askChoice(words: string, { choices, several }: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer> {
  const rows = choices.map((choice): Row => ({
    choice,
    label: plain(oneLine(choice.label)),
    ...(choice.description === undefined ? {} : { detail: plain(oneLine(choice.description)) }),
  }));
  const picker = vscode.window.createQuickPick<Row>();
  picker.title = TITLE;
  picker.prompt = words;
  picker.placeholder = several
    ? vscode.l10n.t("Choose any, or type another answer")
    : vscode.l10n.t("Choose one, or type another answer");
  picker.canSelectMany = several;
  picker.items = rows;
  if (!several) {
    picker.onDidChangeValue((value) => {
      const own: Row[] =
        value.trim() === ""
          ? []
          : [{ choice: undefined, label: plain(vscode.l10n.t("Answer: {0}", value.trim())), alwaysShow: true }];
      picker.items = [...rows, ...own];
    });
  }
  return untilLeft(picker, signal, () => {
    const picked = several ? picker.selectedItems : picker.selectedItems.slice(0, 1);
    const labels = picked.flatMap(({ choice }) => (choice === undefined ? [] : [choice.label]));
    return readPicked(labels, picker.value);
  });
}

/** Shows a picker. Returns its answer when the user accepts it. @throws the signal's reason */
async function untilLeft(
  input: vscode.QuickPick<Row> | vscode.InputBox,
  signal: AbortSignal,
  read: () => PersonAnswer,
): Promise<PersonAnswer> {
  input.ignoreFocusOut = true;
  const stop = (): void => input.hide();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await new Promise<PersonAnswer>((resolve, reject) => {
      input.onDidAccept(() => resolve(read()));
      input.onDidHide(() => (signal.aborted ? reject(signal.reason as Error) : resolve("unanswered")));
      input.show();
    });
  } finally {
    signal.removeEventListener("abort", stop);
    input.dispose();
  }
}
