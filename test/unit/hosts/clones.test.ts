// Clones of large files on a disk that stands in for one which shares contents: it copies them.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cloneFile, Clones, type Clone, type CloneFile } from "../../../src/hosts/node/effects/contents/clones.js";
import { LargeStore } from "../../../src/hosts/node/effects/contents/largeStore.js";
import { Named } from "../../../src/hosts/node/effects/named.js";
import { takeSnapshot } from "../../../src/hosts/node/effects/walk.js";
import type { Snapshot } from "../../../src/features/effects/snapshot.js";

const MEGABYTE = 1024 * 1024;
const NOBODY = new Named([]);
const copying: CloneFile = (path, _entry, to) => {
  copyFileSync(path, to);
  return "yes";
};

/** A folder with files of so many megabytes. */
function rig(files: Record<string, number>) {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-clones-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [root, own] = [join(folder, "root"), join(folder, "own")];
  mkdirSync(root);
  for (const [name, megabytes] of Object.entries(files)) {
    writeFileSync(join(root, name), name);
    truncateSync(join(root, name), megabytes * MEGABYTE);
  }
  return { folder, root, own, seen: (): Snapshot => takeSnapshot(root, Infinity, 1_000) };
}

it("clones large files once, until they change, and removes those that nothing needs", () => {
  const { root, own, seen } = rig({ a: 13, b: 14, small: 1 });
  const clones = new Clones(own, copying);
  const first = clones.keep(root, seen(), Infinity, NOBODY) ?? new Map<string, Clone>();
  expect([...first.keys()].sort()).toEqual(["a", "b"]);
  appendFileSync(join(root, "a"), "more");
  const second = clones.keep(root, seen(), Infinity, NOBODY) ?? new Map<string, Clone>();
  expect(second.get("b")?.file).toBe(first.get("b")?.file);
  expect(second.get("a")?.file).not.toBe(first.get("a")?.file);
  clones.sweep([first]);
  expect(readdirSync(own)).toHaveLength(3);
  clones.sweep([]);
  expect(
    readdirSync(own)
      .map((name) => join(own, name))
      .sort(),
  ).toEqual([...second.values()].map(({ file }) => file).sort());
});

it("leaves the clones alone that a thread before it made in the same folder", () => {
  const { root, own, seen } = rig({ a: 13 });
  const first = new Clones(own, copying).keep(root, seen(), Infinity, NOBODY)?.get("a");
  writeFileSync(join(root, "a"), "other");
  truncateSync(join(root, "a"), 14 * MEGABYTE);
  const second = new Clones(own, copying).keep(root, seen(), Infinity, NOBODY)?.get("a");
  expect([first, second].map((clone) => readFileSync(clone?.file ?? "").subarray(0, 5))).toEqual(
    ["a\0\0\0\0", "other"].map((text) => Buffer.from(text)),
  );
});

it("clones what a command names when there is no time, and none above the bounds", () => {
  const { root, own, seen } = rig({
    a: 13,
    b: 14,
    huge: 1_025,
    "most-1": 1_000,
    "most-2": 1_000,
    "most-3": 1_000,
    "most-4": 1_000,
    "most-5": 1_000,
  });
  const asked: string[] = [];
  const noting: CloneFile = (path) => {
    asked.push(path.slice(root.length + 1));
    return "yes";
  };
  const late = new Clones(own, noting).keep(root, seen(), -1, new Named(["b"]));
  expect([...(late ?? [])].map(([path]) => path)).toEqual(["b"]);
  asked.length = 0;
  new Clones(own, noting).keep(root, seen(), Infinity, NOBODY);
  expect(asked).toEqual(["a", "b", "most-1", "most-2", "most-3", "most-4"]);
});

it("asks a disk that can make none once", () => {
  const { root, own, seen } = rig({ a: 13 });
  let asked = 0;
  const clones = new Clones(own, () => {
    asked++;
    return "unable";
  });
  expect(clones.keep(root, seen(), Infinity, NOBODY)).toBeUndefined();
  expect(clones.keep(root, seen(), Infinity, NOBODY)).toBeUndefined();
  expect(asked).toBe(1);
});

it.each<[what: string, swap: (path: string) => void]>([
  ["has changed since it was seen", (path) => appendFileSync(path, "more")],
  ["another has taken the place of", (path) => (renameSync(path, `${path}-b`), copyFileSync(`${path}-b`, path))],
  ["a link to it has taken the place of", (path) => (renameSync(path, `${path}-b`), symlinkSync(`${path}-b`, path))],
  ["a pipe has taken the place of", (path) => (rmSync(path), execFileSync("mkfifo", [path]))],
  ["nothing has taken the place of", (path) => rmSync(path)],
])("makes no clone of a file that %s", (_what, swap) => {
  const { root, folder, seen } = rig({ a: 13 });
  const entry = seen().folders.get("")?.entries.get("a");
  swap(join(root, "a"));
  expect(entry && cloneFile(join(root, "a"), entry, join(folder, "to"))).toBe("no");
  expect(readdirSync(folder)).not.toContain("to");
});

it("keeps contents by their hash, each once", () => {
  const { root, folder, seen } = rig({ a: 13 });
  const entry = seen().folders.get("")?.entries.get("a");
  const store = new LargeStore(join(folder, "large"), copying);
  const kept = entry && store.keepNow(join(root, "a"), entry);
  expect(kept).toMatchObject({ size: 13 * MEGABYTE, mode: 0o644, copy: join(folder, "large", kept?.sha256 ?? "") });
  expect(readFileSync(kept?.copy ?? "").equals(readFileSync(join(root, "a")))).toBe(true);
  expect(entry && store.keep({ file: join(root, "a") }, entry)).toEqual(kept);
  expect(readdirSync(join(folder, "large"))).toEqual([kept?.sha256]);
  // Not what is only a part of it, or of another file.
  writeFileSync(join(folder, "part"), "a");
  expect(entry && store.keep({ file: join(folder, "part") }, entry)).toBeUndefined();
  expect(readdirSync(join(folder, "large"))).toEqual([kept?.sha256]);
});

it("forgets the oldest contents for lack of room", () => {
  const { root, folder, seen } = rig({ a: 13 });
  const large = join(folder, "large");
  mkdirSync(large);
  for (const [age, name] of ["oldest", "older", "old"].entries()) {
    writeFileSync(join(large, name), "");
    truncateSync(join(large, name), 1_400 * MEGABYTE);
    utimesSync(join(large, name), age, age);
  }
  const entry = seen().folders.get("")?.entries.get("a");
  const kept = entry && new LargeStore(large, copying).keepNow(join(root, "a"), entry);
  expect(readdirSync(large).sort()).toEqual([kept?.sha256, "old", "older"].sort());
});
