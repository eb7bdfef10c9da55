import * as vscode from "vscode";
import { LINK_COMMAND } from "../../names/contributed.js";
import { shorten } from "../../text/clip.js";
import { plain } from "../../text/plainText.js";
import { tellFailure } from "./failure.js";

/** Maximum characters in the status bar; the tooltip has all. */
const MAX_TEXT = 80;
/** How long an undo can be redone here, in ms: the lines of a review cannot be brought back by the editor's own undo. */
const WITH_REDO = 5 * 60_000;
/** How long what needs no answer is shown, in ms. */
const BRIEF = 10_000;

/**
 * Tells in the status bar what became of parts of changes. The editor shows it already, and VS Code's notifications cannot
 * be taken back: one that says that a part was undone would stand beside one that says that it was redone.
 */
export class PartsNotice implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem("toolhost.parts", vscode.StatusBarAlignment.Left, 0);
  readonly #command = vscode.commands.registerCommand(LINK_COMMAND.redoParts, () => this.#press());
  #redo: (() => Promise<unknown>) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#item.name = vscode.l10n.t("Toolhost: Changes Undone in Editors");
  }

  /** Shows what was done, in place of what it told before. @param redo reverts it; if absent, there is nothing to revert */
  show(text: string, redo?: () => Promise<unknown>): void {
    clearTimeout(this.#timer);
    this.#redo = redo;
    const shown = plain(shorten(text, MAX_TEXT));
    this.#item.text = redo === undefined ? `$(info) ${shown}` : `$(discard) ${shown} $(redo) ${vscode.l10n.t("Redo")}`;
    this.#item.command = redo === undefined ? undefined : LINK_COMMAND.redoParts;
    this.#item.tooltip = redo === undefined ? text : vscode.l10n.t("{0} Click to make the change again.", text);
    this.#item.accessibilityInformation = { label: this.#item.tooltip };
    this.#item.show();
    this.#timer = setTimeout(() => this.#item.hide(), redo === undefined ? BRIEF : WITH_REDO);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#item.dispose();
    this.#command.dispose();
  }

  async #press(): Promise<void> {
    const redo = this.#redo;
    // Pressed twice, it is done once.
    this.#redo = undefined;
    const done = await redo?.().catch(tellFailure);
    if (done === undefined) {
      // Once the reason is gone, it can be pressed again, unless it tells of something else by now.
      this.#redo ??= redo;
    }
  }
}
