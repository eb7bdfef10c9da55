// `toolhost undo` as a process, on the journal that every other call of it writes.
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contentOf, tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";

const cli = builtCli();

interface Answer {
  ok: boolean;
  text?: string;
  data?: {
    id?: number;
    files?: unknown[];
    turns?: {
      calls: { id: number; tool: string; undone: string; files: unknown[] }[];
      undone: string;
      is_undo: boolean;
    }[];
    dropped?: { calls: number };
  };
  error?: { type: string; message: string; hint?: string };
}

async function inFolder(files: Record<string, string>) {
  const folder = await tempFolder(files);
  const run = async (...args: string[]): Promise<string> => {
    const { out, err, code } = await cli.run(args, { cwd: folder });
    return code === 0 ? out : `${code}: ${err}`;
  };
  const json = async (...args: string[]): Promise<Answer> =>
    JSON.parse((await cli.run(["undo", "--json", ...args], { cwd: folder })).out) as Answer;
  return {
    folder,
    run,
    json,
    edit: (path: string, before: string, after: string) => run("edit", path, "--old-text", before, "--new-text", after),
  };
}

describe("toolhost undo", () => {
  test("takes back the last command, then the one before, then says that nothing is left", async () => {
    const { folder, run, edit } = await inFolder({ "a.txt": "one\ntwo\n" });
    await edit("a.txt", "two", "TWO");
    await run("write", "new/deep/b.txt", "--content", "b\n");
    expect(await run("undo")).toBe(
      "The last turn (command line, just now):\nUndid 1 change in 1 file.\n  new/deep/b.txt: deleted again\nRedo it with: toolhost undo --id 3\n",
    );
    expect(existsSync(join(folder, "new"))).toBe(false);
    expect(await run("undo", "--last")).toContain("a.txt: restored");
    expect(await contentOf(folder, "a.txt")).toBe("one\ntwo\n");
    expect(await run("undo")).toBe(
      "1: Error (not_found): Nothing to undo: no change that Toolhost's tools made in this workspace is left to undo.\n",
    );
  });

  test("names the lists of folders above and below when this one has none", async () => {
    const { folder, run } = await inFolder({ "a.txt": "a\n", "below/b.txt": "b\n" });
    await run("--workspace", join(folder, "below"), "write", "b.txt", "--content", "B\n");
    const lists = (other: string): string =>
      `Each folder has a list of its own. Lists of folders above or below this one:\n  toolhost --workspace ${other} undo --list\n`;
    expect(await run("undo", "--list")).toBe(
      `Toolhost's tools have changed no file in this workspace.\n${lists(join(folder, "below"))}`,
    );
    const deeper = join(folder, "below", "deeper");
    await mkdir(deeper);
    expect((await cli.run(["undo"], { cwd: deeper })).err).toContain(`Hint: ${lists(join(folder, "below"))}`);
    await run("write", "a.txt", "--content", "A\n");
    expect(await run("undo", "--list")).not.toContain("Each folder");
  });

  test("takes back one call of the list, brings it back, and undoes it again", async () => {
    const { folder, run, json, edit } = await inFolder({ "a.txt": "one\ntwo\n", "b.txt": "b\n" });
    await edit("a.txt", "two", "TWO");
    await edit("b.txt", "b", "B");
    expect(await run("undo", "--id", "1")).toContain(
      "Call 1 (command line, just now):\nUndid 1 change in 1 file.\n  a.txt: restored\n",
    );
    expect(await run("undo", "--id", "3")).toContain(
      "Redid 1 change in 1 file.\n  a.txt: changed again\nUndo it again with: toolhost undo --id 4\n",
    );
    expect(await contentOf(folder, "a.txt")).toBe("one\nTWO\n");
    expect(await json("--id", "4")).toMatchObject({
      ok: true,
      data: { id: 5, files: [{ path: "a.txt", did: "restored", merged: false }] },
    });
    expect(await contentOf(folder, "a.txt")).toBe("one\ntwo\n");
    expect(await contentOf(folder, "b.txt")).toBe("B\n");
  });

  test("takes back one file of a call, where another one is in the way", async () => {
    const { folder, run } = await inFolder({ "a.txt": "a\n", "b.txt": "b\n" });
    await run(
      "apply_patch",
      "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+A\n*** Update File: b.txt\n@@\n-b\n+B\n*** End Patch",
    );
    await writeFile(join(folder, "a.txt"), "mine\n");
    expect(await run("undo")).toContain("1: Error (conflict): Nothing was undone. a.txt has been changed since");
    expect(await run("undo", "--file", "b.txt")).toContain("b.txt: restored");
    expect(await contentOf(folder, "a.txt")).toBe("mine\n");
    expect(await contentOf(folder, "b.txt")).toBe("b\n");
  });

  test("names fifty files of hundreds, and counts the others by what was done with them; the data has all", async () => {
    const { folder, run, json } = await inFolder({ "gone.txt": "gone\n" });
    await run("exec", "for n in {1..300}; do echo $n > $n.txt; done; rm gone.txt");
    const { text = "", data } = await json();
    const lines = text.split("\n");
    expect(lines[1]).toBe("Undid 301 changes in 301 files.");
    expect(lines.filter((line) => line.startsWith("  "))).toHaveLength(50);
    expect(lines.find((line) => line.includes(" more: "))).toMatch(
      /^ {2}and 252 more: 25[12] deleted again(?:, 1 recreated)?$/,
    );
    expect(await contentOf(folder, "gone.txt")).toBe("gone\n");
    expect(data?.files).toHaveLength(301);
  });

  test("lists the turns, newest first", async () => {
    const { run, json, edit } = await inFolder({ "a.txt": "one\ntwo\n" });
    expect(await run("undo", "--list")).toBe("Toolhost's tools have changed no file in this workspace.\n");
    await edit("a.txt", "two", "TWO\n2");
    await run("write", "b.txt", "--content", "b\n");
    await run("undo");
    expect(await run("undo", "--list")).toBe(
      [
        "command line, just now",
        "     3  undo  b.txt  deleted, −1",
        "command line, just now · undone",
        "     2  write  b.txt  new, +1",
        "command line, just now",
        "     1  edit  a.txt  +2 −1",
        "",
        "Undo the last turn: toolhost undo. Undo one call: toolhost undo --id N",
        "",
      ].join("\n"),
    );
    const { data } = await json("--list");
    expect(
      data?.turns?.map(({ undone, is_undo, calls }) => [
        undone,
        is_undo,
        calls.map(({ id, tool, files }) => [id, tool, files]),
      ]),
    ).toEqual([
      ["no", true, [[3, "undo", [{ path: "b.txt", kind: "delete", added: 0, removed: 1 }]]]],
      ["yes", false, [[2, "write", [{ path: "b.txt", kind: "create", added: 1, removed: 0 }]]]],
      ["no", false, [[1, "edit", [{ path: "a.txt", kind: "replace", added: 2, removed: 1 }]]]],
    ]);
    expect(data?.dropped).toEqual({ calls: 0 });
  });

  test("names the first of a call's files, and counts the others", async () => {
    const { run } = await inFolder({});
    const added = Array.from({ length: 14 }, (_, at) => `*** Add File: f${String(at).padStart(2, "0")}.txt\n+x\n`);
    await run("apply_patch", "--patch", `*** Begin Patch\n${added.join("")}*** End Patch\n`);
    const lines = (await run("undo", "--list")).split("\n");
    expect(lines.filter((line) => line.includes(".txt"))).toHaveLength(12);
    expect(lines[13]?.trim()).toBe("and 2 more files: +14 −0 in 14 files in all");
  });

  test("merges what was changed since, and refuses where the same lines were", async () => {
    const { folder, run, json, edit } = await inFolder({ "a.txt": "one\ntwo\nthree\nfour\n" });
    await edit("a.txt", "two", "TWO");
    await writeFile(join(folder, "a.txt"), "one\nmine\nthree\nfour\n");
    expect(await run("undo")).toBe(
      "1: Error (conflict): Nothing was undone. a.txt has been changed since in the same lines (line 2).\nHint: Undo the other files alone with `toolhost undo --file <file or folder>`, or change these by hand.\n",
    );
    expect(await contentOf(folder, "a.txt")).toBe("one\nmine\nthree\nfour\n");
    await writeFile(join(folder, "a.txt"), "one\nTWO\nthree\n4\n");
    expect((await json()).data).toMatchObject({
      files: [{ path: "a.txt", did: "restored", merged: true }],
      remarks: ["Later changes in a.txt were kept."],
    });
    expect(await contentOf(folder, "a.txt")).toBe("one\ntwo\nthree\n4\n");
  });

  test("takes back what changed below a folder, and says where nothing did", async () => {
    const { folder, run } = await inFolder({ "lib/a.txt": "a\n", "lib/deep/b.txt": "b\n", "other/c.txt": "c\n" });
    const changes = [
      "*** Update File: lib/a.txt\n@@\n-a\n+x\n*** Delete File: lib/deep/b.txt",
      "*** Add File: library.txt\n+x\n*** Add File: d.txt\n+x",
    ];
    await run("apply_patch", "--patch", `*** Begin Patch\n${changes.join("\n")}\n*** End Patch\n`);
    expect(await run("undo", "--file", "other")).toBe(
      "1: Error (not_found): other: the calls to undo changed nothing in this folder.\nHint: They changed lib/a.txt, lib/deep/b.txt, library.txt and 1 more.\n",
    );
    expect(await run("undo", "--file", "missing")).toContain("missing was not changed by the calls to undo.");
    await writeFile(join(folder, "d.txt"), "mine\n");
    expect(await run("undo", "--id", "1")).toContain(
      "Undo the other files alone with `toolhost undo --id 1 --file <file or folder>`, or change these by hand.",
    );
    expect(await run("undo", "--file", "lib/")).toContain("Undid 2 changes in 2 files.");
    expect(await contentOf(folder, "lib/a.txt")).toBe("a\n");
    expect(await contentOf(folder, "lib/deep/b.txt")).toBe("b\n");
    expect(await contentOf(folder, "library.txt")).toBe("x\n");
  });

  test("says so when the files are as before already", async () => {
    const { run, edit } = await inFolder({ "a.txt": "one\n" });
    await edit("a.txt", "one", "two");
    await edit("a.txt", "two", "one");
    expect(await run("undo", "--id", "1")).toBe(
      "Call 1 (command line, just now):\nNothing to change: the file is already as before.\n  a.txt: already as before\n",
    );
  });

  test("says of what is not there, and of a file that is gone, what is the matter", async () => {
    const { folder, run, edit } = await inFolder({ "a.txt": "one\n" });
    await edit("a.txt", "one", "two");
    await rm(join(folder, "a.txt"));
    expect(await run("undo")).toContain("1: Error (conflict): Nothing was undone. a.txt has been deleted since.");
    expect(await run("undo", "--id", "7")).toBe("1: Error (unknown_id): 7: no such call in the undo journal.\n");
    expect(await run("--workspace", "nowhere", "undo")).toMatch(/^2: toolhost: .*nowhere: there is no such folder/);
  });
});
