import * as vscode from "vscode";
import { editorName } from "../../text/editorName.js";

/** VS Code's names of the languages that questions are shown in: those that VS Code does not look for problems in. */
const LANGUAGES: Readonly<Record<string, string>> = { bash: "shellscript", diff: "diff" };

/** Characters of an editor's name. */
const MAX_NAME = 60;

/** Shows the whole of what a person is asked about in read-only editors, until they go back to the question. */
export class WholeQuestions implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #answered = new vscode.EventEmitter<vscode.Uri | undefined>();
  readonly #registrations: vscode.Disposable;
  readonly #scheme: string;
  #shown = 0;

  /** @param scheme of the documents, as package.json names it */
  constructor(scheme: string) {
    this.#scheme = scheme;
    this.#registrations = vscode.Disposable.from(
      this.#answered,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
    );
  }

  /**
   * Opens an editor. Resolves when the person closes it or asks for the question, or the call is cancelled; the editor
   * is closed then.
   */
  async show(title: string, language: string, text: string, signal: AbortSignal): Promise<void> {
    // The path is the editor's name; the query tells questions of the same name apart.
    const uri = vscode.Uri.from({
      scheme: this.#scheme,
      path: `/${editorName("", title.slice(0, MAX_NAME))}`,
      query: String(++this.#shown),
    });
    this.#texts.set(uri.toString(), text);
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.languages.setTextDocumentLanguage(document, LANGUAGES[language] ?? "plaintext");
      await vscode.window.showTextDocument(document, { preview: false });
      await this.#left(uri, signal);
    } finally {
      this.#texts.delete(uri.toString());
      await vscode.window.tabGroups.close(tabsOf(uri));
    }
  }

  /** The person goes back to the question. @param uri of its editor; that of the active one when absent */
  answer(uri?: unknown): void {
    this.#answered.fire(uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? "This question was answered.";
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  /** Waits for the person, with a notice that says what is waited for and goes with the wait. */
  async #left(uri: vscode.Uri, signal: AbortSignal): Promise<void> {
    const listeners: vscode.Disposable[] = [];
    const left = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
      listeners.push(
        this.#answered.event((answered) => void (answered?.toString() === uri.toString() && resolve())),
        vscode.window.tabGroups.onDidChangeTabs(() => void (tabsOf(uri).length === 0 && resolve())),
      );
      if (signal.aborted) {
        resolve();
      }
    });
    const title = "Close the editor to answer Toolhost's question.";
    void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () => left);
    await left.finally(() => listeners.forEach((listener) => void listener.dispose()));
  }
}

function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
}
