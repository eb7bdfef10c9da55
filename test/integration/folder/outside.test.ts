// Files outside the window's folders, as a call reaches them that was permitted: on disk, in open documents, over the
// border.
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { VscodeFiles } from "../../../src/hosts/vscode/files/files.js";
import { VscodeWriter } from "../../../src/hosts/vscode/files/writer.js";
import type { FileChange } from "../../../src/ports/changes.js";
import { inWorkspace, onDisk, openUnsaved, writeFile } from "../tool";

const files = new VscodeFiles(new NodeDisk());
const apply = (...changes: FileChange[]): ReturnType<VscodeWriter["apply"]> =>
  new VscodeWriter(files, () => false).apply(changes, new AbortController().signal);

describe("files outside the workspace", () => {
  let outside: string;
  // In a browser VS Code saves by itself after a second.
  before(() => vscode.workspace.getConfiguration().update("files.autoSave", "off", vscode.ConfigurationTarget.Global));
  beforeEach(() => {
    outside = join(realpathSync(mkdtempSync(join(tmpdir(), "toolhost-outside-"))), "beside");
    mkdirSync(join(outside, "deep"), { recursive: true });
    writeFileSync(join(outside, "a.txt"), "one\ntwo\n");
    writeFileSync(join(outside, "deep/b.txt"), "deep\n");
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    rmSync(join(outside, ".."), { recursive: true });
    rmSync(inWorkspace("outside"), { recursive: true, force: true });
  });

  it("are read and listed, and inside stays inside", async () => {
    const at = await files.outside(join(outside, "a.txt"));
    assert.equal(at.outside, true);
    assert.equal(at.path, join(outside, "a.txt"));
    assert.equal((await files.readSnapshot(at, 1_000)).text, "one\ntwo\n");
    assert.deepEqual(
      (await files.list(await files.outside(outside))).map(({ name }) => name),
      ["a.txt", "deep"],
    );
    await assert.rejects(files.resolve(outside), { type: "outside_workspace" });
    writeFile("outside/in.txt", "in\n");
    assert.equal((await files.outside(inWorkspace("outside/in.txt"))).path, "outside/in.txt");
  });

  it("are reached behind a link of the workspace, by the link's own absolute path", async () => {
    writeFile("outside/in.txt", "in\n");
    symlinkSync(outside, inWorkspace("outside/link"));
    const at = await files.outside("outside/link/deep/b.txt");
    assert.equal(at.path, inWorkspace("outside/link/deep/b.txt"));
    assert.equal(at.realPath, join(outside, "deep/b.txt"));
    assert.equal((await files.readSnapshot(at, 1_000)).text, "deep\n");
  });

  it("are what the editor shows where it holds unsaved text, and are changed there", async () => {
    const document = await openUnsaved(vscode.Uri.file(join(outside, "a.txt")), "typed\n");
    const at = await files.outside(join(outside, "a.txt"));
    const before = await files.readSnapshot(at, 1_000);
    assert.deepEqual([before.text, before.unsaved, (await files.stat(at)).unsaved], ["typed\none\ntwo\n", true, true]);
    assert.ok((await files.unsaved()).some(({ path, text }) => path === at.path && text === before.text));
    const [report] = await apply({ kind: "replace", at, before, text: "typed\nONE\ntwo\n" });
    assert.equal(report?.saved, false);
    assert.equal(document.getText(), "typed\nONE\ntwo\n");
    assert.equal(readFileSync(join(outside, "a.txt"), "utf8"), "one\ntwo\n");
  });

  it("are made, replaced, deleted, and moved over the border both ways", async () => {
    writeFile("outside/in.txt", "in\n");
    const at = (path: string): ReturnType<VscodeFiles["outside"]> => files.outside(path);
    const text = async (path: string): ReturnType<VscodeFiles["readSnapshot"]> =>
      files.readSnapshot(await at(path), 1_000);
    const [a, b, made] = [join(outside, "a.txt"), join(outside, "deep/b.txt"), join(outside, "x/y/made.txt")];
    const reports = await apply(
      { kind: "create", at: await at(made), content: { text: "made\n" } },
      { kind: "replace", at: await at(a), before: await text(a), text: "replaced\n" },
      {
        kind: "move",
        at: await at("outside/in.txt"),
        to: await at(join(outside, "out.txt")),
        before: await text("outside/in.txt"),
      },
      { kind: "move", at: await at(b), to: await at("outside/came.txt"), before: await text(b), text: "came\n" },
    );
    assert.equal(reports[0]?.foldersMade, 2);
    assert.deepEqual(
      [made, a, join(outside, "out.txt")].map((path) => readFileSync(path, "utf8")),
      ["made\n", "replaced\n", "in\n"],
    );
    assert.equal(onDisk("outside/came.txt"), "came\n");
    assert.deepEqual([existsSync(b), existsSync(inWorkspace("outside/in.txt"))], [false, false]);
    await apply({ kind: "delete", at: await at(made), before: await text(made), folders: 2 });
    assert.equal(existsSync(join(outside, "x")), false);
  });

  it("are found again by the journal's key", async () => {
    assert.deepEqual(
      await files.look(join(outside, "a.txt")).then((image) => image && "text" in image && image.text),
      "one\ntwo\n",
    );
    assert.equal(await files.look(join(outside, "none.txt")), undefined);
  });
});
