import * as vscode from "vscode";

/**
 * Cached until any setting changes: VS Code takes up to a millisecond to look up a setting, and each call reads several
 * settings, several times.
 */
const users = new Map<string, unknown>();
const effective = new Map<string, unknown>();
let listening: vscode.Disposable | undefined;

/** Returns the value in the user's own settings, whatever a workspace's settings say. */
export function userValue(setting: string): unknown {
  return remembered(users, setting, () => vscode.workspace.getConfiguration().inspect<unknown>(setting)?.globalValue);
}

/** Returns the value that applies in this window: default, user's, or the workspace's if it may set it. */
export function settingValue(setting: string): unknown {
  return remembered(effective, setting, () => vscode.workspace.getConfiguration().get<unknown>(setting));
}

function remembered(values: Map<string, unknown>, setting: string, read: () => unknown): unknown {
  // The listener stays as long as the extension runs, only to clear the cache. Trust makes more of a workspace's
  // settings apply.
  listening ??= vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration(forget),
    vscode.workspace.onDidGrantWorkspaceTrust(forget),
  );
  if (!values.has(setting)) {
    values.set(setting, read());
  }
  return values.get(setting);
}

function forget(): void {
  users.clear();
  effective.clear();
}
