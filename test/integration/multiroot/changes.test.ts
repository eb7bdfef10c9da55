// Changes of several files in a workspace of two folders.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { workspaceFolder } from "../../harness/host";
import { toolText } from "../tool";

const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const place = (path: string): string =>
  join(workspaceFolder(path.startsWith("first/") ? 0 : 1), path.slice(path.indexOf("/") + 1));
const read = (path: string): string | undefined =>
  existsSync(place(path)) ? readFileSync(place(path), "utf8") : undefined;

describe("changes of two folders", () => {
  beforeEach(() => {
    for (const folder of ["first", "second"]) {
      mkdirSync(place(`${folder}/changes`), { recursive: true });
      writeFileSync(place(`${folder}/changes/a.txt`), "one\n");
    }
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    [0, 1].forEach((index) => rmSync(join(workspaceFolder(index), "changes"), { recursive: true }));
  });

  it("are made in the folder that each path names, moves across them too, and told by these names", async () => {
    const text = await toolText("apply_patch", {
      patch: patch(
        "*** Add File: second/changes/new/b.txt",
        "+made",
        "*** Update File: second/changes/a.txt",
        "@@",
        "-one",
        "+two",
        "*** Update File: first/changes/a.txt",
        "*** Move to: second/changes/from-first.txt",
      ),
    });
    assert.equal(
      text,
      "Applied the patch to 3 files:\n- added second/changes/new/b.txt (1 line)\n- updated second/changes/a.txt: line 1 (+1 −1)\n- moved first/changes/a.txt to second/changes/from-first.txt",
    );
    assert.deepEqual(
      ["first/changes/a.txt", "second/changes/a.txt", "second/changes/from-first.txt", "second/changes/new/b.txt"].map(
        read,
      ),
      [undefined, "two\n", "one\n", "made\n"],
    );
  });

  it("are all or none, whichever folder one lies in", async () => {
    const edits = [
      { path: "first/changes/a.txt", old_text: "one", new_text: "two" },
      { path: "second/changes/a.txt", old_text: "none", new_text: "two" },
    ];
    assert.match(await toolText("multi_edit", { edits }), /^Error \(no_match\): second\/changes\/a\.txt: /);
    assert.match(
      await toolText("apply_patch", {
        patch: patch("*** Update File: first/changes/a.txt", "@@", "-one", "+two", "*** Delete File: changes/a.txt"),
      }),
      /^Error \(not_found\): .*several folders/,
    );
    assert.deepEqual(["first/changes/a.txt", "second/changes/a.txt"].map(read), ["one\n", "one\n"]);
  });

  it("are made in documents of both", async () => {
    const documents: vscode.TextDocument[] = [];
    for (const folder of ["first", "second"]) {
      documents.push(await vscode.workspace.openTextDocument(place(`${folder}/changes/a.txt`)));
      await vscode.window.showTextDocument(documents.at(-1) ?? assert.fail(), { preview: false });
    }
    const edits = ["first", "second"].map((folder) => ({
      path: `${folder}/changes/a.txt`,
      old_text: "one",
      new_text: `two in ${folder}`,
    }));
    assert.match(await toolText("multi_edit", { edits }), /^Made 2 edits in 2 files:/);
    assert.deepEqual(
      documents.map((document) => [document.getText(), document.isDirty]),
      [
        ["two in first\n", false],
        ["two in second\n", false],
      ],
    );
    assert.equal(read("second/changes/a.txt"), "two in second\n");
  });
});
