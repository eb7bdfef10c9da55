// Documents that were never saved, and those whose file is gone: they are nowhere but on screen.
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import * as vscode from "vscode";
import { poll } from "../../harness/poll";
import { inWorkspace, NO_MATCH, onDisk, retype, toolText, writeFile } from "../tool";

async function openUntitled(content: string): Promise<{ document: vscode.TextDocument; name: string }> {
  const document = await vscode.workspace.openTextDocument({ content });
  await vscode.window.showTextDocument(document, { preview: false });
  return { document, name: `untitled:${document.uri.path}` };
}

describe("a document that was never saved", () => {
  afterEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("is read, searched and edited by its name, and never saved", async () => {
    const { document, name } = await openUntitled("first line\nneedle-untitled here\n");
    assert.equal(await toolText("read", { path: name }), "1\tfirst line\n2\tneedle-untitled here");
    assert.equal(
      await toolText("grep", { pattern: "needle-untitled", path: name }),
      `${name} (unsaved)\n  2: needle-untitled here\n[1 match in 1 file.]`,
    );
    assert.match(
      await toolText("edit", { path: name, old_text: "first", new_text: "second" }),
      /^Edited untitled:.*: 1 replacement at line 1\.\nThe file has unsaved changes/,
    );
    assert.equal(document.getText(), "second line\nneedle-untitled here\n");
    assert.equal(document.isUntitled, true);
    await retype(document, "");
  });

  it("is found with the whole workspace, not below a folder", async () => {
    const { document, name } = await openUntitled("needle-everywhere\n");
    writeFile("untitled/saved.txt", "needle-everywhere\n");
    assert.equal(
      await toolText("grep", { pattern: "needle-every" }),
      `untitled/saved.txt\n  1: needle-everywhere\n${name} (unsaved)\n  1: needle-everywhere\n[2 matches in 2 files.]`,
    );
    assert.match(
      await toolText("grep", { pattern: "needle-every", path: "untitled" }),
      /^untitled\/saved\.txt\n.*\n\[1 match in 1 file\.\]$/,
    );
    assert.match(
      await toolText("grep", { pattern: "needle-every", include: "*.txt" }),
      /^untitled\/saved\.txt\n.*\n\[1 match in 1 file\.\]$/,
    );
    assert.match(
      await toolText("grep", { pattern: "(a|b", path: name }),
      /^Error \(invalid_input\): Invalid regular expression/,
    );
    await retype(document, "");
  });

  it("is nobody's business while no editor shows it", async () => {
    // VS Code itself shows what is unsaved after 0.8 s: what was said then is about a document that an editor shows.
    const unseen = (ask: (document: vscode.TextDocument) => Promise<string>): Promise<string> =>
      poll("an answer before VS Code shows the document", async () => {
        const document = await vscode.workspace.openTextDocument({ content: "another extension's scratch\n" });
        const said = await ask(document);
        const isShown = vscode.window.tabGroups.all.some(({ tabs }) =>
          tabs.some(
            ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === document.uri.toString(),
          ),
        );
        await vscode.window.showTextDocument(document);
        await retype(document, "");
        return isShown ? undefined : said;
      });
    assert.match(
      await unseen((document) => toolText("read", { path: `untitled:${document.uri.path}` })),
      /^Error \(not_found\)/,
    );
    assert.equal(await unseen(() => toolText("grep", { pattern: "another extension's scratch" })), NO_MATCH);
  });

  it("leads nowhere when it is not open, whatever its name says", async () => {
    const { document, name } = await openUntitled("here\n");
    assert.match(
      await toolText("read", { path: `${name}x` }),
      new RegExp(
        `^Error \\(not_found\\): "untitled:.*x": no such document is open in the editor\\.\\nHint: Did you mean ${name}`,
      ),
    );
    for (const path of ["untitled:/etc/passwd", "untitled:../../etc/passwd", "untitled:", "untitled:README.md"]) {
      assert.match(await toolText("read", { path }), /^Error \(not_found\)/);
      assert.match(await toolText("edit", { path, old_text: "a", new_text: "b" }), /^Error \(not_found\)/);
    }
    await retype(document, "");
  });

  it("is no stand-in for a file of that name", async () => {
    writeFile("untitled:Untitled-9", "a file\n");
    assert.match(await toolText("read", { path: "untitled:Untitled-9" }), /^Error \(not_found\).*\n.*\.\//);
    assert.equal(await toolText("read", { path: "./untitled:Untitled-9" }), "1\ta file");
    rmSync(inWorkspace("untitled:Untitled-9"));
  });
});

describe("a document whose file was deleted", () => {
  it("is read and edited as it is on screen, and its file does not come back by itself", async () => {
    const uri = writeFile("deleted/shown.txt", "still on screen\n");
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
    rmSync(uri.fsPath);
    assert.equal(await toolText("read", { path: "deleted/shown.txt" }), "1\tstill on screen");
    assert.match(
      await toolText("edit", { path: "deleted/shown.txt", old_text: "still", new_text: "edited" }),
      /^Edited .*\n.*not saved/,
    );
    assert.equal(document.getText(), "edited on screen\n");
    assert.equal(existsSync(uri.fsPath), false);
    assert.equal(await toolText("read", { path: "deleted/shown.txt" }), "1\tedited on screen");
    await document.save();
    assert.equal(onDisk("deleted/shown.txt"), "edited on screen\n");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("is gone when no editor shows it", async () => {
    const uri = writeFile("deleted/hidden.txt", "hidden\n");
    await vscode.workspace.openTextDocument(uri);
    rmSync(uri.fsPath);
    assert.match(await toolText("read", { path: "deleted/hidden.txt" }), /^Error \(not_found\)/);
  });
});
