import * as vscode from "vscode";
import { ExplainView, type ExplainHost } from "./explainView.js";
import { RulesView, type RulesViewHost } from "./rulesView.js";
import { PERMISSION_COMMAND } from "../../names/contributed.js";

/** The palette's commands about permission: the rules in force, and why something is allowed or not. */
export function registerPermission(host: RulesViewHost & ExplainHost): vscode.Disposable {
  const rules = new RulesView(host);
  const explain = new ExplainView(host);
  return vscode.Disposable.from(
    explain,
    vscode.commands.registerCommand(PERMISSION_COMMAND.rules, () => rules.show()),
    vscode.commands.registerCommand(PERMISSION_COMMAND.explain, (given?: unknown) => explain.show(given)),
  );
}
