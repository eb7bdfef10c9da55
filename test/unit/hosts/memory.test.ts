import { describe, expect, test } from "vitest";
import { MemoryDisk } from "../../memory/disk.js";
import { MemoryFiles } from "../../memory/files.js";
import { failed, NO_MATCH, openWorkspace, result } from "../tools/workspace.js";

const never = new AbortController().signal;

async function openUnsaved(): Promise<{
  files: MemoryFiles;
  call: Awaited<ReturnType<typeof openWorkspace>>["call"];
  put: (path: string, content: string) => Promise<void>;
  bytes: (path: string) => Promise<Buffer>;
}> {
  const { files, call, put, bytes } = await openWorkspace(
    { "a.ts": "on disk\n", "b.ts": "other\n" },
    { host: "memory" },
  );
  if (!(files instanceof MemoryFiles)) {
    throw new Error("not in memory");
  }
  await files.type("a.ts", "on screen\n");
  return { files, call, put, bytes };
}

describe("unsaved text", () => {
  test("is what read and grep see", async () => {
    const { call } = await openUnsaved();
    expect(result<{ unsaved: boolean }>(await call("read", { path: "a.ts" }))).toMatchObject({
      text: "1\ton screen",
      data: { unsaved: true },
    });
    expect(result(await call("grep", { pattern: "on" })).text).toBe(
      "a.ts (unsaved)\n  1: on screen\n[1 match in 1 file.]",
    );
    expect(result(await call("grep", { pattern: "disk" })).text).toBe(NO_MATCH);
  });

  const changes: { name: string; tool: string; input: object; shown: string; text: RegExp }[] = [
    {
      name: "edit",
      tool: "edit",
      input: { path: "a.ts", old_text: "screen", new_text: "SCREEN" },
      shown: "on SCREEN\n",
      text: /not saved/,
    },
    { name: "write", tool: "write", input: { path: "a.ts", content: "new\n" }, shown: "new\n", text: /not saved/ },
    {
      name: "write of the same text",
      tool: "write",
      input: { path: "a.ts", content: "on screen\n" },
      shown: "on screen\n",
      text: /already has exactly this text in the editor, unsaved: nothing was written/,
    },
  ];
  test.each(changes)("$name changes it and not the disk", async ({ tool, input, shown, text }) => {
    const { files, call, bytes } = await openUnsaved();
    const answer = result<{ saved: boolean }>(await call(tool, input));
    expect(answer.text).toMatch(text);
    expect(answer.data.saved).toBe(false);
    expect(files.unsavedText(await files.resolve("a.ts"))).toBe(shown);
    expect(String(await bytes("a.ts"))).toBe("on disk\n");
    await files.save("a.ts");
    expect(String(await bytes("a.ts"))).toBe(shown);
    expect((await files.stat(await files.resolve("a.ts"))).unsaved).toBe(false);
  });

  test("typed or saved between look and change is stale", async () => {
    const { files } = await openUnsaved();
    const at = await files.resolve("a.ts");
    const unsaved = await files.readSnapshot(at, 100);
    await files.type("a.ts", "typed\n");
    await expect(files.apply([{ kind: "replace", at, before: unsaved, text: "x" }], never)).rejects.toMatchObject({
      type: "stale",
    });
    const typed = await files.readSnapshot(at, 100);
    await files.save("a.ts");
    await expect(files.apply([{ kind: "replace", at, before: typed, text: "x" }], never)).rejects.toMatchObject({
      type: "stale",
    });
    const saved = await files.readSnapshot(at, 100);
    await files.type("a.ts", "typed\n");
    await expect(files.apply([{ kind: "replace", at, before: saved, text: "x" }], never)).rejects.toMatchObject({
      type: "stale",
    });
    expect(files.unsavedText(at)).toBe("typed\n");
  });
});

describe("MemoryDisk", () => {
  const planted = (): MemoryDisk => {
    const disk = new MemoryDisk({ now: () => 7 });
    disk.write("/w/a/f.txt", "12345");
    disk.link("/w/to-a", "a");
    disk.link("/w/a/up", "../a/f.txt");
    disk.link("/w/far", "/w/to-a/up");
    disk.link("/w/broken", "nowhere");
    disk.link("/w/circle", "circle");
    return disk;
  };

  test.each([
    ["/", "/"],
    ["/w", "/w"],
    ["/w/to-a", "/w/a"],
    ["/w/to-a/f.txt", "/w/a/f.txt"],
    ["/w/far", "/w/a/f.txt"],
    ["/w/to-a/../a/up", "/w/a/f.txt"],
    ["/w/none", undefined],
    ["/w/none/x", undefined],
    ["/w/a/f.txt/x", undefined],
    ["/w/broken/x", undefined],
  ])("%s really is %s", async (path, real) => {
    expect(await planted().realPath(path)).toBe(real);
  });

  test.each([
    ["/w/broken", "not_found"],
    ["/w/circle", "io_error"],
    [`/w/${"n".repeat(256)}`, "invalid_input"],
  ])("%s is an error", async (path, type) => {
    await expect(planted().realPath(path)).rejects.toMatchObject({ type });
  });

  test("bytes given and taken are copies", async () => {
    const disk = new MemoryDisk();
    const given = new Uint8Array([1, 2, 3]);
    const step = await disk.stageCreate("/w/f", given);
    await step.commit();
    given[0] = 9;
    const taken = await disk.readAll("/w/f", 10);
    taken[1] = 9;
    expect([...(await disk.readAll("/w/f", 10))]).toEqual([1, 2, 3]);
  });

  test("what it tells of a file", async () => {
    const disk = planted();
    expect(await disk.stat("/w/far")).toEqual({ kind: "file", size: 5, modified: 7 });
    await expect(disk.readAll("/w/a/f.txt", 4)).rejects.toMatchObject({ type: "too_large" });
    await expect(disk.readAll("/w/a", 4)).rejects.toMatchObject({ type: "is_directory" });
    await expect(disk.readAll("/w/to-a", 4)).rejects.toMatchObject({ type: "unsupported" });
    await expect((await disk.stageCreate("/w/a/f.txt", new Uint8Array())).commit()).rejects.toMatchObject({
      type: "path_conflict",
    });
    disk.remove("/w/a");
    expect((await disk.list("/w")).map(({ name }) => name)).toEqual(["broken", "circle", "far", "to-a"]);
    disk.write("/s/a", "1");
    disk.write("/s/b", "22");
    expect((await disk.list("/s", 1)).map(({ size }) => size)).toEqual([1, undefined]);
  });

  test("where case does not count, a file keeps the name it was made with", async () => {
    const disk = new MemoryDisk({ foldCase: true });
    disk.write("/W/Read.me", "a");
    disk.write("/w/READ.ME", "b");
    expect(await disk.realPath("/w/read.ME")).toBe("/W/Read.me");
    expect((await disk.list("/w")).map(({ name }) => name)).toEqual(["Read.me"]);
  });
});

test("a call without a workspace says what to do", async () => {
  const files = new MemoryFiles(new MemoryDisk(), []);
  await expect(files.resolve("a")).rejects.toMatchObject({ type: "unavailable", hint: "Give the workspace a folder." });
  expect(failed(await (await openWorkspace({}, { host: "memory" })).call("read", { path: "../x" })).type).toBe(
    "outside_workspace",
  );
});
