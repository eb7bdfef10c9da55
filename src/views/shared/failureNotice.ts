import * as vscode from "vscode";
import type { ErrorType } from "../../core/errors.js";
import { plain } from "../../text/plainText.js";

const TRUST = { title: vscode.l10n.t("Manage Workspace Trust"), command: "workbench.trust.manage" };
const OPEN_FOLDER = { title: vscode.l10n.t("Open Folder…"), command: "workbench.action.files.openFolder" };

/**
 * Shows a failure, with a button where VS Code can remove its cause. A button takes the place of the hint, which says
 * the same in more words.
 *
 * @param actions further buttons
 * @returns the pressed one of `actions`
 */
export async function showFailure(
  { type, message, hint }: { type: ErrorType; message: string; hint?: string | undefined },
  ...actions: readonly string[]
): Promise<string | undefined> {
  const hasFolder = (vscode.workspace.workspaceFolders ?? []).length > 0;
  const way = type === "untrusted" ? TRUST : type === "unavailable" && !hasFolder ? OPEN_FOLDER : undefined;
  const text = hint === undefined || way !== undefined ? message : `${message} ${hint}`;
  const pressed = await vscode.window.showErrorMessage(
    plain(text),
    ...(way === undefined ? [] : [way.title]),
    ...actions,
  );
  if (way !== undefined && pressed === way.title) {
    await vscode.commands.executeCommand(way.command);
    return undefined;
  }
  return pressed;
}
