import * as vscode from "vscode";

/**
 * The output of an answer. The model's text and ours are separate Markdown strings, so that anything the model leaves
 * open (a code block, a list, a comment) ends with its own text.
 */
export class ChatOutput {
  readonly #stream: vscode.ChatResponseStream;
  #lastProgress = "";

  constructor(stream: vscode.ChatResponseStream) {
    this.#stream = stream;
  }

  /** Shows Markdown from the model. */
  said(text: string): void {
    this.#show(() => this.#stream.markdown(text));
  }

  /** Shows our own Markdown. Text from elsewhere must be escaped. */
  own(text: string, commands: readonly string[] = []): void {
    // VS Code only joins consecutive texts if this flag is the same.
    const markdown = new vscode.MarkdownString(text, true);
    if (commands.length > 0) {
      markdown.isTrusted = { enabledCommands: commands };
    }
    this.#show(() => this.#stream.markdown(markdown));
  }

  /** Shows the current action, one line of Markdown. Repeats are ignored. */
  progress(text: string): void {
    if (text !== this.#lastProgress) {
      this.#lastProgress = text;
      this.#show(() => this.#stream.progress(text));
    }
  }

  button(command: vscode.Command): void {
    this.#show(() => this.#stream.button(command));
  }

  #show(show: () => void): void {
    try {
      show();
    } catch {
      // VS Code closes the stream one second after the user pressed stop; nobody reads it then.
    }
  }
}
