import * as vscode from "vscode";

/**
 * Where an answer is shown. What the model says and what we say are Markdown texts of their own: whatever it leaves
 * open (a code block, a list, a comment) ends with its own text.
 */
export class ChatOutput {
  readonly #stream: vscode.ChatResponseStream;
  #lastProgress = "";

  constructor(stream: vscode.ChatResponseStream) {
    this.#stream = stream;
  }

  /** Markdown of the model's. */
  said(text: string): void {
    this.#show(() => this.#stream.markdown(text));
  }

  /** Markdown of ours. What others wrote is escaped in it. */
  own(text: string, commands: readonly string[] = []): void {
    // VS Code joins texts that follow each other only when this is the same in both.
    const markdown = new vscode.MarkdownString(text, true);
    if (commands.length > 0) {
      markdown.isTrusted = { enabledCommands: commands };
    }
    this.#show(() => this.#stream.markdown(markdown));
  }

  /** What is being done, Markdown of one line. Said once while it stays the same. */
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
      // VS Code closes the stream a second after the user pressed stop: then nobody reads it.
    }
  }
}
