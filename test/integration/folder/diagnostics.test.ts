import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import * as vscode from "vscode";
import { poll } from "../../harness/host";
import { inWorkspace, toolText, writeFile } from "../tool";

describe("diagnostics in VS Code", () => {
  // VS Code offers a task for each project.
  after(() => rmSync(inWorkspace("diagnostics"), { recursive: true }));

  it("has a closed file checked, and says when there is none", async () => {
    writeFile("diagnostics/tsconfig.json", '{ "include": ["*.ts"] }');
    writeFile("diagnostics/bad.ts", 'export const a: number = "text";\n');
    writeFile("diagnostics/good.ts", "export const b = 1;\n");
    assert.equal(
      await toolText("diagnostics", { path: "diagnostics/bad.ts" }),
      "diagnostics/bad.ts:1:14 error: Type 'string' is not assignable to type 'number'. (ts 2322)\n[1 problem.]",
    );
    assert.equal(
      await toolText("diagnostics", { path: "diagnostics/good.ts" }),
      "[No problem in diagnostics/good.ts.]",
    );
    // TypeScript reports by itself what is in a tab.
    const uri = vscode.Uri.file(inWorkspace("diagnostics/bad.ts"));
    await vscode.window.showTextDocument(uri);
    await poll("the problem to be reported", () => vscode.languages.getDiagnostics(uri).length > 0);
    assert.equal(
      await toolText("diagnostics", { path: "diagnostics", severity: "error" }),
      "diagnostics/bad.ts:1:14 error: Type 'string' is not assignable to type 'number'. (ts 2322)\n[1 problem.]\n[Most servers check only files that are open. Give a file to have it checked.]",
    );
    assert.match(await toolText("diagnostics", { path: "diagnostics/bad.ts" }), /^diagnostics[^\n]*\n\[1 problem\.\]$/);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("does not say that there is none where nobody checks", async () => {
    writeFile("diagnostics/a.lua", "x = 1\n");
    assert.equal(
      await toolText("diagnostics", { path: "diagnostics/a.lua" }),
      "[No problem reported in diagnostics/a.lua, but no server was seen to check it.]",
    );
  });
});
