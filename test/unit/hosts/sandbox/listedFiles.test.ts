// What a client's own list may say, and what is made of it.
import { expect, test } from "vitest";
import { ToolError } from "../../../../src/core/errors.js";
import { ClientDisk } from "../../../../src/hosts/sandbox/clientDisk.js";
import { InMemorySandboxClient } from "../../../../src/hosts/sandbox/memoryClient.js";
import type { SandboxClient } from "../../../../src/ports/sandbox.js";

function listing(list: () => unknown, more: Partial<SandboxClient> = {}): ClientDisk {
  const client: SandboxClient = {
    run: async () => ({ stdout: "", exitCode: 0 }),
    readFile: async () => "ab",
    writeFile: async () => undefined,
    remove: async () => undefined,
    list: async () => list() as never,
    ...more,
  };
  return new ClientDisk(client, "box", 50, "/w");
}

async function failure(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ToolError);
  return (error as ToolError).message;
}

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["a text", "a"],
  ["an entry without a name", [{ kind: "file" }]],
  ["an entry of no kind", [{ name: "a", kind: "link" }]],
  ["a size below nothing", [{ name: "a", kind: "file", size: -1 }]],
  ["a size that is no number", [{ name: "a", kind: "file", size: "1" }]],
  ["more than a million entries", Array.from({ length: 1_000_001 }, () => ({ name: "a", kind: "file" }))],
])("a list that is %s is none", async (_, answer) => {
  expect(await failure(listing(() => answer).list("/w"))).toBe(
    "/w: the sandbox gave a list of entries that cannot be used.",
  );
});

test("names that lead elsewhere, or are our own, are left out", async () => {
  const names = ["..", ".", "", "a/../../etc", "a\0b", "/etc/passwd", ".toolhost-x.tmp", "fine"];
  const disk = listing(() => names.map((name) => ({ name, kind: "file", size: 1 })));
  expect((await disk.list("/w")).map(({ name }) => name)).toEqual(["fine"]);
});

test("a file that comes in half, a client that hangs and one that keeps less than it was given are told", async () => {
  const entries = (): unknown => [{ name: "f", kind: "file", size: 3 }];
  expect(await failure(listing(entries).readAll("/w/f", 100))).toBe("/w/f: box gave 2 bytes of a file that has 3.");
  const never = (): Promise<never> => new Promise(() => undefined);
  expect(await failure(listing(entries, { list: never }).list("/w"))).toBe("/w: box did not answer within 0.05 s.");
  const half = await listing(entries, { readFile: async () => "abc" }).stageReplace(
    "/w/f",
    new TextEncoder().encode("abcdef"),
    async () => undefined,
  );
  expect(await failure(half.commit())).toBe("/w/f: the sandbox kept 3 of 6 bytes.");
});

test("a folder that was made is there, and gone when it was removed", async () => {
  const client = new InMemorySandboxClient();
  const disk = new ClientDisk(client, "box", 50, "/w");
  expect(await disk.list("/w")).toEqual([]);
  const step = await disk.stageCreate("/w/a/b/c", new TextEncoder().encode("x"));
  expect(step.foldersMade).toBe(2);
  await step.commit();
  expect((await disk.stat("/w/a/b")).kind).toBe("directory");
  await step.undo();
  await expect(disk.stat("/w/a")).rejects.toThrow("there is no such file or folder");
});

test("a file whose list gives no size is read, and has no size or time in a listing", async () => {
  const disk = listing(() => [{ name: "f", kind: "file" }]);
  expect(new TextDecoder().decode(await disk.readAll("/w/f", 100))).toBe("ab");
  expect(await disk.list("/w", 10)).toEqual([{ name: "f", kind: "file", link: false, size: undefined }]);
});

test("a client that throws at once fails like one that rejects", async () => {
  const bang = (): never => {
    throw new Error("bang");
  };
  const entries = (): unknown => [{ name: "f", kind: "file", size: 2 }];
  expect(await failure(listing(entries, { readFile: bang }).readAll("/w/f", 100))).toBe("/w/f: box: bang");
});

/** A place in memory whose client fails as it is told. */
function failing(more: (box: InMemorySandboxClient) => Partial<SandboxClient>): {
  box: InMemorySandboxClient;
  disk: ClientDisk;
} {
  const box = new InMemorySandboxClient({ files: { "/w/f": "old text" } });
  const client: SandboxClient = {
    run: (...given) => box.run(...given),
    readFile: (path) => box.readFile(path),
    writeFile: (...given) => box.writeFile(...given),
    list: (path) => box.list(path),
    remove: (path) => box.remove(path),
    ...more(box),
  };
  return { box, disk: new ClientDisk(client, "box", 1_000, "/w") };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textIn = (box: InMemorySandboxClient, path: string): string | undefined => {
  const content = box.getFile(path);
  return content === undefined ? undefined : Buffer.from(content).toString();
};
const fine = async (): Promise<void> => undefined;

/** Writes half of what it is given, once. */
function halfOnce(box: InMemorySandboxClient): Partial<SandboxClient> {
  let isFirst = true;
  return {
    writeFile: async (path, content) => {
      await box.writeFile(path, isFirst ? content.slice(0, 3) : content);
      isFirst = false;
    },
  };
}

test("a file of which only a part was written has its old text again, and a new one is gone", async () => {
  const replaced = failing(halfOnce);
  const step = await replaced.disk.stageReplace("/w/f", bytesOf("new text!"), fine);
  expect(await failure(step.commit())).toBe("/w/f: the sandbox kept 3 of 9 bytes.");
  expect(textIn(replaced.box, "/w/f")).toBe("old text");
  const created = failing(halfOnce);
  const made = await created.disk.stageCreate("/w/new", bytesOf("new text!"));
  expect(await failure(made.commit())).toBe("/w/new: the sandbox kept 3 of 9 bytes.");
  expect(textIn(created.box, "/w/new")).toBeUndefined();
});

test("a file that could not be moved has one name, and what cannot be taken back is said", async () => {
  const moved = failing((box) => ({
    remove: async (path) => (path === "/w/f" ? Promise.reject(new Error("busy")) : box.remove(path)),
  }));
  const step = await moved.disk.stageMove("/w/f", "/w/g", undefined, 0, fine);
  expect(await failure(step.commit())).toContain("busy");
  expect([textIn(moved.box, "/w/f"), textIn(moved.box, "/w/g")]).toEqual(["old text", undefined]);
  const half = failing((box) => ({ writeFile: (path, content) => box.writeFile(path, content.slice(0, 3)) }));
  const replace = await half.disk.stageReplace("/w/f", bytesOf("new text!"), fine);
  expect(await failure(replace.commit())).toBe(
    "/w/f: the sandbox kept 3 of 9 bytes. What it left could not be taken back.",
  );
});
