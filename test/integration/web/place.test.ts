// Where a browser's tab keeps its state, in VS Code's own file service: what a tab leaves that is closed at any moment.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { placeIn } from "../../../src/compose/web/place.js";
import { fileSystem, stored } from "../memory";

const folder = (name: string): vscode.Uri => vscode.Uri.parse(`memfs:/proj/kept/${name}`);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = async (place: ReturnType<typeof placeIn>): Promise<string | undefined> => {
  const found = await place.read();
  return found && new TextDecoder().decode(found);
};

describe("the place of a browser's state", () => {
  it("is empty at first, and then has what was written last", async () => {
    const place = placeIn(folder("last"), "state.db");
    assert.equal(await read(place), undefined);
    await place.write(bytes("first"));
    await place.write(bytes("second"));
    assert.equal(await read(place), "second");
    assert.equal(await stored("kept/last/state.db"), "second");
  });

  it("has what was written where the tab was closed between VS Code's removal of the old file and its move", async () => {
    const place = placeIn(folder("between"), "state.db");
    await place.write(bytes("old"));
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder("between"), "state.db.new"), bytes("new"));
    // Closed before the removal: the old one counts, which is whole.
    assert.equal(await read(place), "old");
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder("between"), "state.db"));
    assert.equal(await read(place), "new");
    await place.write(bytes("next"));
    assert.equal(await read(place), "next");
  });

  for (const file of ["state.db", "state.db.new"]) {
    it(`sets ${file} aside, and begins anew`, async () => {
      const at = folder(`aside-${file}`);
      const place = placeIn(at, "state.db");
      await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(at, file), bytes("damaged"));
      const aside = await place.setAside();
      assert.match(aside, /^state\.db\.corrupt-[\dTZ-]+$/);
      assert.equal(await stored(`kept/aside-${file}/${aside}`), "damaged");
      assert.equal(await read(place), undefined);
    });
  }

  it("fails where it may not be read, so that nothing is begun over it", async () => {
    const place = placeIn(folder("locked"), "state.db");
    await place.write(bytes("kept"));
    const { locked } = await fileSystem();
    locked.add("/proj/kept/locked/state.db");
    try {
      await assert.rejects(place.read());
    } finally {
      locked.delete("/proj/kept/locked/state.db");
    }
    assert.equal(await read(place), "kept");
  });
});
