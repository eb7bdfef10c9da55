import * as vscode from "vscode";
import { PERMISSION_MODES, type PermissionMode } from "../../core/permission/modes.js";
import { SETTING } from "../../names/settings.js";

/** What each mode means, for people. */
export const MEANINGS: Readonly<Record<PermissionMode, string>> = {
  default: vscode.l10n.t("Allow reads, undoable changes and read-only commands; ask about the rest"),
  ask: vscode.l10n.t("Ask about every change and every command"),
  plan: vscode.l10n.t("Change nothing"),
  bypass: vscode.l10n.t("Ask only where a rule says so"),
};

const BYPASS = vscode.l10n.t("Turn On Bypass");
const KEEP = vscode.l10n.t("Keep Asking");

/** Lets the user choose the permission mode and writes it to their settings. */
export async function chooseMode(now: PermissionMode): Promise<void> {
  const items = PERMISSION_MODES.map((mode) => ({
    label: mode,
    description: mode === now ? "now" : "",
    detail: MEANINGS[mode],
    mode,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Toolhost: Permission Mode"),
    placeHolder: vscode.l10n.t("How much may tools do without asking?"),
  });
  if (picked === undefined || picked.mode === now || (picked.mode === "bypass" && !(await wantsBypass()))) {
    return;
  }
  await vscode.workspace
    .getConfiguration()
    .update(
      SETTING.permissionMode,
      picked.mode === "default" ? undefined : picked.mode,
      vscode.ConfigurationTarget.Global,
    );
}

/** Confirms the bypass mode. The first button, which Enter presses, refuses: everything would run, in every workspace. */
async function wantsBypass(): Promise<boolean> {
  const detail = vscode.l10n.t(
    "Every command runs without asking, and protected files and secrets are open, in every workspace that you trust. Only rules that ask or deny still apply.",
  );
  return (
    (await vscode.window.showWarningMessage(
      vscode.l10n.t("Turn off all questions?"),
      { modal: true, detail },
      KEEP,
      BYPASS,
    )) === BYPASS
  );
}
