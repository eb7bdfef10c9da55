import * as vscode from "vscode";
import { PERMISSION_MODES, type PermissionMode } from "../../core/permission/modes.js";
import { SETTING } from "../../names/settings.js";

const MEANINGS: Readonly<Record<PermissionMode, string>> = {
  default: "Reads, undoable changes and commands that only read run; the rest asks",
  ask: "Every change and every command asks",
  plan: "Nothing may change",
  bypass: "Nothing asks but what a rule says",
};

const BYPASS = "Turn On Bypass";
const KEEP = "Keep Asking";

/** Lets the user choose how much is asked; written to their settings. */
export async function chooseMode(now: PermissionMode): Promise<void> {
  const items = PERMISSION_MODES.map((mode) => ({
    label: mode,
    description: mode === now ? "now" : "",
    detail: MEANINGS[mode],
    mode,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: "Toolhost: Permission Mode",
    placeHolder: "How much may tools do without asking?",
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

/**
 * Everything runs then, in every workspace: that is not for a slip of the Enter key, which presses the first button.
 */
async function wantsBypass(): Promise<boolean> {
  const detail =
    "Every command runs unasked, and protected files and secrets are open, in every workspace that you trust. Only rules that ask or deny still hold.";
  return (
    (await vscode.window.showWarningMessage("Turn off all questions?", { modal: true, detail }, KEEP, BYPASS)) ===
    BYPASS
  );
}
