// Files that are compared by their hash, which others may write into meanwhile.
import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { hashOfFile, isLarge, largeAt } from "../../../src/hosts/node/disk/large.js";

const MEGABYTE = 1024 * 1024;

function fileOf(contents: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-large-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "file");
  writeFileSync(path, contents, { mode: 0o640 });
  return path;
}

const sha256 = (contents: string | Buffer): string => createHash("sha256").update(contents).digest("hex");

it.each([
  ["nothing", ""],
  ["a text", "a text\n"],
  ["more than is read at a time", Buffer.alloc(2 * MEGABYTE + 1, "abc")],
])("knows a file that contains %s by its hash", async (_what, contents) => {
  const path = fileOf(contents);
  const large = { sha256: sha256(contents), size: contents.length, mode: 0o640 };
  expect(await largeAt(path)).toEqual({ large });
  expect(await hashOfFile(path)).toBe(large.sha256);
  expect(await isLarge(path, large)).toBe(true);
  appendFileSync(path, "x");
  expect(await isLarge(path, large)).toBe(false);
});

it("does not read what is larger than any copy", async () => {
  const path = fileOf("");
  truncateSync(path, 1024 ** 4);
  const { large } = await largeAt(path);
  expect(large).toEqual({ sha256: "", size: 1024 ** 4, mode: 0o640 });
  expect(await isLarge(path, large)).toBe(false);
  expect(await hashOfFile(path)).toBe("");
});

it("reads a byte more than a file's size at most while somebody appends", async () => {
  const path = fileOf("");
  truncateSync(path, 8 * MEGABYTE);
  let isRead = false;
  const reading = largeAt(path).finally(() => (isRead = true));
  for (let appended = 0; !isRead && appended < 64; appended++) {
    appendFileSync(path, Buffer.alloc(MEGABYTE));
    await setImmediate();
  }
  const { sha256: hash, size } = (await reading).large;
  expect([size, size + 1].map((length) => sha256(Buffer.alloc(length)))).toContain(hash);
});
