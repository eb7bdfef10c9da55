// Restricted Mode: tools that do nothing but read inside the workspace run; the others are refused in words.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { onDisk, toolText, withSettings, writeFile } from "../tool";

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

describe("code in Restricted Mode", () => {
  before(() => {
    writeFile("restricted/a.ts", "export function measured(): number {\n  return 'x';\n}\nmeasured();\n");
  });

  it("is renamed by nobody, because the workspace is not trusted, and not for want of a server", async () => {
    for (const [tool, input] of [
      ["rename_symbol", { symbol: "measured", path: "restricted/a.ts", new_name: "other" }],
      ["code_actions", { path: "restricted/a.ts", apply: "format" }],
      ["edit_symbol", { symbol: "measured", path: "restricted/a.ts", action: "delete" }],
    ] as const) {
      await withSettings({ "toolhost.groups.code": "all" }, async () => {
        assert.match(
          await toolText(tool, input),
          /^Error \(untrusted\): \w+: refused: the workspace is not trusted, so only tools that just read inside it run\.\nHint: The user can trust/,
        );
      });
    }
  });

  it("is found, and problems that nobody reports are not said to be none", async () => {
    assert.match(
      await toolText("references", { symbol: "measured", path: "restricted/a.ts" }),
      /^2 references of function measured \(restricted\/a\.ts:1\)/,
    );
    await withSettings({ "toolhost.groups.code": "all" }, async () => {
      assert.match(
        await toolText("diagnostics", { path: "restricted/a.ts" }),
        /\[The workspace is not trusted, so not every language server and linter runs: there may be problems that nobody reports\. symbols, references, read and grep work; /,
      );
    });
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
