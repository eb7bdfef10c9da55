import { describe, expect, test } from "vitest";
import { MemoryDisk } from "../../memory/disk.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import type { Disk } from "../../../src/hosts/shared/disk.js";
import { DiskFiles } from "../../../src/hosts/shared/diskFiles.js";
import type { FileChange } from "../../../src/ports/changes.js";
import { hosts, tempFolder, type Host } from "../tools/workspace.js";

const never = new AbortController().signal;

async function open(
  host: Host,
): Promise<{ files: DiskFiles; disk: Disk; folder: string; paths: () => Promise<string[]> }> {
  const tree = { "made/deep/a.txt": "a\n", "made/b.txt": "b\n", "there/c.txt": "c\n" };
  const memory = new MemoryDisk();
  const folder = host === "node" ? await tempFolder(tree) : "/ws";
  Object.entries(host === "node" ? {} : tree).forEach(([path, text]) => memory.write(`/ws/${path}`, text));
  const disk = host === "node" ? new NodeDisk() : memory;
  const walk = async (path: string): Promise<string[]> => {
    const entries = await disk.list(path);
    const below = await Promise.all(
      entries.map(async ({ name, kind }) =>
        kind === "directory" ? walk(`${path}/${name}`) : [`${path}/${name}`.slice(folder.length + 1)],
      ),
    );
    return entries.length === 0 ? [`${path}/`.slice(folder.length + 1)] : below.flat();
  };
  return {
    files: new DiskFiles(disk, [{ name: "ws", path: folder, scheme: "file" }], { outside: "", noRoot: "" }),
    disk,
    folder,
    paths: () => walk(folder),
  };
}

describe.each(hosts)("a move on the %s host", (host) => {
  const move = async (
    files: DiskFiles,
    from: string,
    to: string,
    folders: number,
    text?: string,
  ): Promise<FileChange> => {
    const at = await files.resolve(from);
    return {
      kind: "move",
      at,
      to: await files.resolve(to),
      before: await files.readSnapshot(at, 100),
      folders,
      ...(text === undefined ? {} : { text }),
    };
  };

  const cases: { name: string; moves: [string, string, number, string?][]; left: string[] }[] = [
    {
      name: "takes no folder that it is not told of",
      moves: [["made/deep/a.txt", "a.txt", 0]],
      left: ["a.txt", "made/b.txt", "made/deep/", "there/c.txt"],
    },
    {
      name: "takes the folder that is empty then",
      moves: [["made/deep/a.txt", "a.txt", 1]],
      left: ["a.txt", "made/b.txt", "there/c.txt"],
    },
    {
      name: "takes none that holds something",
      moves: [["made/deep/a.txt", "a.txt", 2]],
      left: ["a.txt", "made/b.txt", "there/c.txt"],
    },
    {
      name: "takes all with the last file in them, in whatever order",
      moves: [
        ["made/deep/a.txt", "x/y/a.txt", 2, "A\n"],
        ["made/b.txt", "b.txt", 1],
      ],
      left: ["b.txt", "there/c.txt", "x/y/a.txt"],
    },
    {
      name: "takes all with the last file in them, the other way round",
      moves: [
        ["made/b.txt", "b.txt", 1],
        ["made/deep/a.txt", "a.txt", 2],
      ],
      left: ["a.txt", "b.txt", "there/c.txt"],
    },
  ];
  test.each(cases)("$name", async ({ moves, left }) => {
    const { files, paths } = await open(host);
    await files.apply(
      await Promise.all(moves.map(([from, to, folders, text]) => move(files, from, to, folders, text))),
      never,
    );
    expect(await paths()).toEqual(left);
  });

  test("that is taken back has its folders again, and leaves none it made", async () => {
    const { files, paths, disk, folder } = await open(host);
    const start = await paths();
    const create = async (path: string): Promise<FileChange> => ({
      kind: "create",
      at: await files.resolve(path),
      content: { text: "x" },
    });
    // The third one finds what was not there when it was readied.
    const changes = [
      await move(files, "made/deep/a.txt", "new/far/a.txt", 2),
      await move(files, "made/b.txt", "new/b.txt", 1),
      await create("late.txt"),
      await create("late.txt"),
    ];
    await expect(files.apply(changes, never)).rejects.toMatchObject({ type: "path_conflict" });
    expect(await paths()).toEqual(start);
    expect(new TextDecoder().decode(await disk.readAll(`${folder}/made/deep/a.txt`, 10))).toBe("a\n");
  });

  test("tells how many folders a new file needs", async () => {
    const { files } = await open(host);
    const missing = async (path: string): Promise<number> => files.missingFolders(await files.resolve(path));
    expect([
      await missing("a.txt"),
      await missing("made/x.txt"),
      await missing("made/x/y.txt"),
      await missing("p/q/r/s.txt"),
    ]).toEqual([0, 0, 1, 3]);
  });
});
