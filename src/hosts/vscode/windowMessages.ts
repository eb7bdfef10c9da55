import * as vscode from "vscode";
import { oneLine, shorten } from "../../text/clip.js";
import { plain } from "../../text/plainText.js";

/** The scheme of documents that show whole messages. */
const SCHEME = "toolhost-message";
/** Maximum characters of a notification: VS Code shows a few lines. */
const MAX_SHOWN = 300;
/** Number of messages that can still be shown whole. */
const MAX_KEPT = 50;
const SHOW_ALL = "Show All";

/** Shows messages in this window as notifications; a message that does not fit opens whole in a read-only editor. */
export class WindowMessages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  #shown = 0;

  /** Shows a message without waiting for anybody to see it. */
  show(content: string): void {
    const line = oneLine(content);
    const isWhole = line.length <= MAX_SHOWN && line === content.trim();
    // VS Code does not always show a notification's source, and a model's text must not look like VS Code's own.
    void vscode.window
      .showInformationMessage(`From the agent: ${plain(shorten(line, MAX_SHOWN))}`, ...(isWhole ? [] : [SHOW_ALL]))
      .then((pressed) => {
        if (pressed === SHOW_ALL) {
          void this.#open(content);
        }
      });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? "This message is no longer kept.";
  }

  dispose(): void {
    this.#registration.dispose();
  }

  async #open(content: string): Promise<void> {
    // Plain text, so that nothing in it becomes a link that runs a command or an image that is fetched.
    const uri = vscode.Uri.from({ scheme: SCHEME, path: "/Message", query: String(++this.#shown) });
    this.#texts.set(uri.toString(), content);
    for (const oldest of [...this.#texts.keys()].slice(0, -MAX_KEPT)) {
      this.#texts.delete(oldest);
    }
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, "plaintext");
    await vscode.window.showTextDocument(document, { preview: false });
  }
}
