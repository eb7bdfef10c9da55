import * as vscode from "vscode";

/** Whether an editor shows a document: VS Code and extensions also open documents that no user sees. */
export function isShown({ uri }: vscode.TextDocument): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
}
