import assert from "node:assert/strict";
import { chmodSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs";
import * as vscode from "vscode";
import { poll } from "../../harness/host";
import { inWorkspace, onDisk, openUnsaved, toolText, withSettings, writeFile } from "../tool";

describe("edit in VS Code", () => {
  it("changes a closed file in one step, keeping its mode", async () => {
    writeFile("edit/script.sh", "#!/bin/sh\necho one\n");
    chmodSync(inWorkspace("edit/script.sh"), 0o755);
    assert.equal(
      await toolText("edit", { path: "edit/script.sh", old_text: "one", new_text: "two" }),
      "Edited edit/script.sh: 1 replacement at line 2.",
    );
    assert.equal(onDisk("edit/script.sh"), "#!/bin/sh\necho two\n");
    assert.equal(statSync(inWorkspace("edit/script.sh")).mode & 0o777, 0o755);
    assert.deepEqual(
      readdirSync(inWorkspace("edit")).filter((name) => name.startsWith(".toolhost")),
      [],
    );
  });

  it("changes an open, clean document in the editor, saves it, and one undo takes it back", async () => {
    const uri = writeFile("edit/open.txt", "alpha\nbeta\ngamma\n");
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    assert.match(
      await toolText("edit", { path: "edit/open.txt", old_text: "a", new_text: "A", replace_all: true }),
      /^Edited edit\/open\.txt: 5 replacements \(lines 1, 2, 3\)\.$/,
    );
    assert.equal(document.getText(), "AlphA\nbetA\ngAmmA\n");
    assert.equal(document.isDirty, false);
    assert.equal(onDisk("edit/open.txt"), "AlphA\nbetA\ngAmmA\n");
    await vscode.commands.executeCommand("undo");
    assert.equal(document.getText(), "alpha\nbeta\ngamma\n");
    await document.save();
  });

  it("changes what is on screen, and leaves unsaved text unsaved", async () => {
    const uri = writeFile("edit/dirty.txt", "on disk\n");
    const document = await openUnsaved(uri, "typed ");
    const text = await toolText("edit", { path: "edit/dirty.txt", old_text: "typed on", new_text: "edited on" });
    assert.match(text, /unsaved changes in the editor: the change was made there and is not saved/);
    assert.equal(document.getText(), "edited on disk\n");
    assert.equal(document.isDirty, true);
    assert.equal(onDisk("edit/dirty.txt"), "on disk\n");
    await document.save();
  });

  it("finds text as it is on screen, not as it was on disk", async () => {
    const uri = writeFile("edit/gone.txt", "was here\n");
    const document = await openUnsaved(uri, "");
    const change = new vscode.WorkspaceEdit();
    change.replace(uri, new vscode.Range(0, 0, 1, 0), "is new\n");
    await vscode.workspace.applyEdit(change);
    assert.match(
      await toolText("edit", { path: "edit/gone.txt", old_text: "was here", new_text: "x" }),
      /^Error \(no_match\)/,
    );
    assert.equal(document.getText(), "is new\n");
    await document.save();
  });

  it("keeps CRLF, byte order marks and encodings, closed or open", async () => {
    const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
    const cases: { path: string; before: Buffer; after: Buffer }[] = [
      {
        path: "edit/crlf.txt",
        before: Buffer.from("one\r\ntwo\r\nthree\r\n"),
        after: Buffer.from("one\r\n2\r\n2b\r\nthree\r\n"),
      },
      {
        path: "edit/bom.txt",
        before: Buffer.from("\uFEFFone\ntwo\nthree"),
        after: Buffer.from("\uFEFFone\n2\n2b\nthree"),
      },
      {
        path: "edit/utf16.txt",
        before: utf16("größe\r\ntwo\r\nthree\r\n"),
        after: utf16("größe\r\n2\r\n2b\r\nthree\r\n"),
      },
    ];
    for (const open of [false, true]) {
      for (const { path, before, after } of cases) {
        const uri = writeFile(`${path}.${open ? "open" : "closed"}`, before);
        if (open) {
          await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
        }
        assert.match(
          await toolText("edit", {
            path: vscode.workspace.asRelativePath(uri),
            old_text: "two\nthree",
            new_text: "2\n2b\nthree",
          }),
          /^Edited /,
        );
        assert.deepEqual(readFileSync(uri.fsPath), after, uri.fsPath);
      }
    }
  });

  it("writes a file of another encoding back byte for byte, and refuses one it would damage", async () => {
    const latin = writeFile("edit/latin.txt", Buffer.from("größer\nold\n", "latin1"));
    assert.match(
      await toolText("edit", { path: "edit/latin.txt", old_text: "old", new_text: "new" }),
      /^Error \(unsupported\): edit\/latin\.txt: .*Nothing|^Error \(unsupported\): edit\/latin\.txt/,
    );
    assert.deepEqual(readFileSync(latin.fsPath), Buffer.from("größer\nold\n", "latin1"));
    await withSettings({ "files.encoding": "iso88591" }, async () => {
      assert.match(await toolText("edit", { path: "edit/latin.txt", old_text: "old", new_text: "neü" }), /^Edited /);
      assert.deepEqual(readFileSync(latin.fsPath), Buffer.from("größer\nneü\n", "latin1"));
      assert.match(await toolText("grep", { pattern: "größ|neü", path: "edit" }), /latin\.txt\n +1: größer\n +2: neü/);
    });
  });

  it("says when saving formatted the file further", async () => {
    const uri = writeFile("edit/format.toolhosttest", "one\n");
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: "**/*.toolhosttest" },
      {
        provideDocumentFormattingEdits: (document) => [
          vscode.TextEdit.replace(new vscode.Range(0, 0, document.lineCount, 0), document.getText().toUpperCase()),
        ],
      },
    );
    try {
      await withSettings({ "editor.formatOnSave": true }, async () => {
        const document = await vscode.workspace.openTextDocument(uri);
        await vscode.window.showTextDocument(document);
        const text = await toolText("edit", { path: "edit/format.toolhosttest", old_text: "one", new_text: "two" });
        assert.match(text, /format on save/);
        assert.equal(document.getText(), "TWO\n");
        assert.equal(onDisk("edit/format.toolhosttest"), "TWO\n");
      });
    } finally {
      formatter.dispose();
    }
  });

  it("refuses to overwrite what changed on disk behind an open editor", async () => {
    const uri = writeFile("edit/behind.txt", "old line\n");
    const document = await vscode.workspace.openTextDocument(uri);
    writeFile("edit/behind.txt", "old line, changed by another program\n");
    const text = await toolText("edit", { path: "edit/behind.txt", old_text: "old", new_text: "new" });
    // Whether VS Code has noticed by now decides which honest answer it is.
    if (text.startsWith("Error (stale)")) {
      assert.equal(onDisk("edit/behind.txt"), "old line, changed by another program\n");
    } else {
      assert.equal(onDisk("edit/behind.txt"), "new line, changed by another program\n");
    }
    await poll("the editor to follow the disk", () => document.getText() === onDisk("edit/behind.txt"));
  });

  it("applies each of many edits at once, or says honestly that it did not", async () => {
    for (const open of [false, true]) {
      const path = `edit/many-${open ? "open" : "closed"}.txt`;
      const uri = writeFile(path, Array.from({ length: 12 }, (_, index) => `line ${index};\n`).join(""));
      if (open) {
        await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
      }
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          toolText("edit", { path, old_text: `line ${index};`, new_text: `done ${index};` }),
        ),
      );
      const done = answers.flatMap((answer, index) => (answer.startsWith("Edited") ? [index] : []));
      const refused = answers.filter((answer) => answer.startsWith("Error (stale)")).length;
      assert.equal(done.length + refused, 12, answers.join("\n"));
      assert.ok(done.length >= 1);
      const lines = onDisk(path).trimEnd().split("\n");
      assert.deepEqual(
        lines,
        Array.from({ length: 12 }, (_, index) => `${done.includes(index) ? "done" : "line"} ${index};`),
      );
    }
  });

  it("changes nothing when the text is missing, ambiguous or the same", async () => {
    writeFile("edit/same.txt", "x = 1\ny = 1\n");
    for (const [input, error] of [
      [{ old_text: "z", new_text: "a" }, /^Error \(no_match\): edit\/same\.txt: /],
      [{ old_text: "= 1", new_text: "= 2" }, /^Error \(not_unique\): .*2 places \(lines 1, 2\)/],
      [{ old_text: "x", new_text: "x" }, /^Error \(invalid_input\): .*the same/],
      [{ old_text: "", new_text: "x" }, /^Error \(invalid_input\): .*: old_text is empty\. /],
      [
        { old_text: "= 1", new_text: "= 2", replace_all: true, expected_count: 3 },
        /^Error \(not_unique\): .*not the expected 3/,
      ],
    ] as const) {
      assert.match(await toolText("edit", { path: "edit/same.txt", ...input }), error);
    }
    assert.equal(onDisk("edit/same.txt"), "x = 1\ny = 1\n");
  });

  it("is refused in plan mode", async () => {
    writeFile("edit/plan.txt", "as it was\n");
    await withSettings({ "toolhost.permissionMode": "plan" }, async () => {
      assert.match(
        await toolText("edit", { path: "edit/plan.txt", old_text: "was", new_text: "is" }),
        /^Error \(denied\): edit: refused: the permission mode is plan/,
      );
    });
    assert.equal(onDisk("edit/plan.txt"), "as it was\n");
  });
});

describe("edit of a document that is not just a file", () => {
  it("finds unsaved text under any name the file was opened by, and never writes below it", async () => {
    const uri = writeFile("odd/real.txt", "on disk\n");
    symlinkSync(uri.fsPath, inWorkspace("odd/link.txt"));
    const document = await openUnsaved(vscode.Uri.file(inWorkspace("odd/link.txt")), "typed ");
    assert.equal(await toolText("read", { path: "odd/real.txt" }), "1\ttyped on disk");
    assert.match(
      await toolText("grep", { pattern: "typed|on disk", path: "odd" }),
      /^odd\/real\.txt \(unsaved\)\n {2}1: typed on disk\n\[2 matches on 1 line in 1 file\.\]/,
    );
    assert.match(
      await toolText("edit", { path: "odd/real.txt", old_text: "typed", new_text: "edited" }),
      /is not saved/,
    );
    assert.equal(document.getText(), "edited on disk\n");
    assert.equal(onDisk("odd/real.txt"), "on disk\n");
    await document.save();
  });

  it("keeps mixed line endings of an open file, but for the edit", async () => {
    const uri = writeFile("odd/mixed.txt", "a\r\nb\r\nc\nold\n");
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    assert.match(await toolText("edit", { path: "odd/mixed.txt", old_text: "old", new_text: "new" }), /^Edited /);
    assert.equal(onDisk("odd/mixed.txt"), "a\r\nb\r\nc\nnew\n");
    await poll("the editor to follow", () => document.getText().includes("new"));
  });

  it("leaves a file alone that the user marked read-only, open or closed", async () => {
    const open = writeFile("odd/readonly-open.txt", "as it was\n");
    writeFile("odd/readonly-closed.txt", "as it was\n");
    await withSettings({ "files.readonlyInclude": { "odd/readonly-*": true } }, async () => {
      const document = await vscode.workspace.openTextDocument(open);
      for (const path of ["odd/readonly-open.txt", "odd/readonly-closed.txt"]) {
        assert.match(
          await toolText("edit", { path, old_text: "was", new_text: "is" }),
          /^Error \(protected\): .*read-only\. Nothing was changed\./,
        );
        assert.equal(onDisk(path), "as it was\n");
      }
      assert.equal(document.getText(), "as it was\n");
    });
  });

  it("goes on when the user saves between the look and the edit", async () => {
    const uri = writeFile("odd/saved.txt", "on disk\n");
    const document = await openUnsaved(uri, "typed ");
    const [text] = await Promise.all([
      toolText("edit", { path: "odd/saved.txt", old_text: "typed", new_text: "edited" }),
      document.save(),
    ]);
    assert.match(text, /^Edited /);
    assert.match(document.getText(), /^edited on disk/);
  });
});
