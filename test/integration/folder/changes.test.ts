// apply_patch and multi_edit on what VS Code has open, and on what it has not.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import * as vscode from "vscode";
import { poll } from "../../harness/host";
import { ASKED, callTool, inWorkspace, NO_MATCH, onDisk, retype, toolText, withSettings, writeFile } from "../tool";

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");
const latin = (text: string): Buffer => Buffer.from(text, "latin1");

/** One line for another, in one file. */
interface Replacing {
  path: string;
  old: string;
  new: string;
}

/** The two tools that change several files, given the same to do. */
const tools: { tool: string; input: (replacings: readonly Replacing[]) => object; done: RegExp }[] = [
  {
    tool: "apply_patch",
    input: (replacings) => ({
      patch: patch(
        ...replacings.flatMap(({ path, old, new: text }) => [
          `*** Update File: ${path}`,
          "@@",
          `-${old}`,
          ...text.split("\n").map((line) => `+${line}`),
        ]),
      ),
    }),
    done: /^Applied the patch to \d+ files?:/,
  },
  {
    tool: "multi_edit",
    input: (replacings) => ({
      edits: replacings.map(({ path, old, new: text }) => ({ path, old_text: old, new_text: text })),
    }),
    done: /^Made \d+ edits? in \d+ files?:/,
  },
];

function patch(...lines: string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

async function show(path: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(inWorkspace(path));
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

async function insert({ uri }: vscode.TextDocument, at: vscode.Position, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, at, text);
  assert.equal(await vscode.workspace.applyEdit(edit), true);
}

const tabNames = (): string[] =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)).sort();

/** A folder for each test: VS Code keeps a document some time after nobody shows it. */
let here = "";
let tests = 0;

/** Every file of the test, as it is on disk. */
function tree(): Record<string, string> {
  const files = readdirSync(inWorkspace(here), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files
      .map(({ parentPath, name }): [string, string] => [
        `${parentPath}/${name}`.slice(inWorkspace(here).length + 1),
        readFileSync(`${parentPath}/${name}`, "latin1"),
      ])
      .sort(),
  );
}

describe("several files in VS Code", () => {
  // In a browser VS Code saves by itself after a second.
  before(() => vscode.workspace.getConfiguration().update("files.autoSave", "off", vscode.ConfigurationTarget.Global));
  after(() =>
    vscode.workspace.getConfiguration().update("files.autoSave", undefined, vscode.ConfigurationTarget.Global),
  );
  beforeEach(() => {
    here = `changes/${++tests}`;
    mkdirSync(inWorkspace(here), { recursive: true });
  });
  afterEach(async () => {
    // Closing asks about unsaved text, and nobody is there to answer.
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    }
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    rmSync(inWorkspace(here), { recursive: true });
  });

  for (const { tool, input, done } of tools) {
    describe(tool, () => {
      /** `dirty`: text is typed in front of what is on disk. */
      const cases: {
        name: string;
        is: "closed" | "open" | "dirty";
        before: string | Buffer;
        after: string | Buffer;
        shown?: string;
        settings?: Record<string, unknown>;
        old?: string;
        new?: string;
        told?: RegExp;
      }[] = [
        { name: "a closed file", is: "closed", before: "one\ntwo\n", after: "one\n2\n" },
        {
          name: "a closed file in CRLF",
          is: "closed",
          before: "one\r\ntwo\r\nthree\r\n",
          after: "one\r\n2\r\n2b\r\nthree\r\n",
          new: "2\n2b",
        },
        {
          name: "a closed file in UTF-16",
          is: "closed",
          before: utf16("größe\r\ntwo\r\n"),
          after: utf16("größe\r\n2\r\n"),
        },
        {
          name: "a closed file behind its byte order mark",
          is: "closed",
          before: "\uFEFFone\ntwo",
          after: "\uFEFFone\n2",
        },
        {
          name: "a closed file of the user's encoding",
          is: "closed",
          before: latin("größe\ntwo\n"),
          after: latin("größe\nzweiß\n"),
          new: "zweiß",
          settings: { "files.encoding": "iso88591" },
        },
        { name: "a document", is: "open", before: "one\ntwo\n", after: "one\n2\n", shown: "one\n2\n" },
        {
          name: "a document in CRLF",
          is: "open",
          before: "one\r\ntwo\r\nthree\r\n",
          after: "one\r\n2\r\n2b\r\nthree\r\n",
          shown: "one\r\n2\r\n2b\r\nthree\r\n",
          new: "2\n2b",
        },
        {
          name: "a document in UTF-16",
          is: "open",
          before: utf16("größe\r\ntwo\r\n"),
          after: utf16("größe\r\n2\r\n"),
          shown: "größe\r\n2\r\n",
        },
        {
          name: "a document behind its byte order mark",
          is: "open",
          before: "\uFEFFone\ntwo",
          after: "\uFEFFone\n2",
          shown: "one\n2",
        },
        {
          name: "a document of the user's encoding",
          is: "open",
          before: latin("größe\ntwo\n"),
          after: latin("größe\nzweiß\n"),
          shown: "größe\nzweiß\n",
          new: "zweiß",
          settings: { "files.encoding": "iso88591" },
        },
        {
          name: "unsaved text, which stays unsaved",
          is: "dirty",
          before: "one\ntwo\n",
          after: "one\ntwo\n",
          shown: "typed one\n2\n",
          told: /unsaved changes in the editor: the change was made there and is not saved/,
        },
        {
          name: "unsaved text, saved where the user wants it",
          is: "dirty",
          before: "one\ntwo\n",
          after: "typed one\n2\n",
          shown: "typed one\n2\n",
          settings: { "toolhost.saveUnsavedAfterChange": true },
        },
      ];
      for (const { name, is, before, after, shown, settings = {}, told, ...rest } of cases) {
        it(`changes ${name}`, async () => {
          await withSettings(settings, async () => {
            writeFile(`${here}/a.txt`, before);
            writeFile(`${here}/other.txt`, "two\n");
            const document = is === "closed" ? undefined : await show(`${here}/a.txt`);
            if (is === "dirty" && document !== undefined) {
              await retype(document, `typed ${document.getText()}`);
            }
            const text = await toolText(
              tool,
              input([
                { path: `${here}/a.txt`, old: rest.old ?? "two", new: rest.new ?? "2" },
                { path: `${here}/other.txt`, old: "two", new: "2" },
              ]),
            );
            assert.match(text, done);
            assert.deepEqual(readFileSync(inWorkspace(`${here}/a.txt`)), Buffer.from(after));
            assert.equal(onDisk(`${here}/other.txt`), "2\n");
            assert.equal(document?.getText(), shown);
            assert.equal(document?.isDirty ?? false, told !== undefined);
            if (told === undefined) {
              assert.doesNotMatch(text, /unsaved|format/);
            } else {
              assert.match(text, told);
            }
          });
        });
      }

      it("changes a document that was never saved", async () => {
        const document = await vscode.workspace.openTextDocument({ content: "one\ntwo\n" });
        await vscode.window.showTextDocument(document, { preview: false });
        assert.match(
          await toolText(tool, input([{ path: `untitled:${document.uri.path}`, old: "two", new: "2" }])),
          done,
        );
        assert.equal(document.getText(), "one\n2\n");
        assert.equal(document.isUntitled, true);
      });

      it("keeps the mode of a closed file", async () => {
        writeFile(`${here}/run.sh`, "#!/bin/sh\necho one\n");
        chmodSync(inWorkspace(`${here}/run.sh`), 0o750);
        assert.match(await toolText(tool, input([{ path: `${here}/run.sh`, old: "echo one", new: "echo two" }])), done);
        assert.equal(statSync(inWorkspace(`${here}/run.sh`)).mode & 0o777, 0o750);
      });

      it("has one undo step for all it changes in a document, and moves no cursor", async () => {
        const lines = Array.from({ length: 200 }, (_, index) => `line ${index}.`);
        writeFile(`${here}/long.txt`, `${lines.join("\n")}\n`);
        const document = await show(`${here}/long.txt`);
        const editor = vscode.window.activeTextEditor;
        assert.ok(editor);
        editor.selection = new vscode.Selection(100, 2, 101, 4);
        const changes: vscode.TextDocumentChangeEvent[] = [];
        const listening = vscode.workspace.onDidChangeTextDocument(
          (event) => event.document === document && event.contentChanges.length > 0 && changes.push(event),
        );
        const text = await toolText(
          tool,
          input([13, 90, 150].map((line) => ({ path: `${here}/long.txt`, old: `line ${line}.`, new: `new ${line}.` }))),
        );
        listening.dispose();
        assert.match(text, done);
        // All places are one change, and nothing between them is touched.
        assert.equal(changes.length, 1);
        assert.deepEqual(
          [...new Set(changes[0]?.contentChanges.flatMap(({ range }) => [range.start.line, range.end.line]))].sort(
            (a, b) => a - b,
          ),
          [13, 90, 150],
        );
        assert.equal(document.getText(editor.selection), "ne 100.\nline");
        assert.equal(document.isDirty, false);
        await vscode.commands.executeCommand("undo");
        assert.equal(document.getText(), `${lines.join("\n")}\n`);
        await vscode.commands.executeCommand("redo");
        assert.match(document.getText(), /new 13\.\nline 14\.\n[^]*new 90\.\n[^]*new 150\.\n/);
        await document.save();
      });

      it("says what saving changed further, of each file", async () => {
        const formatter = vscode.languages.registerDocumentFormattingEditProvider(
          { pattern: "**/*.formatted" },
          {
            provideDocumentFormattingEdits: (document) => [
              vscode.TextEdit.replace(new vscode.Range(0, 0, document.lineCount, 0), document.getText().toUpperCase()),
            ],
          },
        );
        try {
          await withSettings({ "editor.formatOnSave": true }, async () => {
            writeFile(`${here}/a.formatted`, "one\n");
            writeFile(`${here}/b.txt`, "one\n");
            await show(`${here}/b.txt`);
            const document = await show(`${here}/a.formatted`);
            const text = await toolText(
              tool,
              input([
                { path: `${here}/a.formatted`, old: "one", new: "two" },
                { path: `${here}/b.txt`, old: "one", new: "two" },
              ]),
            );
            assert.match(text, /Saving changed the text further \(format on save\)\. It changed:\n[^]*-two\n\+TWO/);
            assert.equal(text.match(/format on save/g)?.length, 1);
            assert.deepEqual(
              [document.getText(), document.isDirty, onDisk(`${here}/a.formatted`), onDisk(`${here}/b.txt`)],
              ["TWO\n", false, "TWO\n", "two\n"],
            );
          });
        } finally {
          formatter.dispose();
        }
      });

      const refusals: { name: string; replacings: Replacing[]; settings?: Record<string, unknown>; error: RegExp }[] = [
        {
          name: "one is marked read-only",
          replacings: [],
          settings: { "files.readonlyInclude": { "**/readonly.txt": true } },
          error:
            /^Error \(protected\): changes\/\d+\/readonly\.txt: the user has marked it read-only\. Nothing was changed\./,
        },
        {
          name: "one does not hold the text",
          replacings: [{ path: "open.txt", old: "nowhere to be found", new: "x" }],
          error: /^Error \(no_match\)/,
        },
        {
          name: "one is missing",
          replacings: [{ path: "none.txt", old: "x", new: "y" }],
          error: /^Error \(not_found\)/,
        },
        { name: "one lies outside", replacings: [{ path: "../../../none.txt", old: "x", new: "y" }], error: ASKED },
      ];
      for (const { name, replacings, settings = {}, error } of refusals) {
        it(`changes nothing when ${name}`, async () => {
          writeFile(`${here}/closed.txt`, "one\n");
          writeFile(`${here}/open.txt`, "one\n");
          writeFile(`${here}/dirty.txt`, "one\n");
          writeFile(`${here}/readonly.txt`, "one\n");
          const before = tree();
          const open = await show(`${here}/open.txt`);
          const dirty = await show(`${here}/dirty.txt`);
          await retype(dirty, "one, typed\n");
          await withSettings(settings, async () => {
            const all = ["closed", "open", "readonly"].map((file) => ({
              path: `${here}/${file}.txt`,
              old: "one",
              new: "two",
            }));
            const edits = [
              ...all,
              { path: `${here}/dirty.txt`, old: "one, typed", new: "two" },
              ...replacings.map((each) => ({ ...each, path: `${here}/${each.path}` })),
            ];
            // A section for each file: two of one file are one.
            assert.match(await toolText(tool, input(edits)), error);
          });
          assert.deepEqual(tree(), before);
          assert.deepEqual(
            [open.getText(), open.isDirty, dirty.getText(), dirty.isDirty],
            ["one\n", false, "one, typed\n", true],
          );
        });
      }

      it("sixteen times at once on one open document: what is done is done whole, and the rest is told so", async () => {
        for (const open of [true, false]) {
          const path = `${here}/many-${open ? "open" : "closed"}.txt`;
          writeFile(path, Array.from({ length: 16 }, (_, index) => `line ${index};\n`).join(""));
          const document = open ? await show(path) : undefined;
          const answers = await Promise.all(
            Array.from({ length: 16 }, (_, index) =>
              toolText(tool, input([{ path, old: `line ${index};`, new: `done ${index};` }])),
            ),
          );
          const accepted = answers.flatMap((answer, index) => (done.test(answer) ? [index] : []));
          assert.ok(accepted.length >= 1);
          assert.equal(
            answers.filter((answer) => answer.startsWith("Error (stale)")).length,
            16 - accepted.length,
            answers.join("\n"),
          );
          const text = Array.from(
            { length: 16 },
            (_, index) => `${accepted.includes(index) ? "done" : "line"} ${index};\n`,
          ).join("");
          assert.equal(onDisk(path), text);
          assert.equal(document?.getText() ?? text, text);
        }
      });

      it("loses nothing of what is typed while a question is open, and says that it is stale", async function () {
        this.timeout(60_000);
        // What was shown was worked out before; that is what is asked about.
        let stale = 0;
        await withSettings({ "toolhost.permissionMode": "ask" }, async () => {
          // Later and later, until it comes while the question is open: when that is, is the machine's to say.
          for (let turns = 0; turns < 6 || (stale === 0 && turns < 60); turns++) {
            writeFile(`${here}/typed-${turns}.txt`, "one\ntwo\n");
            const document = await show(`${here}/typed-${turns}.txt`);
            const [text] = await Promise.all([
              toolText(tool, input([{ path: `${here}/typed-${turns}.txt`, old: "two", new: "2" }])),
              (async () => {
                for (let turn = 0; turn < turns; turn++) {
                  await new Promise((resolve) => setImmediate(resolve));
                }
                const edit = new vscode.WorkspaceEdit();
                edit.insert(document.uri, new vscode.Position(0, 0), "typed ");
                assert.equal(await vscode.workspace.applyEdit(edit), true);
              })(),
            ]);
            if (text.startsWith("Error")) {
              assert.match(text, /^Error \((stale|io_error)\): changes\/\d+\/typed-\d+\.txt(?:: | (?:has|was) )/);
              assert.equal(document.getText(), "typed one\ntwo\n");
              stale += text.startsWith("Error (stale)") ? 1 : 0;
            } else {
              assert.match(text, done);
              assert.equal(document.getText(), "typed one\n2\n");
            }
            await document.save();
            await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
          }
        });
        assert.ok(stale > 0, "nobody was told");
      });
    });
  }

  describe("apply_patch", () => {
    it("adds, changes, moves and deletes at once, and the tabs follow", async () => {
      writeFile(`${here}/changed.txt`, "one\n");
      writeFile(`${here}/moved.txt`, "alpha\nbeta\n");
      writeFile(`${here}/gone.txt`, "going\n");
      for (const path of [`${here}/changed.txt`, `${here}/moved.txt`, `${here}/gone.txt`]) {
        await show(path);
      }
      const text = await toolText("apply_patch", {
        patch: patch(
          `*** Add File: ${here}/new/deep/made.txt`,
          "+made",
          `*** Update File: ${here}/changed.txt`,
          "@@",
          "-one",
          "+two",
          `*** Update File: ${here}/moved.txt`,
          `*** Move to: ${here}/there/moved.txt`,
          "@@",
          "-beta",
          "+BETA",
          `*** Delete File: ${here}/gone.txt`,
        ),
      });
      assert.equal(
        text,
        `Applied the patch to 4 files:\n- added ${here}/new/deep/made.txt (1 line)\n- updated ${here}/changed.txt: line 1 (+1 −1)\n- moved ${here}/moved.txt to ${here}/there/moved.txt: line 2 (+1 −1)\n- deleted ${here}/gone.txt`,
      );
      assert.deepEqual(tree(), {
        "changed.txt": "two\n",
        "new/deep/made.txt": "made\n",
        "there/moved.txt": "alpha\nBETA\n",
      });
      assert.deepEqual(tabNames(), ["changed.txt", "moved.txt"]);
      const shown = vscode.window.tabGroups.all
        .flatMap(({ tabs }) =>
          tabs.map(({ input }) =>
            input instanceof vscode.TabInputText ? vscode.workspace.asRelativePath(input.uri) : "",
          ),
        )
        .sort();
      assert.deepEqual(shown, [`${here}/changed.txt`, `${here}/there/moved.txt`]);
    });

    it("lets nothing of a deleted file be there any more, though it was shown", async () => {
      writeFile(`${here}/gone.txt`, "needle-gone\n");
      await show(`${here}/gone.txt`);
      assert.match(await toolText("apply_patch", { patch: patch(`*** Delete File: ${here}/gone.txt`) }), /^Applied /);
      assert.match(await toolText("read", { path: `${here}/gone.txt` }), /^Error \(not_found\)/);
      assert.equal(await toolText("grep", { pattern: "needle-gone", path: "changes" }), NO_MATCH);
      assert.match(
        await toolText("apply_patch", { patch: patch(`*** Add File: ${here}/gone.txt`, "+again") }),
        /^Applied /,
      );
      assert.equal(onDisk(`${here}/gone.txt`), "again\n");
      assert.equal(await toolText("read", { path: `${here}/gone.txt` }), "1\tagain");
    });

    const unsaved: { name: string; lines: () => string[] }[] = [
      { name: "moves", lines: () => [`*** Update File: ${here}/dirty.txt`, `*** Move to: ${here}/there.txt`] },
      { name: "deletes", lines: () => [`*** Delete File: ${here}/dirty.txt`] },
    ];
    for (const { name, lines } of unsaved) {
      it(`${name} no file whose text is not saved, and changes nothing then`, async () => {
        writeFile(`${here}/closed.txt`, "one\n");
        writeFile(`${here}/dirty.txt`, "on disk\n");
        const document = await show(`${here}/dirty.txt`);
        await retype(document, "typed\n");
        const before = tree();
        assert.match(
          await toolText("apply_patch", {
            patch: patch(`*** Update File: ${here}/closed.txt`, "@@", "-one", "+two", ...lines()),
          }),
          /^Error \(unsupported\): changes\/\d+\/dirty\.txt has unsaved text in the editor\. Nothing was changed\./,
        );
        assert.deepEqual(tree(), before);
        assert.deepEqual([document.getText(), document.isDirty], ["typed\n", true]);
      });
    }

    it("takes back what it made, on disk and in other documents, when a document cannot be saved", async () => {
      writeFile(`${here}/closed.txt`, "one\n");
      writeFile(`${here}/gone.txt`, "one\n");
      writeFile(`${here}/moved.txt`, "one\n");
      const documents: vscode.TextDocument[] = [];
      for (const name of ["open", "permitted"]) {
        writeFile(`${here}/${name}.txt`, "one\n");
        documents.push(await show(`${here}/${name}.txt`));
      }
      chmodSync(inWorkspace(`${here}/permitted.txt`), 0o444);
      const before = tree();
      const update = (name: string): string[] => [`*** Update File: ${here}/${name}.txt`, "@@", "-one", "+two"];
      const text = await toolText("apply_patch", {
        patch: patch(
          `*** Add File: ${here}/new/made.txt`,
          "+x",
          `*** Delete File: ${here}/gone.txt`,
          `*** Update File: ${here}/moved.txt`,
          `*** Move to: ${here}/there.txt`,
          ...["closed", "open", "permitted"].flatMap(update),
        ),
      });
      assert.match(
        text,
        /^Error \(io_error\): changes\/\d+\/permitted\.txt: VS Code could not save it, so the change was undone\./,
      );
      assert.deepEqual(tree(), before);
      assert.deepEqual(
        documents.map((document) => document.getText()),
        ["one\n", "one\n"],
      );
      assert.equal(documents[0]?.isDirty, false);
    });

    it("takes nothing back of what a user typed beside it, when a document cannot be saved", async () => {
      writeFile(`${here}/typed.txt`, "one\ntwo\nthree\nfour\nfive\n");
      const document = await show(`${here}/typed.txt`);
      chmodSync(inWorkspace(`${here}/typed.txt`), 0o444);
      let typing: Promise<void> | undefined;
      const listening = vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document && typing === undefined) {
          typing = insert(document, new vscode.Position(4, 0), "typed ");
        }
      });
      const text = await toolText("apply_patch", {
        patch: patch(`*** Update File: ${here}/typed.txt`, "@@", "-one", "+ONE"),
      });
      listening.dispose();
      await typing;
      assert.match(
        text,
        /^Error \(io_error\): changes\/\d+\/typed\.txt: VS Code could not save it, so the change was undone\./,
      );
      assert.equal(document.getText(), "one\ntwo\nthree\nfour\ntyped five\n");
    });

    it("goes on when a user types the moment after", async () => {
      writeFile(`${here}/typed.txt`, "one\ntwo\nthree\n");
      const document = await show(`${here}/typed.txt`);
      let typing: Promise<void> | undefined;
      const listening = vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document && typing === undefined) {
          typing = insert(document, new vscode.Position(2, 0), "typed ");
        }
      });
      assert.match(
        await toolText("apply_patch", { patch: patch(`*** Update File: ${here}/typed.txt`, "@@", "-one", "+ONE") }),
        /^Applied /,
      );
      listening.dispose();
      await typing;
      assert.equal(document.getText(), "ONE\ntwo\ntyped three\n");
    });

    it("goes on when a user keeps typing while the file is being written", async () => {
      writeFile(`${here}/typed.txt`, "one\ntwo\nthree\n");
      const document = await show(`${here}/typed.txt`);
      const call = toolText("apply_patch", {
        patch: patch(`*** Update File: ${here}/typed.txt`, "@@", "-one", "+ONE"),
      });
      let answered = false;
      const done = call.finally(() => {
        answered = true;
      });
      await poll("the change in the editor", () => document.getText().startsWith("ONE"));
      let typed = 0;
      while (!answered) {
        await insert(document, new vscode.Position(2, 0), "x");
        typed++;
      }
      assert.match(await done, /^Applied /);
      assert.equal(document.getText(), `ONE\ntwo\n${"x".repeat(typed)}three\n`);
    });

    it("holds line endings as the document has them, and is no failure then", async () => {
      writeFile(`${here}/one-line.txt`, "one");
      const document = await show(`${here}/one-line.txt`);
      assert.match(await toolText("write", { path: `${here}/one-line.txt`, content: "a\r\nb\r\n" }), /^Wrote /);
      assert.deepEqual(
        [document.getText(), document.isDirty, onDisk(`${here}/one-line.txt`)],
        ["a\nb\n", false, "a\nb\n"],
      );
    });

    it("takes a patch of megabytes, and refuses one that is too large", async () => {
      const lines = Array.from(
        { length: 40_000 },
        (_, index) => `+line ${index} of a long file, with some words in it: ${"x".repeat(90)}`,
      );
      assert.match(
        await toolText("apply_patch", { patch: patch(`*** Add File: ${here}/large.txt`, ...lines) }),
        /added changes\/\d+\/large\.txt \(40000 lines\)/,
      );
      assert.equal(onDisk(`${here}/large.txt`), `${lines.map((line) => line.slice(1)).join("\n")}\n`);
      assert.match(
        await toolText("apply_patch", { patch: patch(`*** Add File: ${here}/huge.txt`, `+${"x".repeat(10_000_001)}`) }),
        /^Error \(too_large\)/,
      );
      assert.equal(existsSync(inWorkspace(`${here}/huge.txt`)), false);
    });
  });

  it("multi_edit takes replacements as they are written, and refuses those that say nothing", async () => {
    writeFile(`${here}/a.txt`, "cost: 5\nkeep\n");
    assert.match(
      await toolText("multi_edit", {
        edits: [
          { path: `${here}/a.txt`, old_text: "5", new_text: "$& $1 $$ $`" },
          { path: `${here}/../${tests}/a.txt`, old_text: "$&", new_text: "@@ *** End Patch" },
        ],
      }),
      /^Made 2 edits in 1 file:/,
    );
    assert.equal(onDisk(`${here}/a.txt`), "cost: @@ *** End Patch $1 $$ $`\nkeep\n");
    for (const [edits, error] of [
      [[{ path: `${here}/a.txt`, old_text: "", new_text: "x" }], /^Error \(invalid_input\): .*: old_text is empty\./],
      [[{ path: `${here}/a.txt`, old_text: "keep", new_text: "keep" }], /^Error \(invalid_input\): .*the same/],
      [
        [
          { path: `${here}/a.txt`, old_text: "keep", new_text: "x" },
          { path: `./${here}/a.txt`, old_text: "x", new_text: "keep" },
        ],
        /^Error \(invalid_input\): .*cancel each other out/,
      ],
    ] as const) {
      assert.match(await toolText("multi_edit", { edits }), error);
    }
    assert.equal(onDisk(`${here}/a.txt`), "cost: @@ *** End Patch $1 $$ $`\nkeep\n");
  });

  it("one undo takes the whole call back in every document", async () => {
    const documents: vscode.TextDocument[] = [];
    for (const name of ["a", "b", "c"]) {
      writeFile(`${here}/${name}.txt`, "one\n");
      documents.push(await show(`${here}/${name}.txt`));
    }
    await callTool("multi_edit", {
      edits: ["a", "b", "c"].map((name) => ({ path: `${here}/${name}.txt`, old_text: "one", new_text: "two" })),
    });
    assert.deepEqual(
      documents.map((document) => document.getText()),
      ["two\n", "two\n", "two\n"],
    );
    await vscode.commands.executeCommand("undo");
    assert.deepEqual(
      documents.map((document) => document.getText()),
      ["one\n", "one\n", "one\n"],
    );
  });
});
