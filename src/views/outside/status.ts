import * as vscode from "vscode";
import { UNDO_COMMAND } from "../../names/contributed.js";
import { oneLine, shorten } from "../../text/clip.js";
import { plain } from "../../text/plainText.js";
import { showHidden } from "../../text/showHidden.js";
import { count } from "../../text/words.js";

/** Maximum characters of a client's name in the status bar: clients choose it. */
const MAX_NAME = 30;

/** Shows in the status bar which agents of other systems use this window's tools. Hidden if none do. */
export class OutsideStatus implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem("toolhost.outside", vscode.StatusBarAlignment.Left);

  constructor() {
    this.#item.name = vscode.l10n.t("Toolhost: Outside Agents");
    // What they change is what their user wants to see next.
    this.#item.command = UNDO_COMMAND.review;
  }

  dispose(): void {
    this.#item.dispose();
  }

  /** @param clients names as the clients give them; an agent that runs twice is there twice */
  show(clients: readonly string[]): void {
    const names = clients.map((name) => shorten(oneLine(showHidden(name, true).text), MAX_NAME));
    const [first] = names;
    if (first === undefined) {
      this.#item.hide();
      return;
    }
    const words = names.length === 1 ? first : count(names.length, "outside agent");
    this.#item.text = `$(plug) ${plain(words)}`;
    this.#item.tooltip = [
      vscode.l10n.t("Use Toolhost's tools in this window:"),
      ...names,
      vscode.l10n.t("Click to review changes."),
    ].join("\n");
    this.#item.accessibilityInformation = { label: vscode.l10n.t("Toolhost: {0} connected", words) };
    this.#item.show();
  }
}
