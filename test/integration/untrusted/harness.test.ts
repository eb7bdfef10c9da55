// The harness itself: a window in Restricted Mode.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { workspaceFolder } from "../../harness/host";

it("is in Restricted Mode", () => {
  assert.equal(vscode.workspace.isTrusted, false);
  assert.equal(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath, workspaceFolder());
});
