// What a change must not cost the user: characters that a file's encoding cannot hold, text typed during the call, text
// under another name.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { poll, workspaceFolder } from "../../harness/host";
import { inWorkspace, onDisk, toolText, withSettings, writeFile } from "../tool";

const latin = (text: string): Buffer => Buffer.from(text, "latin1");
const onDiskLatin = (path: string): string => readFileSync(inWorkspace(path), "latin1");
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Takes the newest call back alone: its turn is the whole suite's. */
async function undo(): Promise<void> {
  const cli = join(vscode.extensions.getExtension("toolhost.toolhost")?.extensionPath ?? "", "dist", "cli.js");
  const { stdout } = spawnSync(
    process.execPath,
    ["--no-warnings", cli, "--workspace", workspaceFolder(), "undo", "--list", "--json"],
    { encoding: "utf8" },
  );
  const { data } = JSON.parse(stdout) as { data: { turns: { calls: { id: number; tool: string }[] }[] } };
  const ids = data.turns.flatMap(({ calls }) => calls.filter(({ tool }) => tool !== "undo").map(({ id }) => id));
  await vscode.commands.executeCommand("toolhost.undoChange", { calls: [Math.max(...ids)], ask: false });
}

async function show(path: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(inWorkspace(path));
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

async function insert({ uri }: vscode.TextDocument, line: number, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(line, 0), text);
  assert.equal(await vscode.workspace.applyEdit(edit), true);
}

/** Saving takes its time; the work is done while it lasts. */
async function whileSaving(
  call: () => Promise<string>,
  begun: () => boolean,
  work: () => Promise<unknown>,
): Promise<string> {
  const slow = vscode.workspace.onWillSaveTextDocument((event) => event.waitUntil(sleep(800)));
  try {
    const done = call();
    await poll("the change in the editor", begun);
    await sleep(100);
    await work();
    return await done;
  } finally {
    slow.dispose();
  }
}

const LINES = "one\ntwo\nthree\nfour\nfive\n";

let here = "";
let tests = 0;

describe("nothing lost in VS Code", () => {
  before(() => vscode.workspace.getConfiguration().update("files.autoSave", "off", vscode.ConfigurationTarget.Global));
  after(() =>
    vscode.workspace.getConfiguration().update("files.autoSave", undefined, vscode.ConfigurationTarget.Global),
  );
  beforeEach(() => {
    here = `lost/${++tests}`;
    mkdirSync(inWorkspace(here), { recursive: true });
  });
  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    }
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    rmSync(inWorkspace(here), { recursive: true });
  });

  it("writes no question mark for a character that the encoding cannot hold, in a file, a new file, a document or unsaved text", async () => {
    const refused =
      /^Error \(unsupported\): lost\/\d+\/\w+\.txt: its encoding, iso88591, cannot represent the character → \(U\+2192\)\. Nothing was changed\.[^]*change the file's encoding/;
    await withSettings({ "files.encoding": "iso88591" }, async () => {
      writeFile(`${here}/closed.txt`, latin("größe\ntwo\n"));
      assert.match(
        await toolText("edit", { path: `${here}/closed.txt`, old_text: "two", new_text: "price → 5 €" }),
        refused,
      );
      assert.equal(onDiskLatin(`${here}/closed.txt`), "größe\ntwo\n");
      assert.match(await toolText("write", { path: `${here}/new.txt`, content: "a → b\n" }), refused);
      assert.equal(existsSync(inWorkspace(`${here}/new.txt`)), false);
      writeFile(`${here}/open.txt`, latin("größe\ntwo\n"));
      const document = await show(`${here}/open.txt`);
      assert.match(
        await toolText("edit", { path: `${here}/open.txt`, old_text: "two", new_text: "price → 5 €" }),
        refused,
      );
      assert.deepEqual(
        [document.getText(), document.isDirty, onDiskLatin(`${here}/open.txt`)],
        ["größe\ntwo\n", false, "größe\ntwo\n"],
      );
      await insert(document, 0, "typed → by the user\n");
      assert.match(
        await toolText("edit", { path: `${here}/open.txt`, old_text: "two", new_text: "5 €" }),
        /^Error \(unsupported\): .*cannot represent the character € \(U\+20AC\)/,
      );
      // What the user typed does not justify refusing a change that fits.
      assert.match(
        await toolText("edit", { path: `${here}/open.txt`, old_text: "two", new_text: "zweiß" }),
        /^Edited /,
      );
      assert.equal(document.getText(), "typed → by the user\ngröße\nzweiß\n");
    });
    writeFile(`${here}/utf8.txt`, "two\n");
    assert.match(
      await toolText("edit", { path: `${here}/utf8.txt`, old_text: "two", new_text: "price → 5 € 😀" }),
      /^Edited /,
    );
    assert.equal(onDisk(`${here}/utf8.txt`), "price → 5 € 😀\n");
  });

  const typings: {
    name: string;
    type: (document: vscode.TextDocument) => Promise<unknown>;
    settings?: Record<string, unknown>;
    typed: string;
  }[] = [
    {
      name: "put in by another extension",
      type: (document) => insert(document, 4, "USER TYPED\n"),
      typed: "USER TYPED\nfive",
    },
    {
      name: "typed, though the file is formatted when it is saved",
      type: async () => {
        const editor = vscode.window.activeTextEditor;
        assert.ok(editor);
        editor.selection = new vscode.Selection(4, 0, 4, 0);
        await vscode.commands.executeCommand("type", { text: "typed words " });
      },
      settings: { "editor.formatOnSave": true },
      typed: "typed words five",
    },
  ];
  for (const { name, type, settings = {}, typed } of typings) {
    it(`undo keeps what was ${name}, while the document was being saved`, async () => {
      await withSettings(settings, async () => {
        writeFile(`${here}/typed.txt`, LINES);
        const document = await show(`${here}/typed.txt`);
        const told = await whileSaving(
          () => toolText("edit", { path: `${here}/typed.txt`, old_text: "one", new_text: "1" }),
          () => document.isDirty,
          () => type(document),
        );
        assert.match(told, /^Edited /);
        assert.doesNotMatch(told, /format on save/);
        assert.equal(document.getText(), `1\ntwo\nthree\nfour\n${typed}\n`);
        await undo();
        assert.equal(document.getText(), `one\ntwo\nthree\nfour\n${typed}\n`);
      });
    });
  }

  it("undo keeps what was typed in a document that is not saved, while another one was", async () => {
    writeFile(`${here}/a.txt`, "one\ntwo\n");
    writeFile(`${here}/b.txt`, LINES);
    await show(`${here}/a.txt`);
    const unsaved = await show(`${here}/b.txt`);
    await insert(unsaved, 0, "typed before\n");
    const edits = ["a", "b"].map((name) => ({ path: `${here}/${name}.txt`, old_text: "one", new_text: "1" }));
    const told = await whileSaving(
      () => toolText("multi_edit", { edits }),
      () => unsaved.getText().includes("1\n"),
      () => insert(unsaved, 5, "USER TYPED\n"),
    );
    assert.match(told, /^Made 2 edits/);
    assert.doesNotMatch(told, /format on save/);
    await undo();
    assert.equal(unsaved.getText(), "typed before\none\ntwo\nthree\nfour\nUSER TYPED\nfive\n");
    assert.equal(onDisk(`${here}/a.txt`), "one\ntwo\n");
  });

  it("changes the unsaved text of a file that is open under the name of a link, and clean under its own", async () => {
    writeFile(`${here}/real.txt`, "one\ntwo\n");
    symlinkSync("real.txt", inWorkspace(`${here}/link.txt`));
    const clean = await show(`${here}/real.txt`);
    const unsaved = await show(`${here}/link.txt`);
    await insert(unsaved, 1, "UNSAVED\n");
    assert.match(
      await toolText("edit", { path: `${here}/real.txt`, old_text: "one", new_text: "1" }),
      /^Edited [^]*unsaved changes in the editor/,
    );
    assert.deepEqual([unsaved.getText(), unsaved.isDirty], ["1\nUNSAVED\ntwo\n", true]);
    assert.deepEqual([clean.getText(), onDisk(`${here}/real.txt`)], ["one\ntwo\n", "one\ntwo\n"]);
  });

  it("takes its change back from a document that was formatted and then could not be saved, and says that", async () => {
    writeFile(`${here}/formatted.txt`, "one\ntwo\n");
    const document = await show(`${here}/formatted.txt`);
    const format = async (): Promise<vscode.TextEdit[]> => {
      await sleep(0);
      rmSync(inWorkspace(`${here}/formatted.txt`));
      mkdirSync(inWorkspace(`${here}/formatted.txt`));
      return [vscode.TextEdit.insert(new vscode.Position(0, 0), "  ")];
    };
    const formatting = vscode.workspace.onWillSaveTextDocument((event) => event.waitUntil(format()));
    try {
      assert.match(
        await toolText("edit", { path: `${here}/formatted.txt`, old_text: "one", new_text: "1" }),
        /^Error \(io_error\): lost\/\d+\/formatted\.txt: VS Code could not save it, so the change was undone\./,
      );
      assert.equal(document.getText(), "one\ntwo\n");
    } finally {
      formatting.dispose();
    }
  });
});
