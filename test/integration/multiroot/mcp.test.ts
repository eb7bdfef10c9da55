// An agent of another system in one folder of a window with two.
import assert from "node:assert/strict";
import { join } from "node:path";
import * as vscode from "vscode";
import { workspaceFolder } from "../../harness/host";
import { LineClient } from "../mcpClient";

describe("toolhost mcp in one folder of a window with two", () => {
  it("works without the window, in its folder alone, and names it when a path leads to the other", async () => {
    const [first, second] = [workspaceFolder(0), workspaceFolder(1)];
    const client = await LineClient.start(second);
    assert.match(
      await client.text("grep", { pattern: "Barbara", output: "files" }),
      /^src\/main\.ts\n\[1 match in 1 file\.\]/,
    );
    assert.match(client.log, /serving the folder without a window of VS Code/);
    for (const path of [join(first, "README.md"), `../${first.split("/").at(-1)}/README.md`]) {
      assert.match(
        await client.text("edit", { path, old_text: "a", new_text: "b" }),
        new RegExp(`^Error \\(denied\\): .*${second}`, "s"),
      );
    }
    assert.equal(vscode.workspace.workspaceFolders?.length, 2);
    assert.equal(await client.end(), 0);
  });
});
