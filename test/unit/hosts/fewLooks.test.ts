// How often a call looks at the disk: each look waits for another thread, and a model waits for all of them.
import { expect, it } from "vitest";
import { MemoryDisk } from "../../memory/disk.js";
import { DiskFiles } from "../../../src/hosts/shared/diskFiles.js";

const HINTS = { outside: "", noRoot: "" };
const SIGNAL = new AbortController().signal;

/** Counts reads of files and real paths looked up. */
class CountingDisk extends MemoryDisk {
  reads = 0;
  realPaths = 0;

  override async readAll(path: string, maxBytes: number): ReturnType<MemoryDisk["readAll"]> {
    this.reads++;
    return super.readAll(path, maxBytes);
  }

  override async realPath(path: string): ReturnType<MemoryDisk["realPath"]> {
    this.realPaths++;
    return super.realPath(path);
  }
}

function workspace(): { disk: CountingDisk; files: DiskFiles } {
  const disk = new CountingDisk();
  disk.write("/work/a/b.txt", "one\n");
  disk.write("/work/c.txt", "two\n");
  disk.link("/work/link", "/work/a");
  return { disk, files: new DiskFiles(disk, [{ name: "work", path: "/work", scheme: "file" }], HINTS) };
}

it("follows a path once, and looks for its root only behind a link", async () => {
  const { disk, files } = workspace();
  expect((await files.resolve("a/b.txt")).path).toBe("a/b.txt");
  expect(disk.realPaths).toBe(1);
  expect((await files.resolve("link/b.txt")).realPath).toBe("a/b.txt");
  expect(disk.realPaths).toBe(3);
});

it("reads a file that it changes once more just before, and each of several once at the beginning, too", async () => {
  const { disk, files } = workspace();
  const changeOf = async (path: string, text: string) => {
    const at = await files.resolve(path);
    return { kind: "replace" as const, at, before: await files.readSnapshot(at, 1_000), text };
  };
  const one = await changeOf("a/b.txt", "three\n");
  disk.reads = 0;
  await files.apply([one], SIGNAL);
  expect(disk.reads).toBe(1);
  const two = [await changeOf("a/b.txt", "four\n"), await changeOf("c.txt", "five\n")];
  disk.reads = 0;
  await files.apply(two, SIGNAL);
  expect(disk.reads).toBe(4);
});

it("refuses a single change of a file that others changed, and leaves nothing behind", async () => {
  const { disk, files } = workspace();
  const at = await files.resolve("c.txt");
  const before = await files.readSnapshot(at, 1_000);
  disk.write("/work/c.txt", "theirs\n");
  await expect(files.apply([{ kind: "replace", at, before, text: "ours\n" }], SIGNAL)).rejects.toMatchObject({
    type: "stale",
  });
  expect((await files.list(await files.resolve("."))).map(({ name }) => name)).toEqual(["a", "c.txt", "link"]);
});
