// A window with no folder reaches what a call was permitted by its absolute path, and nothing else.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { VscodeFiles } from "../../../src/hosts/vscode/files/files.js";

it("reads a file that was permitted", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolhost-outside-")));
  try {
    writeFileSync(join(folder, "a.txt"), "one\n");
    const files = new VscodeFiles(new NodeDisk());
    const at = await files.outside(join(folder, "a.txt"));
    assert.equal((await files.readSnapshot(at, 100)).text, "one\n");
    for (const path of ["a.txt", "../a.txt", "."]) {
      await assert.rejects(files.outside(path), { type: "unavailable" });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
