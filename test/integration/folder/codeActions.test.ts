import assert from "node:assert/strict";
import * as vscode from "vscode";
import { poll } from "../../harness/host";
import { inWorkspace, onDisk, openUnsaved, projectOfSuite, toolText, writeFile } from "../tool";

describe("code_actions in VS Code", () => {
  projectOfSuite("actions");
  before(() => {
    writeFile("actions/lib.ts", "export function helper(): number {\n  return 1;\n}\nexport const other = 2;\n");
  });
  afterEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("lists fixes of a problem and applies one by its title", async () => {
    writeFile("actions/fix.ts", "export const value = helper();\n");
    const uri = vscode.Uri.file(inWorkspace("actions/fix.ts"));
    await vscode.window.showTextDocument(uri);
    await poll("the problem to be known", () => vscode.languages.getDiagnostics(uri).length > 0);
    const listed = await toolText("code_actions", {
      path: "actions/fix.ts",
      line: 1,
      text: "helper",
      kind: "quickfix",
    });
    assert.match(listed, /^- Add import from "\.\/lib" \(quickfix/m);
    assert.match(
      await toolText("code_actions", {
        path: "actions/fix.ts",
        line: 1,
        text: "helper",
        apply: 'Add import from "./lib"',
      }),
      /^Applied: Add import from "\.\/lib"\.\n- actions\/fix\.ts \(\+2 −0\)/,
    );
    assert.match(onDisk("actions/fix.ts"), /^import \{ helper \} from "\.\/lib";\n/);
  });

  it("organizes imports and formats, also unsaved text", async () => {
    const text = 'import { other, helper } from "./lib";\nexport const x  =  helper( );\n';
    const document = await openUnsaved(writeFile("actions/tidy.ts", text), "");
    assert.match(
      await toolText("code_actions", { path: "actions/tidy.ts", apply: "organize_imports" }),
      /^Applied: Organize Imports\./,
    );
    assert.match(await toolText("code_actions", { path: "actions/tidy.ts", apply: "format" }), /^Applied: Format\./);
    assert.equal(document.getText(), 'import { helper } from "./lib";\nexport const x = helper();\n');
    assert.match(
      await toolText("code_actions", { path: "actions/tidy.ts", apply: "format" }),
      /^Format: there was nothing to change\.$/,
    );
    await document.save();
  });

  it("says what it cannot apply", async () => {
    writeFile("actions/none.ts", "export const a = 1;\n");
    assert.match(
      await toolText("code_actions", { path: "actions/none.ts", line: 1, apply: "Convert to rust" }),
      /^Error \(not_found\): The language server does not offer "Convert to rust" there\. Nothing was changed\./,
    );
    writeFile("actions/a.lua", "x = 1\n");
    assert.match(
      await toolText("code_actions", { path: "actions/a.lua" }),
      /^Error \(unsupported\): No language server here knows lua/,
    );
  });
});
