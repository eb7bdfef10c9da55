import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { DiskSpool } from "../../../src/hosts/node/state/spool.js";
import type { Put } from "../../../src/ports/spool.js";
import { openWorkspace } from "../tools/workspace.js";

const never = new AbortController().signal;
const yes = async (put: Put): Promise<void> => put(true);
const no = async (put: Put): Promise<void> => put(false);
const store = ".toolhost/context";

async function* chunksOf(...chunks: string[]): AsyncGenerator<string> {
  yield* chunks;
}

async function open(
  files: Record<string, string> = {},
  max?: number,
): Promise<Awaited<ReturnType<typeof openWorkspace>> & { spool: DiskSpool }> {
  const workspace = await openWorkspace(files);
  return { ...workspace, spool: new DiskSpool(new NodeDisk(), max) };
}

test("chunks become a file with its folders, to the byte", async () => {
  const { files, folder, spool, names } = await open();
  const bytes = await spool.write(
    await files.resolve(`${store}/a/b/c.txt`),
    chunksOf("ä", "", "😀", "x".repeat(2_500_000)),
    no,
    never,
  );
  const text = await readFile(join(folder, store, "a/b/c.txt"), "utf8");
  expect(text).toBe(`ä😀${"x".repeat(2_500_000)}`);
  expect(bytes).toBe(Buffer.byteLength(text));
  expect(((await stat(join(folder, store, "a/b/c.txt"))).mode & 0o111).toString(8)).toBe("0");
  expect(await names(`${store}/a/b`)).toEqual(["c.txt"]);
});

describe("what stands there stays, and nothing is left beside it, when", () => {
  const cases: [
    name: string,
    work: (
      spool: DiskSpool,
      write: (chunks: AsyncIterable<string>, name: (put: Put) => Promise<void>, signal: AbortSignal) => Promise<number>,
    ) => Promise<unknown>,
    error: object,
  ][] = [
    ["it may not go", (_spool, write) => write(chunksOf("new"), no, never), { type: "path_conflict" }],
    ["the text is too large", (_spool, write) => write(chunksOf("x".repeat(2_000)), yes, never), { type: "too_large" }],
    [
      "the text breaks off",
      (_spool, write) => write(breaking(), yes, never),
      { message: expect.stringContaining("broken") as string },
    ],
    [
      "the call was cancelled",
      (_spool, write) => write(chunksOf("new"), yes, AbortSignal.abort()),
      { name: "AbortError" },
    ],
    [
      "room could not be made",
      (_spool, write) => write(chunksOf("new"), () => Promise.reject(new Error("no room")), never),
      { message: expect.stringContaining("no room") as string },
    ],
  ];
  test.each(cases)("%s", async (_name, work, error) => {
    const { files, spool, bytes, names } = await open({ [`${store}/old.txt`]: "old" }, 1_000);
    const at = await files.resolve(`${store}/old.txt`);
    await expect(work(spool, (chunks, name, signal) => spool.write(at, chunks, name, signal))).rejects.toMatchObject(
      error,
    );
    expect((await bytes(`${store}/old.txt`)).toString()).toBe("old");
    expect(await names(store)).toEqual(["old.txt"]);
  });
});

test("it replaces what may go", async () => {
  const { files, spool, bytes } = await open({ [`${store}/old.txt`]: "old" });
  await spool.write(await files.resolve(`${store}/old.txt`), chunksOf("new"), yes, never);
  expect((await bytes(`${store}/old.txt`)).toString()).toBe("new");
});

describe("no other place is written:", () => {
  test.each([
    "src/a.ts",
    ".toolhost/MEMORY.md",
    ".toolhost/context",
    ".toolhost/contextual/a",
    "sub/.toolhost/context/a",
  ])("%s", async (path) => {
    const { files, spool, names } = await open();
    await expect(spool.write(await files.resolve(path), chunksOf("x"), yes, never)).rejects.toMatchObject({
      type: "outside_workspace",
    });
    expect(await names(".")).toEqual([]);
  });

  test("one behind a link", async () => {
    const { files, spool, makeFolder, link, names } = await open();
    await makeFolder("elsewhere");
    await makeFolder(store);
    await link(`${store}/in`, "../../elsewhere");
    await expect(spool.write(await files.resolve(`${store}/in/a`), chunksOf("x"), yes, never)).rejects.toMatchObject({
      type: "outside_workspace",
    });
    expect(await names("elsewhere")).toEqual([]);
  });
});

async function* breaking(): AsyncGenerator<string> {
  yield "half";
  throw new Error("broken");
}
