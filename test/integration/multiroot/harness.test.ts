// The harness itself: a window with two folders.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { workspaceFolder } from "../../harness/host";

it("has both folders open", () => {
  const open = vscode.workspace.workspaceFolders?.map((folder) => folder.uri.fsPath);
  assert.deepEqual(open, [workspaceFolder(0), workspaceFolder(1)]);
});
