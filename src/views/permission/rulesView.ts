import * as vscode from "vscode";
import type { Tool } from "../../core/contract.js";
import { DEFAULTS, type PermissionMode } from "../../core/permission/modes.js";
import { ruleWords } from "../../core/permission/rules/words.js";
import { visibleLine } from "../../text/showHidden.js";
import type { PlacedRule } from "../../ports/rules.js";
import { plain } from "../../text/plainText.js";
import { chooseMode } from "./modePicker.js";
import { fillInRule, fitsForm } from "./ruleForm.js";
import { defaultRow, ruleRow } from "./ruleRows.js";
import { indexOf, openRuleSettings, ownRules, spliceRules, type ChangeRules } from "./ruleSettings.js";

/** The functions and data that the view needs. */
export interface RulesViewHost {
  tools: () => readonly Tool[];
  rules: {
    /** The same objects until the rules change. */
    all(): readonly PlacedRule[];
    /** In milliseconds since the epoch. */
    lastMatched(rule: PlacedRule): number | undefined;
    /** Revokes a rule granted for a session. */
    revoke(rule: PlacedRule): void;
  };
  /** Writes to the user's settings. */
  change: ChangeRules;
  settings(): { mode: PermissionMode };
  now(): number;
}

interface Row extends vscode.QuickPickItem {
  run?: () => Promise<Next>;
  placed?: PlacedRule;
}

/** Whether to show the list again. */
type Next = "list" | "leave";

const EDIT: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("edit"), tooltip: vscode.l10n.t("Edit") };
const REMOVE: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("trash"), tooltip: vscode.l10n.t("Remove") };
const UNDO = vscode.l10n.t("Undo");
const CHANGED = vscode.l10n.t("The rules in your settings have changed in the meantime. Nothing was written.");

/** “Toolhost: Permissions…”: lists the rules in force and lets the user edit them. */
export class RulesView {
  readonly #host: RulesViewHost;

  constructor(host: RulesViewHost) {
    this.#host = host;
  }

  async show(): Promise<void> {
    while ((await this.#showOnce()) === "list") {
      // Show the changed list.
    }
  }

  async #showOnce(): Promise<Next> {
    const picker = vscode.window.createQuickPick<Row>();
    picker.title = vscode.l10n.t("Toolhost: Permissions");
    picker.placeholder = vscode.l10n.t("Deny wins over ask, ask over allow. Choose a rule to edit it.");
    picker.matchOnDescription = true;
    picker.matchOnDetail = true;
    picker.items = this.#rows();
    const chosen = new Promise<(() => Promise<Next>) | undefined>((resolve) => {
      picker.onDidAccept(() => {
        const run = picker.selectedItems[0]?.run;
        // Defaults have no action.
        if (run !== undefined) {
          resolve(run);
        }
      });
      picker.onDidTriggerItemButton(({ item: { placed }, button }) =>
        resolve(placed && (() => (button === REMOVE ? this.remove(placed) : this.edit(placed)))),
      );
      picker.onDidHide(() => resolve(undefined));
    });
    picker.show();
    const run = await chosen;
    picker.dispose();
    return run === undefined ? "leave" : run();
  }

  #rows(): Row[] {
    const all = this.#host.rules.all();
    const own = all.filter(({ source }) => source === "settings");
    const granted = all.filter(({ source }) => source === "session");
    return [
      { label: "$(add) Add Rule…", run: () => this.add() },
      {
        label: `$(shield) Mode: ${this.#host.settings().mode}…`,
        run: () => chooseMode(this.#host.settings().mode).then(() => "list" as const),
      },
      {
        label: "$(gear) Open Settings",
        description: "settings.json, at the rules",
        run: () => openRuleSettings().then(() => "leave" as const),
      },
      ...section(
        `your rules${own.length === 0 ? ": none yet" : ""}`,
        own.map((placed) => this.#ruleRow(placed)),
      ),
      ...(granted.length === 0
        ? []
        : section(
            "allowed for a session",
            granted.map((placed) => this.#ruleRow(placed)),
          )),
      ...section(
        "defaults",
        Object.values(DEFAULTS).map((sentence) => defaultRow(sentence)),
      ),
    ];
  }

  #ruleRow(placed: PlacedRule): Row {
    const isOwn = indexOf(placed) !== undefined;
    const row = ruleRow(placed, this.#host.rules.lastMatched(placed), this.#host.now());
    return isOwn
      ? { ...row, buttons: [EDIT, REMOVE], placed, run: () => this.edit(placed) }
      : { ...row, buttons: placed.source === "session" ? [REMOVE] : [], placed };
  }

  /** Lets the user add a rule. */
  async add(): Promise<Next> {
    const rule = await fillInRule(vscode.l10n.t("Add Rule"), this.#host.tools());
    if (rule !== undefined) {
      await this.#host.change((rules) => [...rules, rule]).catch(() => undefined);
    }
    return "list";
  }

  /** Lets the user edit a rule, in the settings if it is more than the form can show. */
  async edit(placed: PlacedRule): Promise<Next> {
    if (!this.#isThere(placed)) {
      return tellChanged();
    }
    const index = indexOf(placed);
    if (index === undefined || placed.broken !== undefined || !fitsForm(placed.rule)) {
      await openRuleSettings();
      return "leave";
    }
    const before = ownRules().slice(index, index + 1);
    const rule = await fillInRule(vscode.l10n.t("Edit Rule"), this.#host.tools(), placed.rule);
    if (rule !== undefined) {
      await this.#splice(index, before, [rule]);
    }
    return "list";
  }

  /** Removes a rule, from the settings or from its session. */
  async remove(placed: PlacedRule): Promise<Next> {
    const name = plain(visibleLine(ruleWords(placed.rule)));
    const index = indexOf(placed);
    if (placed.source === "session") {
      this.#host.rules.revoke(placed);
    } else if (!this.#isThere(placed)) {
      // A second press of the button may mean a row that is about to go.
      return tellChanged();
    } else if (index === undefined) {
      await openRuleSettings();
      return "leave";
    } else {
      const before = ownRules().slice(index, index + 1);
      if (await this.#splice(index, before, [], () => this.#isThere(placed))) {
        void vscode.window
          .showInformationMessage(vscode.l10n.t("Removed the rule “{0}”.", name), UNDO)
          .then((pressed) => pressed === UNDO && this.#splice(Math.min(index, ownRules().length), [], before));
      }
    }
    return "list";
  }

  /** Whether a listed rule is still the one at its place. Of equal rules, only the object tells. */
  #isThere(placed: PlacedRule): boolean {
    return this.#host.rules.all().includes(placed);
  }

  /** Writes the rules, or shows why it cannot. */
  async #splice(
    index: number,
    expected: readonly unknown[],
    rules: readonly unknown[],
    isThere?: () => boolean,
  ): Promise<boolean> {
    try {
      const done = await spliceRules(this.#host.change, index, expected, rules, isThere);
      if (!done) {
        tellChanged();
      }
      return done;
    } catch {
      // The host has reported why the settings cannot be written.
      return false;
    }
  }
}

/** Says that nothing was written, so that the list is shown as it is now. */
function tellChanged(): Next {
  void vscode.window.showWarningMessage(CHANGED);
  return "list";
}

function section(name: string, rows: readonly Row[]): Row[] {
  return [{ label: name, kind: vscode.QuickPickItemKind.Separator }, ...rows];
}
