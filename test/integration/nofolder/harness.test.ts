// The harness itself: a window without a folder.
import assert from "node:assert/strict";
import * as vscode from "vscode";

it("has no folder open", () => {
  assert.equal(vscode.workspace.workspaceFolders, undefined);
});
