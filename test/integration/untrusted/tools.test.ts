// Restricted Mode: tools that do nothing but read inside the workspace run; the others are refused in words.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { onDisk, toolText, writeFile } from "../tool";

describe("in Restricted Mode", () => {
  it("reading, searching and listing work", async () => {
    assert.match(await toolText("read", { path: "README.md" }), /^1\t# Sample workspace/);
    assert.match(await toolText("grep", { pattern: "Barbara" }), /^src\/main\.ts/);
    assert.match(await toolText("ls", {}), /README\.md/);
  });

  it("editing is refused, whatever the input, and nothing changes", async () => {
    const before = onDisk("README.md");
    assert.equal(
      await toolText("edit", { path: "README.md", old_text: "Sample", new_text: "x" }),
      "Error (untrusted): edit: refused: the workspace is not trusted, so only tools that just read inside it run.\n" +
        "Hint: The user can trust the workspace (command “Workspaces: Manage Workspace Trust”).",
    );
    assert.equal(onDisk("README.md"), before);
  });
});

describe("a file of tools in Restricted Mode", () => {
  it("is inert: nothing of it is read, and nothing can be approved", async () => {
    const uri = writeFile(".toolhost/tools.json", '{"tools": [{"name": "say_it"');
    await vscode.commands.executeCommand("toolhost.approveTools");
    assert.deepEqual(
      vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "Toolhost"),
      [],
    );
  });
});
