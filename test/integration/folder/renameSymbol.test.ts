import assert from "node:assert/strict";
import { chmodSync, existsSync } from "node:fs";
import * as vscode from "vscode";
import { workspaceFolder } from "../../harness/host";
import { poll } from "../../harness/poll";
import { LineClient } from "../mcpClient";
import { inWorkspace, onDisk, openUnsaved, projectOfSuite, toolText, writeFile } from "../tool";
import { newestCall, undo } from "../undo";

const SHAPES = "export class Square {\n  constructor(readonly side: number) {}\n}\n";
const USE =
  'import { Square } from "./shapes";\n// Square\nexport const one = new Square(1);\nexport const name = "Square";\n';

describe("rename_symbol in VS Code", () => {
  projectOfSuite("rename");
  beforeEach(() => {
    writeFile("rename/shapes.ts", SHAPES);
    writeFile("rename/use.ts", USE);
  });
  afterEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("renames in every file, not in comments and texts, and one undo takes all of it back", async () => {
    assert.equal(
      await toolText("rename_symbol", { symbol: "Square", path: "rename/shapes.ts", new_name: "Quad" }),
      "Renamed Square to Quad: 3 places in 2 files.\n- rename/shapes.ts (+1 −1)\n- rename/use.ts (+2 −2)\nTypeScript reports no new problem in these 2 files.",
    );
    assert.equal(onDisk("rename/shapes.ts"), SHAPES.replace("Square", "Quad"));
    assert.equal(onDisk("rename/use.ts"), USE.replace("{ Square }", "{ Quad }").replace("new Square", "new Quad"));
    await undo(await newestCall());
    assert.equal(onDisk("rename/shapes.ts"), SHAPES);
    assert.equal(onDisk("rename/use.ts"), USE);
  });

  it("renames in unsaved text, which stays unsaved", async () => {
    const document = await openUnsaved(vscode.Uri.file(inWorkspace("rename/use.ts")), "// typed\n");
    const text = await toolText("rename_symbol", { symbol: "Square", path: "rename/shapes.ts", new_name: "Quad" });
    assert.match(text, /unsaved changes in the editor: the change was made there and is not saved/);
    assert.equal(
      document.getText(),
      `// typed\n${USE.replace("{ Square }", "{ Quad }").replace("new Square", "new Quad")}`,
    );
    assert.equal(onDisk("rename/use.ts"), USE);
    assert.equal(onDisk("rename/shapes.ts"), SHAPES.replace("Square", "Quad"));
    await undo(await newestCall());
    assert.equal(document.getText(), `// typed\n${USE}`);
    await document.save();
  });

  it("changes no file if one is read-only, and says which", async () => {
    chmodSync(inWorkspace("rename/use.ts"), 0o444);
    try {
      assert.match(
        await toolText("rename_symbol", { symbol: "Square", path: "rename/shapes.ts", new_name: "Quad" }),
        /^Error \(\w+\): rename\/use\.ts/,
      );
      assert.equal(onDisk("rename/shapes.ts"), SHAPES);
    } finally {
      chmodSync(inWorkspace("rename/use.ts"), 0o644);
    }
  });

  it("tells why the server refuses a name, and what a rename breaks", async () => {
    writeFile("rename/taken.ts", "export const one = 1;\nexport const two = one;\n");
    assert.match(
      await toolText("rename_symbol", { symbol: "toString", path: "rename/taken.ts", line: 1, new_name: "x" }),
      /^Error \(no_match\)/,
    );
    writeFile("rename/lib.ts", 'export const size = "a".length;\n');
    assert.match(
      await toolText("rename_symbol", { symbol: "length", path: "rename/lib.ts", line: 1, new_name: "x" }),
      /^Error \(conflict\): length cannot be renamed to x: .*standard TypeScript library/s,
    );
  });

  it("renames over MCP, in the window's unsaved text", async () => {
    const client = await LineClient.start(workspaceFolder(), ["--tools", "fs,code"]);
    const document = await openUnsaved(vscode.Uri.file(inWorkspace("rename/use.ts")), "// typed\n");
    assert.match(
      await client.text("rename_symbol", { symbol: "Square", path: "rename/shapes.ts", new_name: "Quad" }),
      /^Renamed Square to Quad: 3 places/,
    );
    assert.match(document.getText(), /new Quad\(1\)/);
    assert.match(
      await client.text("edit_symbol", {
        symbol: "one",
        path: "rename/use.ts",
        action: "insert_after",
        text: "export const three = 3;",
      }),
      /^Inserted after/,
    );
    assert.match(document.getText(), /new Quad\(1\);\nexport const three = 3;\n/);
    await client.end();
    await undo(await newestCall());
    await undo(await newestCall());
    assert.equal(document.getText(), `// typed\n${USE}`);
    await document.save();
  });

  it("knows a file that is ignored by Git, as the server does", async () => {
    writeFile("rename/.gitignore", "ignored.ts\n");
    writeFile("rename/ignored.ts", 'import { Square } from "./shapes";\nexport const x = new Square(1);\n');
    // Of a new file, the server hears some time later.
    const declared = new vscode.Position(0, SHAPES.indexOf("Square"));
    await poll("the server to know the file", async () =>
      (
        await vscode.commands.executeCommand<vscode.Location[]>(
          "vscode.executeReferenceProvider",
          vscode.Uri.file(inWorkspace("rename/shapes.ts")),
          declared,
        )
      ).some(({ uri }) => uri.path.endsWith("/ignored.ts")),
    );
    assert.match(
      await toolText("rename_symbol", { symbol: "Square", path: "rename/shapes.ts", new_name: "Quad" }),
      /5 places in 3 files/,
    );
    assert.match(onDisk("rename/ignored.ts"), /new Quad/);
    assert.ok(existsSync(inWorkspace("rename/.gitignore")));
  });
});
