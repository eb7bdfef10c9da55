import * as vscode from "vscode";
import type { ChangeKeeper } from "../../features/changes/changes.js";
import { isRecord } from "../../core/jsonSchema.js";
import { escapeMarkdown } from "../../text/fence.js";
import { standingOf, type Standing } from "./standingOf.js";
import { LINK_COMMAND, UNDO_COMMAND } from "../../names/contributed.js";
import { l10n } from "../shared/l10n.js";
const KEY = "toolhost.undo.takenBack";
/** Maximum number of remembered calls. */
const MAX_CALLS = 200;

/**
 * Shows in the status bar that messages were removed from the chat while their changes are still in the files. It stays,
 * across reloads, until the changes are undone or the user hides it. VS Code's own *Restore Checkpoint* only undoes edits
 * of its own tools.
 */
export class StandingChanges implements vscode.Disposable {
  readonly #changes: Pick<ChangeKeeper, "journal">;
  readonly #keeper: vscode.Memento;
  readonly #item = vscode.window.createStatusBarItem("toolhost.takenBack", vscode.StatusBarAlignment.Left, 0);
  readonly #hide = vscode.commands.registerCommand(LINK_COMMAND.hideTakenBack, () => this.#keep([]));

  constructor(changes: Pick<ChangeKeeper, "journal">, keeper: vscode.Memento) {
    this.#changes = changes;
    this.#keeper = keeper;
    this.#item.name = vscode.l10n.t("Toolhost: Changes of Removed Messages");
    if (this.#kept().length > 0) {
      void this.refresh();
    }
  }

  /** Adds calls of removed messages. @param calls ids in the journal */
  async add(calls: readonly number[]): Promise<void> {
    const kept = this.#kept();
    const more = calls.filter((call) => !kept.includes(call));
    if (more.length > 0) {
      await this.#keep([...kept, ...more].slice(-MAX_CALLS));
    }
  }

  /** Updates the item after an undo. */
  async refresh(): Promise<void> {
    let standing: Standing | undefined;
    try {
      standing = standingOf(await this.#changes.journal(), this.#kept());
    } catch {
      // Without a journal nothing can be undone; the tools' results report that.
    }
    if (standing === undefined) {
      this.#item.hide();
      return;
    }
    const { calls, changes, files } = standing;
    const undo = { command: UNDO_COMMAND.change, title: vscode.l10n.t("Undo"), arguments: [{ calls }] };
    this.#item.text = `$(history) ${l10n.many(changes, "{0} change still in files", "{0} changes still in files")}`;
    this.#item.command = undo;
    const link = `command:${undo.command}?${encodeURIComponent(JSON.stringify(undo.arguments))}`;
    const tooltip = new vscode.MarkdownString(
      [
        vscode.l10n.t(
          "Messages were removed from the chat, but Toolhost's changes for them are still in {0}: *Restore Checkpoint* does not undo them.",
          escapeMarkdown(files),
        ),
        `[${l10n.many(changes, "Undo Its {0} Change…", "Undo Their {0} Changes…")}](${link}) · [${l10n.t("Hide")}](command:${LINK_COMMAND.hideTakenBack})`,
      ].join("\n\n"),
    );
    tooltip.isTrusted = { enabledCommands: [UNDO_COMMAND.change, LINK_COMMAND.hideTakenBack] };
    this.#item.tooltip = tooltip;
    this.#item.show();
  }

  async #keep(calls: number[]): Promise<void> {
    await this.#keeper.update(KEY, { calls });
    await this.refresh();
  }

  #kept(): number[] {
    const kept = this.#keeper.get(KEY);
    const calls = isRecord(kept) && Array.isArray(kept["calls"]) ? (kept["calls"] as unknown[]) : [];
    return calls.filter((id) => typeof id === "number");
  }

  dispose(): void {
    this.#item.dispose();
    this.#hide.dispose();
  }
}
