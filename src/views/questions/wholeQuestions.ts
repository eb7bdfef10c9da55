import * as vscode from "vscode";
import { editorName } from "../../text/editorName.js";

/** VS Code's ids of languages for questions: only languages that VS Code does not report problems for. */
const LANGUAGES: Readonly<Record<string, string>> = { bash: "shellscript", diff: "diff" };

/** Maximum characters of an editor's name. */
const MAX_NAME = 60;

/** Shows full questions in read-only editors until the user returns to the dialog. */
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

  /** Opens an editor. Resolves, and closes it, when the user returns to the question or the call is cancelled. */
  async show(title: string, language: string, text: string, signal: AbortSignal): Promise<void> {
    // The path is the editor's name; the query distinguishes questions of the same name.
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

  /** Returns to the question. @param uri of its editor; default: the active editor */
  answer(uri?: unknown): void {
    this.#answered.fire(uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? vscode.l10n.t("This question was answered.");
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  /** Waits for the user, with a notification that says how to continue. */
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
    const title = vscode.l10n.t("Close the editor to answer Toolhost's question.");
    void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () => left);
    await left.finally(() => listeners.forEach((listener) => void listener.dispose()));
  }
}

function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
}
