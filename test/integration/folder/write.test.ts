import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import * as vscode from "vscode";
import { ASKED, callTool, inWorkspace, onDisk, openUnsaved, toolText, withSettings, writeFile } from "../tool";

const utf16le = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");
const utf16be = (text: string): Buffer => utf16le(text).swap16();

/** Opens a file in an editor. */
async function show(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

const closeEditors = (): Thenable<unknown> => vscode.commands.executeCommand("workbench.action.closeAllEditors");

describe("write in VS Code", () => {
  beforeEach(() => mkdirSync(inWorkspace("write"), { recursive: true }));
  afterEach(async () => {
    await closeEditors();
    rmSync(inWorkspace("write"), { recursive: true });
  });

  describe("makes a new file", () => {
    const cases: { name: string; path: string; content: string; bytes: Buffer; answer: string }[] = [
      {
        name: "in a folder that is there",
        path: "a.txt",
        content: "é\n",
        bytes: Buffer.from("é\n"),
        answer: "Wrote 3 bytes to write/a.txt (new file).",
      },
      {
        name: "with the folder it needs",
        path: "sub/a.txt",
        content: "x",
        bytes: Buffer.from("x"),
        answer: "Wrote 1 byte to write/sub/a.txt (new file).\nCreated the folder write/sub.",
      },
      {
        name: "with the folders it needs",
        path: "a/b/../b/c.txt",
        content: "x",
        bytes: Buffer.from("x"),
        answer: "Wrote 1 byte to write/a/b/c.txt (new file).\nCreated the folders write/a, write/a/b.",
      },
      {
        name: "that is empty",
        path: "empty.txt",
        content: "",
        bytes: Buffer.of(),
        answer: "Wrote 0 bytes to write/empty.txt (new file).",
      },
      {
        name: "with its line endings as given",
        path: "a.txt",
        content: "a\r\nb\n",
        bytes: Buffer.from("a\r\nb\n"),
        answer: "Wrote 5 bytes to write/a.txt (new file).",
      },
      {
        name: "with a byte order mark as given",
        path: "a.txt",
        content: "\uFEFFa",
        bytes: Buffer.from("\uFEFFa"),
        answer: "Wrote 4 bytes to write/a.txt (new file).",
      },
      {
        name: "whose name is no ordinary one",
        path: "a b/😀 [x]{y}.txt",
        content: "x",
        bytes: Buffer.from("x"),
        answer: "Wrote 1 byte to write/a b/😀 [x]{y}.txt (new file).\nCreated the folder write/a b.",
      },
    ];
    for (const { name, path, content, bytes, answer } of cases) {
      it(name, async () => {
        assert.equal(await toolText("write", { path: `write/${path}`, content }), answer);
        assert.deepEqual(readFileSync(inWorkspace(`write/${path}`)), bytes);
      });
    }

    it("whose name begins with a dash, once the user allows it", async () => {
      const write = { path: "write/-a b/😀 [x]{y}.txt", content: "x" };
      assert.match(await toolText("write", write), ASKED);
      assert.equal(existsSync(inWorkspace("write/-a b")), false);
      await withSettings({ "toolhost.permissionMode": "bypass" }, async () => {
        assert.equal(
          await toolText("write", write),
          "Wrote 1 byte to write/-a b/😀 [x]{y}.txt (new file).\nCreated the folder write/-a b.",
        );
      });
      assert.equal(onDisk(write.path), "x");
    });

    it("in the user's encoding for new files", async () => {
      await withSettings({ "files.encoding": "iso88591" }, async () => {
        assert.match(await toolText("write", { path: "write/latin.txt", content: "größer\n" }), /^Wrote /);
      });
      assert.deepEqual(readFileSync(inWorkspace("write/latin.txt")), Buffer.from("größer\n", "latin1"));
    });
  });

  describe("overwrites", () => {
    const cases: { name: string; before: string | Buffer; content: string; after: string | Buffer; answer: RegExp }[] =
      [
        {
          name: "a text",
          before: "old\n",
          content: "new\n",
          after: "new\n",
          answer: /^Wrote 4 bytes to \S+ \(overwritten\)\.$/,
        },
        {
          name: "with nothing",
          before: "old\n",
          content: "",
          after: "",
          answer: /^Wrote 0 bytes to \S+ \(overwritten\)\.$/,
        },
        {
          name: "in the file's CRLF",
          before: "a\r\nb\r\n",
          content: "a\nc\n",
          after: "a\r\nc\r\n",
          answer: /\(overwritten\)\.\nLine endings were written as CRLF, to match the file\.$/,
        },
        {
          name: "in the file's LF",
          before: "a\nb\n",
          content: "a\r\nc\r\n",
          after: "a\nc\n",
          answer: /\(overwritten\)\.\nLine endings were written as LF, to match the file\.$/,
        },
        {
          name: "behind the file's byte order mark",
          before: Buffer.from("\uFEFFa"),
          content: "b",
          after: Buffer.from("\uFEFFb"),
          answer: /^Wrote 1 byte to \S+ \(overwritten\)\.$/,
        },
        {
          name: "in the file's UTF-16, little endian",
          before: utf16le("a\r\n"),
          content: "é😀\n",
          after: utf16le("é😀\r\n"),
          answer: /\(overwritten\)\.\nLine endings were written as CRLF/,
        },
        {
          name: "in the file's UTF-16, big endian",
          before: utf16be("a"),
          content: "é",
          after: utf16be("é"),
          answer: /^Wrote 2 bytes to \S+ \(overwritten\)\.$/,
        },
        {
          name: "nothing, when the text is the same",
          before: "a\n",
          content: "a\n",
          after: "a\n",
          answer: /^\S+ already has exactly this text: nothing was written\.$/,
        },
        {
          name: "nothing, when it is the same in the file's own line endings",
          before: "a\r\nb\r\n",
          content: "a\nb\n",
          after: "a\r\nb\r\n",
          answer: /already has exactly this text: nothing was written\.$/,
        },
      ];
    for (const open of [false, true]) {
      for (const [index, { name, before, content, after, answer }] of cases.entries()) {
        it(`${open ? "an open file" : "a closed file"} ${name}`, async () => {
          // VS Code holds a closed document for a while: a file of its name would be taken for it.
          const path = `write/${open ? "open" : "closed"}-${index}.txt`;
          const uri = writeFile(path, before);
          const document = open ? await show(uri) : undefined;
          assert.match(await toolText("write", { path, content }), answer);
          assert.deepEqual(readFileSync(uri.fsPath), Buffer.from(after));
          assert.equal(document?.isDirty ?? false, false);
        });
      }
    }

    it("a closed file in one step, keeping its mode and leaving nothing beside it", async () => {
      writeFile("write/script.sh", "old\n");
      chmodSync(inWorkspace("write/script.sh"), 0o750);
      await toolText("write", { path: "write/script.sh", content: "new\n" });
      assert.equal(onDisk("write/script.sh"), "new\n");
      assert.equal(statSync(inWorkspace("write/script.sh")).mode & 0o777, 0o750);
      assert.deepEqual(readdirSync(inWorkspace("write")), ["script.sh"]);
    });

    it("the target of a link, which stays a link", async () => {
      writeFile("write/real.txt", "old\n");
      symlinkSync("real.txt", inWorkspace("write/link.txt"));
      assert.match(
        await toolText("write", { path: "write/link.txt", content: "new\n" }),
        /^Wrote 4 bytes to write\/link\.txt \(overwritten\)/,
      );
      assert.equal(onDisk("write/real.txt"), "new\n");
      assert.deepEqual(
        readdirSync(inWorkspace("write"), { withFileTypes: true }).map((entry) => [entry.name, entry.isSymbolicLink()]),
        [
          ["link.txt", true],
          ["real.txt", false],
        ],
      );
    });
  });

  describe("through the editor", () => {
    it("changes a clean document, saves it, and one undo takes it back", async () => {
      const document = await show(writeFile("write/open.txt", "alpha\nbeta\n"));
      assert.equal(
        await toolText("write", { path: "write/open.txt", content: "alpha\ngamma\n" }),
        "Wrote 12 bytes to write/open.txt (overwritten).",
      );
      assert.equal(document.getText(), "alpha\ngamma\n");
      assert.equal(document.isDirty, false);
      assert.equal(onDisk("write/open.txt"), "alpha\ngamma\n");
      await vscode.commands.executeCommand("undo");
      assert.equal(document.getText(), "alpha\nbeta\n");
      await document.save();
    });

    it("leaves unsaved text unsaved, and says so", async () => {
      const document = await openUnsaved(writeFile("write/dirty.txt", "on disk\n"), "typed ");
      assert.equal(
        await toolText("write", { path: "write/dirty.txt", content: "written\n" }),
        "Wrote 8 bytes to write/dirty.txt (overwritten).\nThe file has unsaved changes in the editor: the change was made there and is not saved.",
      );
      assert.equal(document.getText(), "written\n");
      assert.equal(document.isDirty, true);
      assert.equal(onDisk("write/dirty.txt"), "on disk\n");
      await document.save();
    });

    it("writes nothing where the unsaved text is the same, though the file's is another", async () => {
      const document = await openUnsaved(writeFile("write/same.txt", "on disk\n"), "typed ");
      assert.equal(
        await toolText("write", { path: "write/same.txt", content: "typed on disk\n" }),
        "write/same.txt already has exactly this text in the editor, unsaved: nothing was written.",
      );
      assert.equal(onDisk("write/same.txt"), "on disk\n");
      await document.save();
    });

    it("writes where the unsaved text is another, though the file's is the same", async () => {
      const document = await openUnsaved(writeFile("write/another.txt", "on disk\n"), "typed ");
      assert.match(
        await toolText("write", { path: "write/another.txt", content: "on disk\n" }),
        /^Wrote 8 bytes .*\n.*is not saved\.$/,
      );
      assert.equal(document.getText(), "on disk\n");
      await document.save();
    });

    it("writes into what is still shown of a deleted file, which does not come back by itself", async () => {
      const uri = writeFile("write/deleted.txt", "still on screen\n");
      const document = await show(uri);
      rmSync(uri.fsPath);
      assert.match(
        await toolText("write", { path: "write/deleted.txt", content: "written\n" }),
        /^Wrote 8 bytes .*\n.*is not saved\.$/,
      );
      assert.equal(document.getText(), "written\n");
      assert.equal(existsSync(uri.fsPath), false);
      await document.save();
      assert.equal(onDisk("write/deleted.txt"), "written\n");
    });

    it("says when saving formatted the text further", async () => {
      const document = await show(writeFile("write/format.toolhosttest", "one\n"));
      const formatter = vscode.languages.registerDocumentFormattingEditProvider(
        { pattern: "**/*.toolhosttest" },
        {
          provideDocumentFormattingEdits: ({ lineCount }) => [
            vscode.TextEdit.replace(new vscode.Range(0, 0, lineCount, 0), document.getText().toUpperCase()),
          ],
        },
      );
      try {
        await withSettings({ "editor.formatOnSave": true }, async () => {
          assert.equal(
            await toolText("write", { path: "write/format.toolhosttest", content: "two\n" }),
            "Wrote 4 bytes to write/format.toolhosttest (overwritten).\nSaving changed the text further (format on save). It changed:\n@@ -1,1 +1,1 @@\n-two\n+TWO",
          );
        });
        assert.equal(onDisk("write/format.toolhosttest"), "TWO\n");
      } finally {
        formatter.dispose();
      }
    });
  });

  describe("is refused, everything as it was", () => {
    const cases: { name: string; path: string; input?: object; answer: RegExp; settings?: Record<string, unknown> }[] =
      [
        {
          name: "for an existing file with on_conflict=error",
          path: "write/old.txt",
          input: { on_conflict: "error" },
          answer:
            /^Error \(path_conflict\): write\/old\.txt already exists\. Nothing was written\.\nHint: .*on_conflict=overwrite/,
        },
        { name: "for a folder", path: "write/folder", answer: /^Error \(is_directory\): write\/folder is a folder/ },
        { name: "for the workspace", path: ".", answer: /^Error \(is_directory\): / },
        {
          name: "for a name that ends in /",
          path: "write/new/",
          answer: /^Error \(invalid_input\): write\/new\/: names a folder/,
        },
        {
          name: "below a file",
          path: "write/old.txt/new.txt",
          answer: /^Error \(path_conflict\): .*write\/old\.txt is a file/,
        },
        { name: "for a binary file", path: "write/binary", answer: /^Error \(binary\): .*not overwritten/ },
        { name: "for a link to outside", path: "write/outside", answer: ASKED },
        { name: "outside", path: "../new.txt", answer: ASKED },
        {
          name: "for half a character",
          path: "write/new.txt",
          input: { content: "a\ud83d" },
          answer: /^Error \(invalid_input\): .*an unpaired surrogate/,
        },
        {
          name: "for a file the user marked read-only",
          path: "write/old.txt",
          settings: { "files.readonlyInclude": { "write/old*": true } },
          answer: /^Error \(protected\): write\/old\.txt: .*read-only/,
        },
        {
          name: "for a new file the user marked read-only",
          path: "write/older.txt",
          settings: { "files.readonlyInclude": { "write/old*": true } },
          answer: /^Error \(protected\): write\/older\.txt: .*read-only/,
        },
        {
          name: "in plan mode",
          path: "write/new.txt",
          settings: { "toolhost.permissionMode": "plan" },
          answer: /^Error \(denied\): write: refused: the permission mode is plan/,
        },
      ];
    for (const { name, path, input = {}, answer, settings = {} } of cases) {
      it(name, async () => {
        writeFile("write/old.txt", "old\n");
        writeFile("write/folder/x", "x");
        writeFile("write/binary", Buffer.of(1, 0, 2));
        symlinkSync("/etc/hostname", inWorkspace("write/outside"));
        const before = readdirSync(inWorkspace("write"), { recursive: true }).sort();
        await withSettings(settings, async () =>
          assert.match(await toolText("write", { path, content: "new\n", ...input }), answer),
        );
        assert.deepEqual(readdirSync(inWorkspace("write"), { recursive: true }).sort(), before);
        assert.equal(onDisk("write/old.txt"), "old\n");
      });
    }

    it("when it is cancelled before it starts", async () => {
      const cancellation = new vscode.CancellationTokenSource();
      cancellation.cancel();
      await assert.rejects(callTool("write", { path: "write/new.txt", content: "x" }, cancellation.token), /Cancel/i);
      assert.equal(existsSync(inWorkspace("write/new.txt")), false);
    });
  });

  it("makes one new file once, whoever else wants to", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        toolText("write", { path: "write/once/f.txt", content: `${index}`, on_conflict: "error" }),
      ),
    );
    const made = answers.flatMap((answer, index) => (answer.startsWith("Wrote") ? [index] : []));
    assert.equal(made.length, 1, answers.join("\n"));
    assert.ok(
      answers.every((answer) => /^Wrote|^Error \((path_conflict|stale)\)/.test(answer)),
      answers.join("\n"),
    );
    assert.equal(onDisk("write/once/f.txt"), `${made[0]}`);
    assert.deepEqual(readdirSync(inWorkspace("write/once")), ["f.txt"]);
  });
});
