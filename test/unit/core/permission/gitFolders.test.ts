import { describe, expect, it } from "vitest";
import { GitFolders } from "../../../../src/core/permission/git/folders.js";
import { MemoryDisk } from "../../../memory/disk.js";
import { MemoryFiles } from "../../../memory/files.js";

/** Counts the looks at a path that resolve it first, and the files that are read. */
class CountingDisk extends MemoryDisk {
  readonly looked: string[] = [];
  readonly read: string[] = [];
  /** Of every file; undefined if it cannot be told. */
  state: string | undefined;

  override async stat(path: string): ReturnType<MemoryDisk["stat"]> {
    this.looked.push(path);
    return { ...(await super.stat(path)), ...(this.state === undefined ? {} : { state: this.state }) };
  }

  override async readAll(path: string, maxBytes: number): Promise<Uint8Array> {
    this.read.push(path);
    return super.readAll(path, maxBytes);
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

  it("are known without reading a configuration again that has not changed", async () => {
    const CONFIG = "/a/b/work/.git/config";
    const configOf = (folder: string): string => `[core]\n\thooksPath = ${folder}\n`;
    const { disk } = worldOf({ [CONFIG]: configOf("one") });
    // Each call has its own.
    const hooksOf = async (): Promise<string[]> => {
      const git = new GitFolders(new MemoryFiles(disk, [{ name: "work", path: "/a/b/work", scheme: "memory" }]));
      const names = ["one", "two"];
      const reasons = await Promise.all(names.map((name) => git.reasonFor(`/a/b/work/${name}/pre-commit`)));
      return names.filter((_, index) => reasons[index] !== undefined);
    };
    disk.state = "1";
    expect(await hooksOf()).toEqual(["one"]);
    expect(await hooksOf()).toEqual(["one"]);
    expect(disk.read).toEqual([CONFIG]);
    disk.write(CONFIG, configOf("two"));
    disk.state = "2";
    expect(await hooksOf()).toEqual(["two"]);
    expect(disk.read).toEqual([CONFIG, CONFIG]);
    disk.state = undefined;
    disk.write(CONFIG, configOf("one"));
    expect(await hooksOf()).toEqual(["one"]);
    disk.write(CONFIG, configOf("two"));
    expect(await hooksOf()).toEqual(["two"]);
  });
});
