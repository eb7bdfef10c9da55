// Changes of several files on a file system that is on no disk.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { VscodeFiles } from "../../../src/hosts/vscode/files/files.js";
import { VscodeWriter } from "../../../src/hosts/vscode/files/writer.js";
import type { FileChange } from "../../../src/ports/changes.js";
import type { GatedPath, TextSnapshot } from "../../../src/ports/files.js";
import { activateProduct } from "../../harness/host";
import { fileSystem, locked, put, stored } from "../memory";
import { openUnsaved, toolText } from "../tool";

const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const text = (path: string): Promise<string | undefined> => stored(path).catch(() => undefined);
const address = (path: string): vscode.Uri => vscode.Uri.parse(`memfs:/proj/${path}`);
const isThere = (path: string): Thenable<boolean> =>
  vscode.workspace.fs.stat(address(path)).then(
    () => true,
    () => false,
  );

describe("several files of a virtual folder", () => {
  let here = "";
  let tests = 0;
  before(async () => {
    await activateProduct();
    // In a browser VS Code saves by itself after a second.
    await vscode.workspace.getConfiguration().update("files.autoSave", "off", vscode.ConfigurationTarget.Global);
  });
  beforeEach(async () => {
    here = `changes/${++tests}`;
    await put(`${here}/changed.txt`, "one\r\ntwo\r\n");
    await put(`${here}/moved.txt`, "alpha\nbeta\n");
    await put(`${here}/bytes.bin`, Uint8Array.of(0, 255, 1));
    await put(`${here}/folder/gone.txt`, "going\n");
  });
  afterEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  const all = (): string =>
    patch(
      `*** Add File: ${here}/new/deep/made.txt`,
      "+made",
      `*** Update File: ${here}/changed.txt`,
      "@@",
      "-two",
      "+2",
      `*** Update File: ${here}/moved.txt`,
      `*** Move to: ${here}/there/moved.txt`,
      "@@",
      "-beta",
      "+BETA",
      `*** Update File: ${here}/bytes.bin`,
      `*** Move to: ${here}/there/bytes.bin`,
      `*** Delete File: ${here}/folder/gone.txt`,
    );
  const paths = ["new/deep/made.txt", "changed.txt", "moved.txt", "there/moved.txt", "bytes.bin", "folder/gone.txt"];
  const now = (): Promise<(string | undefined)[]> => Promise.all(paths.map((path) => text(`${here}/${path}`)));
  const START = [undefined, "one\r\ntwo\r\n", "alpha\nbeta\n", undefined, "\0\uFFFD\x01", "going\n"];

  it("are added, changed, moved and deleted at once", async () => {
    assert.match(
      await toolText("apply_patch", { patch: all() }),
      /^Applied the patch to 5 files:\n- added .*\n- updated .*\n- moved .*\n- moved .*\n- deleted /,
    );
    assert.deepEqual(await now(), ["made\n", "one\r\n2\r\n", undefined, "alpha\nBETA\n", undefined, undefined]);
    assert.equal(await text(`${here}/there/bytes.bin`), "\0\uFFFD\x01");
  });

  for (const place of ["new/deep", "changed.txt", "there", "folder/gone.txt", "there/moved.txt"]) {
    it(`are all as before when nothing may be written at ${place}`, async () => {
      await vscode.workspace.fs.createDirectory(address(`${here}/there`));
      const answer = await locked(`${here}/${place}`, () => toolText("apply_patch", { patch: all() }));
      assert.match(answer, /^Error \(io_error\): [^]*changes\/\d+\/\S+: the system does not permit it\./);
      assert.deepEqual(await now(), START);
      assert.equal(await isThere(`${here}/new`), false);
    });
  }

  it("leave no folder behind that was made for what then failed", async () => {
    await locked(`${here}/folder/gone.txt`, () => toolText("apply_patch", { patch: all() }));
    assert.deepEqual([await isThere(`${here}/new`), await isThere(`${here}/there`)], [false, false]);
  });

  it("change as documents where they are open, and tabs follow", async () => {
    for (const path of ["changed.txt", "moved.txt", "folder/gone.txt"]) {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(address(`${here}/${path}`)), {
        preview: false,
      });
    }
    assert.match(await toolText("apply_patch", { patch: all() }), /^Applied /);
    assert.deepEqual(await now(), ["made\n", "one\r\n2\r\n", undefined, "alpha\nBETA\n", undefined, undefined]);
    const shown = vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs.map(({ input }) => (input instanceof vscode.TabInputText ? input.uri.path : "")))
      .sort();
    assert.deepEqual(shown, [`/proj/${here}/changed.txt`, `/proj/${here}/there/moved.txt`]);
    assert.match(await toolText("read", { path: `${here}/folder/gone.txt` }), /^Error \(not_found\)/);
  });

  it("are refused where one to be moved holds unsaved text", async () => {
    const document = await openUnsaved(address(`${here}/moved.txt`), "typed ");
    assert.match(
      await toolText("apply_patch", { patch: all().replace("-beta", "-typed alpha").replace("+BETA", "+x") }),
      /^Error \(unsupported\): changes\/\d+\/moved\.txt has unsaved text in the editor/,
    );
    assert.deepEqual(await now(), START);
    assert.equal(document.isDirty, true);
    await document.save();
  });

  it("take the folders along that they are told of, when they move, and bring them back when they cannot", async () => {
    const files = new VscodeFiles(new NodeDisk());
    const writer = new VscodeWriter(files, () => false);
    const { signal } = new AbortController();
    const moveFrom = async (from: string, to: string, folders: number): Promise<FileChange> => {
      const at = await files.resolve(`${here}/${from}`);
      return {
        kind: "move",
        at,
        to: await files.resolve(`${here}/${to}`),
        before: await files.readSnapshot(at, 100),
        folders,
      };
    };
    await put(`${here}/made/deep/a.txt`, "a\n");
    await put(`${here}/made/b.txt`, "b\n");
    assert.equal(await writer.missingFolders(await files.resolve(`${here}/made/x/y/z.txt`)), 2);
    const taken: FileChange = { kind: "create", at: await files.resolve(`${here}/twice.txt`), content: { text: "x" } };
    await assert.rejects(
      writer.apply(
        [await moveFrom("made/deep/a.txt", "new/a.txt", 2), await moveFrom("made/b.txt", "b.txt", 1), taken, taken],
        signal,
      ),
      { type: "path_conflict" },
    );
    assert.deepEqual(
      [
        await text(`${here}/made/deep/a.txt`),
        await text(`${here}/made/b.txt`),
        await isThere(`${here}/new`),
        await isThere(`${here}/twice.txt`),
      ],
      ["a\n", "b\n", false, false],
    );
    await writer.apply(
      [await moveFrom("made/deep/a.txt", "a.txt", 2), await moveFrom("made/b.txt", "b.txt", 1)],
      signal,
    );
    assert.deepEqual(
      [await text(`${here}/a.txt`), await text(`${here}/b.txt`), await isThere(`${here}/made`)],
      ["a\n", "b\n", false],
    );
  });

  it("take nothing back of what somebody has written since", async () => {
    const files = new VscodeFiles(new NodeDisk());
    const { signal } = new AbortController();
    const at = (path: string): Promise<GatedPath> => files.resolve(`${here}/${path}`);
    const snapshot = async (path: string): Promise<TextSnapshot> => files.readSnapshot(await at(path), 100);
    const taken: FileChange = { kind: "create", at: await at("twice.txt"), content: { text: "x" } };
    const changes: FileChange[] = [
      { kind: "create", at: await at("new.txt"), content: { text: "new\n" } },
      { kind: "replace", at: await at("changed.txt"), before: await snapshot("changed.txt"), text: "new\n" },
      { kind: "move", at: await at("moved.txt"), to: await at("there.txt"), before: await snapshot("moved.txt") },
      { kind: "delete", at: await at("folder/gone.txt"), before: await snapshot("folder/gone.txt") },
      taken,
      taken,
    ];
    // The last of them fails, since it is made twice; before the rollback, somebody else writes the files.
    const provider = await fileSystem();
    const write = provider.writeFile.bind(provider);
    provider.writeFile = (uri, bytes, options) => {
      write(uri, bytes, options);
      if (uri.path.endsWith("/twice.txt")) {
        for (const path of ["new.txt", "changed.txt", "there.txt", "folder/gone.txt"]) {
          write(address(`${here}/${path}`), new TextEncoder().encode("mine\n"), { create: true, overwrite: true });
        }
      }
    };
    try {
      await assert.rejects(new VscodeWriter(files, () => false).apply(changes, signal), (error: Error) =>
        ["new.txt", "changed.txt", "there.txt", "folder/gone.txt"].every((path) => error.message.includes(path)),
      );
    } finally {
      provider.writeFile = write;
    }
    assert.deepEqual(
      await Promise.all(
        ["new.txt", "changed.txt", "there.txt", "folder/gone.txt"].map((path) => text(`${here}/${path}`)),
      ),
      ["mine\n", "mine\n", "mine\n", "mine\n"],
    );
  });

  it("keep what stands where one is to be made", async () => {
    await put(`${here}/there/moved.txt`, "mine\n");
    assert.match(
      await toolText("apply_patch", { patch: all() }),
      /^Error \(path_conflict\): changes\/\d+\/there\/moved\.txt already exists/,
    );
    assert.deepEqual(await now(), [...START.slice(0, 3), "mine\n", ...START.slice(4)]);
  });
});
