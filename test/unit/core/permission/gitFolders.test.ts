import { describe, expect, it } from "vitest";
import { GitFolders } from "../../../../src/core/permission/git/folders.js";
import { MemoryDisk } from "../../../memory/disk.js";
import { MemoryFiles } from "../../../memory/files.js";

/** Counts the looks at a path that resolve it first. */
class CountingDisk extends MemoryDisk {
  readonly looked: string[] = [];

  override async stat(path: string): ReturnType<MemoryDisk["stat"]> {
    this.looked.push(path);
    return super.stat(path);
  }
}

function worldOf(texts: Readonly<Record<string, string>>): { disk: CountingDisk; git: GitFolders } {
  const disk = new CountingDisk();
  for (const [path, text] of Object.entries(texts)) {
    disk.write(path, text);
  }
  return { disk, git: new GitFolders(new MemoryFiles(disk, [{ name: "work", path: "/a/b/work", scheme: "memory" }])) };
}

describe("the folders from which git runs programs", () => {
  it("are looked for without a detour where there is no repository", async () => {
    const { disk, git } = worldOf({ "/a/b/work/c/d/e/file": "x" });
    expect(await git.reasonFor("/a/b/work/c/d/e/file")).toBeUndefined();
    expect(disk.looked).toEqual([]);
  });
});
