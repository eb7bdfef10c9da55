import * as vscode from "vscode";

/**
 * Cached until any setting changes: VS Code takes up to a millisecond to look up a setting, and each call reads several
 * settings, several times.
 */
const users = new Map<string, unknown>();
const effective = new Map<string, unknown>();

// VS Code calls listeners in the order of their registration, so these come first: a later listener that reads a setting
// gets its new value. They stay as long as the extension runs. Trust makes more of a workspace's settings apply.
vscode.workspace.onDidChangeConfiguration(forget);
vscode.workspace.onDidGrantWorkspaceTrust(forget);

/** Returns the value in the user's own settings, whatever a workspace's settings say. */
export function userValue(setting: string): unknown {
  return remembered(users, setting, () => vscode.workspace.getConfiguration().inspect<unknown>(setting)?.globalValue);
}

/** Whether the user has turned the checks of certificates off, which VS Code's own requests heed and its client does not. */
export function trustsAll(): boolean {
  return userValue("http.proxyStrictSSL") === false;
}

/** Returns the value that applies in this window: default, user's, or the workspace's if it may set it. */
export function settingValue(setting: string): unknown {
  return remembered(effective, setting, () => vscode.workspace.getConfiguration().get<unknown>(setting));
}

function remembered(values: Map<string, unknown>, setting: string, read: () => unknown): unknown {
  if (!values.has(setting)) {
    values.set(setting, read());
  }
  return values.get(setting);
}

function forget(): void {
  users.clear();
  effective.clear();
}
