// Changes of files on a disk and on none in one call.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { activateProduct } from "../../harness/host";
import { locked, put, stored } from "../memory";
import { inWorkspace, onDisk, toolText, writeFile } from "../tool";

const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

describe("changes on a disk and on none", () => {
  before(() => activateProduct());
  beforeEach(async () => {
    writeFile("changes/a.txt", "one\n");
    await put("changes/a.txt", "one\n");
  });

  const both = patch(
    "*** Add File: disk/changes/new/made.txt",
    "+made",
    "*** Update File: disk/changes/a.txt",
    "@@",
    "-one",
    "+two",
    "*** Update File: memory/changes/a.txt",
    "@@",
    "-one",
    "+two",
  );

  it("are all or none", async () => {
    assert.match(
      await locked("changes/a.txt", () => toolText("apply_patch", { patch: both })),
      /^Error \(io_error\): memory\/changes\/a\.txt: the system does not permit it\./,
    );
    assert.deepEqual(
      [onDisk("changes/a.txt"), await stored("changes/a.txt"), existsSync(inWorkspace("changes/new"))],
      ["one\n", "one\n", false],
    );
    assert.match(await toolText("apply_patch", { patch: both }), /^Applied the patch to 3 files:/);
    assert.deepEqual(
      [onDisk("changes/a.txt"), await stored("changes/a.txt"), onDisk("changes/new/made.txt")],
      ["two\n", "two\n", "made\n"],
    );
  });

  it("move nothing from one to the other, and say what to do", async () => {
    for (const [from, to] of [
      ["disk", "memory"],
      ["memory", "disk"],
    ]) {
      const text = await toolText("apply_patch", {
        patch: patch(`*** Update File: ${from}/changes/a.txt`, `*** Move to: ${to}/changes/moved.txt`),
      });
      assert.match(
        text,
        /^Error \(unsupported\): \w+\/changes\/a\.txt cannot be moved to \w+\/changes\/moved\.txt, which is on another file system\.\nHint: Write it there, then delete it here\./,
      );
    }
    assert.deepEqual([onDisk("changes/a.txt"), await stored("changes/a.txt")], ["one\n", "one\n"]);
  });

  it("of the same path on each are two files", async () => {
    const edits = ["disk", "memory"].map((folder) => ({
      path: `${folder}/changes/a.txt`,
      old_text: "one",
      new_text: `on ${folder}`,
    }));
    assert.match(await toolText("multi_edit", { edits }), /^Made 2 edits in 2 files:/);
    assert.deepEqual([onDisk("changes/a.txt"), await stored("changes/a.txt")], ["on disk\n", "on memory\n"]);
  });
});
