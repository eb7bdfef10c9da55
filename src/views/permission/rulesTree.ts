import type * as vscode from "vscode";
import { DEFAULTS } from "../../core/permission/modes.js";
import { PERMISSIONS_VIEW_COMMAND } from "../../names/contributed.js";
import type { PlacedRule } from "../../ports/rules.js";
import type { Commands } from "../shared/commandTable.js";
import { headingRow, rowOf } from "../shared/row.js";
import { Tree, type Row } from "../shared/tree.js";
import { chooseMode, MEANINGS } from "./modePicker.js";
import { defaultWords, ruleLook } from "./ruleRows.js";
import { indexOf, openRuleSettings } from "./ruleSettings.js";
import { RulesView, type RulesViewHost } from "./rulesView.js";
import { l10n } from "../shared/l10n.js";

/** A rule; nothing for the mode, a default or a heading. */
type Subject = PlacedRule | undefined;

/** The view *Permissions*: the mode, and the rules in force. */
export function rulesTree(
  host: RulesViewHost,
  onDidChange: readonly vscode.Event<unknown>[],
): { tree: Tree<Subject>; commands: Commands } {
  const rules = new RulesView(host);
  const tree = new Tree<Subject>(() => Promise.resolve(rowsOf(host)), onDidChange);
  const onRule =
    (run: (placed: PlacedRule) => Promise<unknown>) =>
    async (row?: unknown): Promise<void> => {
      const placed = tree.subjectOf(row);
      if (placed !== undefined) {
        await run(placed);
      }
    };
  return {
    tree,
    commands: {
      [PERMISSIONS_VIEW_COMMAND.add.command]: () => rules.add(),
      [PERMISSIONS_VIEW_COMMAND.settings.command]: () => openRuleSettings(),
      [PERMISSIONS_VIEW_COMMAND.mode.command]: () => chooseMode(host.settings().mode),
      [PERMISSIONS_VIEW_COMMAND.edit.command]: onRule((placed) => rules.edit(placed)),
      [PERMISSIONS_VIEW_COMMAND.remove.command]: onRule((placed) => rules.remove(placed)),
    },
  };
}

function rowsOf(host: RulesViewHost): Row<Subject>[] {
  const all = host.rules.all();
  const { mode } = host.settings();
  const own = all.filter(({ source }) => source === "settings");
  const granted = all.filter(({ source }) => source === "session");
  const ruleRows = (rules: readonly PlacedRule[]): Row<Subject>[] =>
    rules.map((placed, index) => {
      const { icon, label, description, detail } = ruleLook(placed, host.rules.lastMatched(placed), host.now());
      const isOwn = indexOf(placed) !== undefined;
      return rowOf<Subject>(placed, {
        id: `${placed.source} ${index} ${label}`,
        ...{ icon, label, words: [description, detail] },
        context: isOwn ? "rule own" : "rule",
        ...(isOwn ? { action: PERMISSIONS_VIEW_COMMAND.edit } : {}),
      });
    });
  return [
    rowOf<Subject>(undefined, {
      ...{ id: "mode", icon: "shield", label: l10n.t("Mode: {0}", mode), words: [MEANINGS[mode]], context: "mode" },
      action: PERMISSIONS_VIEW_COMMAND.mode,
    }),
    ...(own.length > 0
      ? headingRow<Subject>(l10n.t("Your Rules"), undefined, ruleRows(own))
      : [
          rowOf<Subject>(undefined, {
            ...{ id: "add", icon: "add", label: l10n.t("Add Rule…"), words: [l10n.t("you have none yet")] },
            action: PERMISSIONS_VIEW_COMMAND.add,
          }),
        ]),
    ...headingRow<Subject>(l10n.t("Allowed for a Session"), undefined, ruleRows(granted)),
    ...headingRow<Subject>(
      l10n.t("Defaults"),
      undefined,
      Object.entries(DEFAULTS).map(([id, sentence]) =>
        rowOf<Subject>(undefined, { id: `default ${id}`, icon: "lock-small", label: defaultWords(sentence) }),
      ),
      true,
    ),
  ];
}
