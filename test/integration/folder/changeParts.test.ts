// Parts of a change, undone and kept in editors.
import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import * as vscode from "vscode";
import { CHANGE_AT_CURSOR } from "../../../src/names/contributed";
import { poll } from "../../harness/host";
import { callTool, inWorkspace, onDisk, writeFile } from "../tool";

const LINES = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const UNDO = CHANGE_AT_CURSOR.undo.command;
const KEEP = CHANGE_AT_CURSOR.keep.command;
let files = 0;

/** The lines, with some of them in capitals. */
const text = (changed: readonly string[] = [], ending = "\n"): string =>
  LINES.map((line) => `${changed.includes(line) ? line.toUpperCase() : line}${ending}`).join("");

/** A file of its own for each test. */
const file = (content: string | Buffer): string => {
  const path = `changeParts/${++files}.txt`;
  writeFile(path, content);
  return path;
};

async function change(path: string, ...lines: string[]): Promise<void> {
  await callTool("multi_edit", {
    edits: lines.map((line) => ({ path, old_text: line, new_text: line.toUpperCase() })),
  });
}

async function show(path: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(inWorkspace(path)), {
    preview: false,
  });
}

async function lenses({ document }: vscode.TextEditor, title: string): Promise<vscode.CodeLens[]> {
  const all = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", document.uri);
  return all.filter(({ command }) => command?.title === title);
}

const linesOf = (all: readonly vscode.CodeLens[]): number[] => all.map(({ range }) => range.start.line);

async function press(lens: vscode.CodeLens | undefined): Promise<void> {
  assert.ok(lens?.command);
  await vscode.commands.executeCommand(lens.command.command, ...(lens.command.arguments as unknown[]));
}

describe("a part of a change, in an editor", () => {
  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    }
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("is offered above its lines until it is undone or kept", async () => {
    const path = file(text());
    await change(path, "two", "five", "eight");
    const editor = await show(path);
    assert.deepEqual(linesOf(await lenses(editor, "Undo")), [1, 4, 7]);
    assert.deepEqual(linesOf(await lenses(editor, "Keep")), [1, 4, 7]);
    assert.equal((await lenses(editor, "Review")).length, 3);
    await press((await lenses(editor, "Undo"))[1]);
    assert.deepEqual([onDisk(path), editor.document.isDirty], [text(["two", "eight"]), false]);
    await press((await lenses(editor, "Keep"))[0]);
    assert.deepEqual(linesOf(await lenses(editor, "Undo")), [7]);
    assert.equal(onDisk(path), text(["two", "eight"]));
  });

  it("is undone and kept at the cursor, or all in the selection; elsewhere nothing is", async () => {
    const path = file(text());
    await change(path, "two", "five", "seven");
    const editor = await show(path);
    editor.selection = new vscode.Selection(2, 0, 2, 0);
    await vscode.commands.executeCommand(UNDO);
    assert.equal(onDisk(path), text(["two", "five", "seven"]));
    editor.selection = new vscode.Selection(1, 1, 1, 1);
    await vscode.commands.executeCommand(KEEP);
    editor.selection = new vscode.Selection(0, 0, 7, 0);
    await vscode.commands.executeCommand(UNDO);
    assert.equal(onDisk(path), text(["two"]));
    assert.deepEqual(await lenses(editor, "Undo"), []);
  });

  it("is undone in unsaved text, which stays as it is and unsaved", async () => {
    const path = file(text());
    await change(path, "two", "seven");
    const editor = await show(path);
    await editor.edit((edit) => edit.insert(new vscode.Position(4, 0), "typed "));
    await press((await lenses(editor, "Undo"))[1]);
    assert.equal(editor.document.getText(), text(["two"]).replace("five", "typed five"));
    assert.equal(editor.document.isDirty, true);
    assert.equal(onDisk(path), text(["two", "seven"]));
  });

  it("is offered no more where its lines were typed over", async () => {
    const path = file(text());
    await change(path, "two", "seven");
    const editor = await show(path);
    await editor.edit((edit) => edit.insert(new vscode.Position(1, 0), "typed "));
    assert.deepEqual(linesOf(await lenses(editor, "Undo")), [6]);
    editor.selection = new vscode.Selection(1, 0, 1, 0);
    await vscode.commands.executeCommand(UNDO);
    assert.equal(editor.document.lineAt(1).text, "typed TWO");
  });

  it("keeps a byte order mark, the encoding, line endings, and the end of the file", async () => {
    const bytes = (changed: string[]): Buffer => Buffer.from(`\uFEFF${text(changed, "\r\n").slice(0, -2)}`, "utf16le");
    const path = file(bytes([]));
    await change(path, "two", "eight");
    const editor = await show(path);
    await press((await lenses(editor, "Undo"))[1]);
    assert.deepEqual(readFileSync(inWorkspace(path)), bytes(["two"]));
    await press((await lenses(editor, "Undo"))[0]);
    assert.deepEqual(readFileSync(inWorkspace(path)), bytes([]));
  });

  it("stays, and is offered again, where the file cannot be written", async () => {
    const path = file(text());
    await change(path, "two", "seven");
    const editor = await show(path);
    chmodSync(inWorkspace(path), 0o444);
    await press((await lenses(editor, "Undo"))[0]);
    assert.equal(onDisk(path), text(["two", "seven"]));
    assert.equal(editor.document.getText(), text(["two", "seven"]));
    assert.deepEqual(linesOf(await lenses(editor, "Undo")), [1, 6]);
  });

  it("is the whole file where that is new", async () => {
    const path = `changeParts/new-${++files}.txt`;
    await callTool("write", { path, content: "new\n" });
    const editor = await show(path);
    assert.deepEqual(linesOf(await lenses(editor, "Keep New File")), [0]);
    await press((await lenses(editor, "Undo New File"))[0]);
    await poll("the file to be gone", () => !existsSync(inWorkspace(path)));
  });
});
