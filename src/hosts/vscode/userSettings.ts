import * as vscode from "vscode";

/**
 * Settings as they were read, until any changes: VS Code takes up to a millisecond to find one, and each call asks for
 * several, several times.
 */
const users = new Map<string, unknown>();
const effective = new Map<string, unknown>();
let listening: vscode.Disposable | undefined;

/** What the user's own settings say, whatever a workspace's do. */
export function userValue(setting: string): unknown {
  return remembered(users, setting, () => vscode.workspace.getConfiguration().inspect<unknown>(setting)?.globalValue);
}

/** What holds in this window: defaults, the user's settings, and the workspace's where it may set it. */
export function settingValue(setting: string): unknown {
  return remembered(effective, setting, () => vscode.workspace.getConfiguration().get<unknown>(setting));
}

function remembered(values: Map<string, unknown>, setting: string, read: () => unknown): unknown {
  // For as long as the extension runs: forgetting is all it does. Trust makes more of a workspace's settings hold.
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
