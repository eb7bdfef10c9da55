import * as vscode from "vscode";
import { editorName } from "../../text/editorName.js";
import { findLinks } from "../shared/resultLinks.js";
import { SCHEME } from "../../names/contributed.js";

/** Number of results kept for open editors; the oldest are dropped first. */
const MAX_KEPT = 50;

interface Result {
  text: string;
  data: unknown;
}

/** Shows results in read-only editors, with paths and line numbers as links. */
export class ResultView implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider {
  readonly #results = new Map<string, Result>();
  readonly #resolve: (path: string) => Promise<vscode.Uri | undefined>;
  readonly #registration: vscode.Disposable;
  #shown = 0;

  /** @param resolve returns the URI of a workspace path; undefined if it does not exist */
  constructor(resolve: (path: string) => Promise<vscode.Uri | undefined>) {
    this.#resolve = resolve;
    this.#registration = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME.result, this),
      vscode.languages.registerDocumentLinkProvider({ scheme: SCHEME.result }, this),
    );
  }

  /**
   * Opens a new editor. It is always plain text: in another language, VS Code would report problems in a page of a file
   * or a list of files.
   *
   * @param about subject of the call, for the editor's name
   */
  async show(tool: string, about: string, text: string, data: unknown): Promise<void> {
    await this.open(this.keep(tool, about, text, data));
  }

  /** Keeps a result for an editor that may be opened later. @returns its URI */
  keep(tool: string, about: string, text: string, data: unknown): vscode.Uri {
    // The path is the editor's name; the query distinguishes results of the same name.
    const uri = vscode.Uri.from({
      scheme: SCHEME.result,
      path: `/${editorName(tool, about)}`,
      query: String(++this.#shown),
    });
    this.#results.set(uri.toString(), { text, data });
    const [oldest] = this.#results.keys();
    if (this.#results.size > MAX_KEPT && oldest !== undefined) {
      this.#results.delete(oldest);
    }
    return uri;
  }

  /** Opens the editor of a kept result; it says so if the result is not kept any more. */
  async open(uri: vscode.Uri): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    // A first line such as `#!/bin/sh` also sets a language.
    const shown =
      document.languageId === "plaintext"
        ? document
        : await vscode.languages.setTextDocumentLanguage(document, "plaintext");
    const editor = await vscode.window.showTextDocument(shown, { preview: false });
    // A result has the numbers of the lines of files; its own would only be taken for them.
    editor.options = { lineNumbers: vscode.TextEditorLineNumbersStyle.Off };
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#results.get(uri.toString())?.text ?? "This result is no longer kept. Run the tool again.";
  }

  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const result = this.#results.get(document.uri.toString());
    if (result === undefined) {
      return [];
    }
    const found = findLinks(result.text, result.data);
    const addresses = new Map<string, vscode.Uri | undefined>();
    for (const path of new Set(found.map((link) => link.path))) {
      addresses.set(path, await this.#resolve(path));
    }
    return found.flatMap(({ row, start, end, path, line }) => {
      const address = addresses.get(path);
      return address === undefined
        ? []
        : [
            new vscode.DocumentLink(
              new vscode.Range(row, start, row, end),
              line === undefined ? address : address.with({ fragment: `L${line}` }),
            ),
          ];
    });
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
