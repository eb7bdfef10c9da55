import * as vscode from "vscode";
import type { ChangeKeeper } from "../../features/changes/changes.js";
import { isRecord } from "../../core/jsonSchema.js";
import { LINK_COMMAND, UNDO_COMMAND } from "../../names/contributed.js";
import { escapeMarkdown } from "../../text/fence.js";
import { changeWords, fileNames, linesChanged, whoAndWhen } from "./calls.js";
import type { KeptChanges } from "./kept.js";
import { areShown, newChangesOf, type NewChanges } from "./newChanges.js";
import type { ReviewView } from "./review.js";
import { l10n } from "../shared/l10n.js";

const KEY = "toolhost.changes.seen";
/** How long after a change the item is updated, in ms: agents make several at a time. */
const SOON = 200;
/** Maximum number of turns that the tooltip names. */
const MAX_TURNS = 5;

/**
 * Shows in the status bar how many files agents have changed that nobody has looked at, by whatever door: Copilot's agent
 * shows changes of its own tools alone. It stays, across reloads, until they are reviewed, kept or undone.
 */
export class ChangesStatus implements vscode.Disposable {
  readonly #changes: Pick<ChangeKeeper, "journal">;
  readonly #review: Pick<ReviewView, "show" | "onDidShow">;
  readonly #kept: KeptChanges;
  readonly #keeper: vscode.Memento;
  readonly #item = vscode.window.createStatusBarItem("toolhost.changes", vscode.StatusBarAlignment.Left, 1);
  readonly #commands = vscode.Disposable.from(
    vscode.commands.registerCommand(LINK_COMMAND.reviewNew, () => this.#show()),
    vscode.commands.registerCommand(LINK_COMMAND.keepNew, () => this.#keep()),
  );
  readonly #listening: vscode.Disposable;
  #since: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    changes: Pick<ChangeKeeper, "journal">,
    review: Pick<ReviewView, "show" | "onDidShow">,
    kept: KeptChanges,
    keeper: vscode.Memento,
  ) {
    this.#changes = changes;
    this.#review = review;
    this.#kept = kept;
    this.#keeper = keeper;
    this.#listening = vscode.Disposable.from(
      review.onDidShow((files) => void this.#seen((found) => areShown(found, files))),
      kept.onDidChange(() => this.update()),
    );
    this.#item.name = vscode.l10n.t("Toolhost: Changes to Review");
    this.#item.command = LINK_COMMAND.reviewNew;
    const seen = keeper.get(KEY);
    const { since, isWaiting } = isRecord(seen) ? seen : {};
    this.#since = typeof since === "number" ? since : Date.now();
    if (isWaiting === true) {
      this.update();
    }
  }

  /** Looks for changes a moment later. */
  update(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#refresh();
    }, SOON);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#item.dispose();
    this.#commands.dispose();
    this.#listening.dispose();
  }

  async #refresh(): Promise<void> {
    const found = await this.#find();
    await this.#keeper.update(KEY, { since: this.#since, isWaiting: found !== undefined });
    if (found === undefined) {
      this.#item.hide();
      return;
    }
    const { files, calls, changes, turns, parts } = found;
    const words = l10n.many(
      new Set(files.map(({ path }) => path)).size,
      "{0} file {1}",
      "{0} files {1}",
      linesChanged(files),
    );
    this.#item.text = `$(diff) ${words}`;
    this.#item.accessibilityInformation = { label: vscode.l10n.t("Toolhost: changes to review, {0}", words) };
    const undo = `command:${UNDO_COMMAND.change}?${encodeURIComponent(JSON.stringify([{ calls, changes, parts }]))}`;
    const more = turns.length - MAX_TURNS;
    const tooltip = new vscode.MarkdownString(
      [
        vscode.l10n.t("Changed by agents and not reviewed yet:"),
        ...turns
          .slice(0, MAX_TURNS)
          .map(
            (turn) =>
              `- ${escapeMarkdown(whoAndWhen(turn, Date.now()))}: ${escapeMarkdown(fileNames(turn.files))}, ${escapeMarkdown(changeWords(turn.files))}`,
          ),
        ...(more > 0 ? [`- ${l10n.many(more, "and {0} earlier turn", "and {0} earlier turns")}`] : []),
        "",
        `[${l10n.t("Review")}](command:${LINK_COMMAND.reviewNew}) · [${l10n.t("Keep")}](command:${LINK_COMMAND.keepNew}) · [${l10n.t("Undo…")}](${undo})`,
      ].join("\n"),
    );
    tooltip.isTrusted = { enabledCommands: [LINK_COMMAND.reviewNew, LINK_COMMAND.keepNew, UNDO_COMMAND.change] };
    this.#item.tooltip = tooltip;
    this.#item.show();
  }

  async #show(): Promise<void> {
    const found = await this.#find();
    if (found !== undefined) {
      await this.#review.show(vscode.l10n.t("Changes to Review"), found.files);
    }
  }

  /** Counts them as looked at. @param isMeant whether these are what somebody looked at */
  async #seen(isMeant: (found: NewChanges) => boolean): Promise<void> {
    const found = await this.#find();
    if (found !== undefined && isMeant(found)) {
      this.#since = found.at;
      await this.#refresh();
    }
  }

  /** Keeps them, in the list of changes, too. */
  async #keep(): Promise<void> {
    const found = await this.#find();
    if (found !== undefined) {
      this.#since = found.at;
      await this.#kept.keep((await this.#changes.journal()).changes(found.calls));
      await this.#refresh();
    }
  }

  async #find(): Promise<NewChanges | undefined> {
    try {
      return newChangesOf(await this.#changes.journal(), this.#since, this.#kept);
    } catch {
      // Without a journal nothing can be reviewed; the results of tools say so.
      return undefined;
    }
  }
}
