import assert from "node:assert/strict";
import * as vscode from "vscode";
import { onDisk, openUnsaved, projectOfSuite, toolText, writeFile } from "../tool";
import { newestCall, undo } from "../undo";

const TEXT =
  "/** One. */\nexport function one(): number {\n  return 1;\n}\n\nexport const two = () => {\n  return one();\n};\n";

describe("edit_symbol in VS Code", () => {
  projectOfSuite("editSymbol");
  afterEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("edits declarations in unsaved text, and undo takes that back", async () => {
    const document = await openUnsaved(writeFile("editSymbol/a.ts", TEXT), "// typed\n");
    assert.match(
      await toolText("edit_symbol", {
        symbol: "one",
        path: "editSymbol/a.ts",
        action: "replace",
        text: "export function one(): number {\n  return 11;\n}",
      }),
      /^Replaced function one \(lines 3-5\)\.\n/,
    );
    assert.equal(document.getText(), `// typed\n${TEXT.replace("return 1;", "return 11;")}`);
    assert.match(
      await toolText("edit_symbol", {
        symbol: "two",
        path: "editSymbol/a.ts",
        action: "replace",
        text: "export const two = 2;",
      }),
      /^Replaced \w+ two \(lines 7-9\)\.\n/,
    );
    assert.equal(onDisk("editSymbol/a.ts"), TEXT);
    await undo(await newestCall());
    await undo(await newestCall());
    assert.equal(document.getText(), `// typed\n${TEXT}`);
    await document.save();
  });

  it("tells uses before it deletes", async () => {
    writeFile("editSymbol/b.ts", TEXT);
    assert.equal(
      await toolText("edit_symbol", { symbol: "one", path: "editSymbol/b.ts", action: "delete" }),
      "Error (conflict): one has 1 use. Nothing was changed.\n  editSymbol/b.ts:7: return one();\nHint: Change these first, or set even_if_used.",
    );
    assert.match(
      await toolText("edit_symbol", { symbol: "two", path: "editSymbol/b.ts", action: "delete" }),
      /^Deleted/,
    );
    assert.equal(onDisk("editSymbol/b.ts"), TEXT.slice(0, TEXT.indexOf("\nexport const two")));
  });
});
