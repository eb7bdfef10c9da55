// The questions of “Toolhost: Add Tool…” as quick inputs, with steps and a way back, and the page shown next to them.
import * as vscode from "vscode";
import { BACK, type Question, type Step } from "../../features/custom/add/question.js";
import { SCHEME } from "../../names/contributed.js";
import { plain } from "../../text/plainText.js";

const TITLE = vscode.l10n.t("Add Tool");

/** Lines at the top of an editor that the question covers. */
const COVERED = 5;

interface Item extends vscode.QuickPickItem {
  value: string;
}

type Answered = string | typeof BACK | undefined;

/** Asks one question after the other. An input stays, busy, until the next one comes or `hide` is called. */
export class AddToolView implements vscode.Disposable {
  /** Aborted once the person leaves. */
  readonly left = new AbortController();
  #input: vscode.QuickInput | undefined;
  readonly #page = new NewToolPage();

  async ask(question: Question, step: Step): Promise<Answered> {
    const text = await question.shown?.();
    if (text !== undefined) {
      await this.#page.show(text);
    }
    const input = question.kind === "text" ? textInput(question, step) : choiceInput(question, step);
    return new Promise((resolve) => {
      let isAnswered = false;
      const answer = (value: Answered): void => {
        isAnswered = true;
        Object.assign(input, { busy: true, enabled: false });
        resolve(value);
      };
      input.onDidTriggerButton(() => answer(BACK));
      input.onDidAccept(() => {
        const value = valueOf(input, question);
        const problem = value === undefined ? undefined : question.check?.(value);
        if (problem !== undefined && "validationMessage" in input) {
          input.validationMessage = plain(problem);
        } else if (value !== undefined && !isAnswered) {
          answer(value);
        }
      });
      input.onDidHide(() => {
        // The next input hides this one, too.
        if (this.#input === input) {
          this.left.abort();
          resolve(undefined);
        }
      });
      this.hide();
      this.#input = input;
      input.show();
    });
  }

  /** Hides what is asked, since something else is shown. */
  hide(): void {
    const input = this.#input;
    this.#input = undefined;
    input?.dispose();
  }

  dispose(): void {
    this.hide();
    this.#page.dispose();
  }
}

function textInput({ prompt, example, suggested, check }: Question, step: Step): vscode.InputBox {
  const input = vscode.window.createInputBox();
  frame(input, step);
  Object.assign(input, {
    ...{ prompt: plain(prompt), value: suggested ?? "" },
    ...(example === undefined ? {} : { placeholder: plain(example) }),
    ...(step.problem === undefined ? {} : { validationMessage: plain(step.problem) }),
  });
  input.onDidChangeValue((value) => {
    // Nobody has done anything wrong in an empty box.
    const problem = value === "" ? undefined : check?.(value);
    input.validationMessage = problem === undefined ? undefined : plain(problem);
  });
  return input;
}

function choiceInput({ kind, prompt, choices = [], suggested }: Question, step: Step): vscode.QuickPick<Item> {
  const input = vscode.window.createQuickPick<Item>();
  frame(input, step);
  const items = choices.map(({ value, label, description }): Item => ({
    ...{ value, label: plain(label) },
    ...(description === undefined ? {} : { description: plain(description) }),
  }));
  const chosen = items.filter(({ value }) => suggested?.split("\n").includes(value));
  Object.assign(input, {
    ...{ placeholder: plain(step.problem ?? prompt), items, matchOnDescription: true },
    ...{ canSelectMany: kind === "several" },
    ...(kind === "several" ? { selectedItems: chosen } : { activeItems: chosen }),
  });
  return input;
}

function frame(input: vscode.QuickInput & { buttons: readonly vscode.QuickInputButton[] }, step: Step): void {
  Object.assign(input, {
    ...{ title: TITLE, ignoreFocusOut: true },
    ...(step.total > 0 && { step: step.step, totalSteps: step.total }),
    buttons: step.canGoBack ? [vscode.QuickInputButtons.Back] : [],
  });
}

function valueOf(
  input: vscode.InputBox | vscode.QuickPick<Item>,
  { kind }: Pick<Question, "kind">,
): string | undefined {
  if (!("items" in input)) {
    return input.value;
  }
  return kind === "several"
    ? input.selectedItems.map(({ value }) => value).join("\n")
    : (input.selectedItems[0] ?? input.activeItems[0])?.value;
}

/** A page next to the questions: the new entry, then the result of its trial. */
class NewToolPage implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #uri = vscode.Uri.from({ scheme: SCHEME.newTool, path: "/New tool" });
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME.newTool, this);
  #text = "";

  provideTextDocumentContent(): string {
    return this.#text;
  }

  async show(text: string): Promise<void> {
    this.#text = "\n".repeat(COVERED) + text;
    this.#changed.fire(this.#uri);
    const document = await vscode.workspace.openTextDocument(this.#uri);
    await vscode.window.showTextDocument(document, { preserveFocus: true, preview: true });
  }

  /** Nothing on the page is of use once the tool is added, or not. */
  dispose(): void {
    const tabs = vscode.window.tabGroups.all
      .flatMap(({ tabs: open }) => open)
      .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === this.#uri.toString());
    void vscode.window.tabGroups.close(tabs);
    vscode.Disposable.from(this.#registration, this.#changed).dispose();
  }
}
