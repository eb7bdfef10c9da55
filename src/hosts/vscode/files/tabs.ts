import * as vscode from "vscode";

/** Returns the tabs that show a file's text. */
function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
}

/** Closes the tabs of a file that is gone, unless they contain the user's unsaved text. */
export async function closeTabs(uri: vscode.Uri): Promise<void> {
  const tabs = tabsOf(uri).filter(({ isDirty }) => !isDirty);
  if (tabs.length > 0) {
    await vscode.window.tabGroups.close(tabs, true).then(undefined, () => undefined);
  }
}

/** Shows a moved file where its old name was shown. */
export async function moveTabs(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  for (const tab of tabsOf(from)) {
    const options = { viewColumn: tab.group.viewColumn, preserveFocus: true, preview: tab.isPreview };
    await vscode.window.showTextDocument(to, options).then(undefined, () => undefined);
  }
  await closeTabs(from);
}
