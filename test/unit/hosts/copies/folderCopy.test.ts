import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { FolderCopy, removeLeftCopies } from "../../../../src/hosts/node/copies/folderCopy.js";
import { temporaryTag } from "../../../../src/hosts/node/state/owner.js";
import { asOrdinaryUser, tempFolder } from "../../tools/workspace.js";

const { signal } = new AbortController();

async function copyOf(files: Record<string, string>, prepare = (_: string): void => undefined) {
  const original = await tempFolder(files);
  prepare(original);
  const place = join(await tempFolder(), "copies");
  const copy = await FolderCopy.make(original, place, signal);
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  return { original, place, copy, at: (path: string) => join(copy.folder, path) };
}

/** What this process has open, where the system says it. */
const openFiles = (): string[] =>
  existsSync("/proc/self/fd")
    ? readdirSync("/proc/self/fd").flatMap((fd) => {
        try {
          return [readlinkSync(`/proc/self/fd/${fd}`)];
        } catch {
          return [];
        }
      })
    : [];

const modeOf = (path: string): number => lstatSync(path).mode & 0o7777;

test("copies what is there, with modes and times, for this user alone; nothing that is written goes through", async () => {
  const { original, place, copy, at } = await copyOf(
    { ".gitignore": ".env\n", ".env": "KEY=1\n", "a/b.txt": "b\n", "big.bin": "x".repeat(2_000_001) },
    (folder) => {
      chmodSync(join(folder, ".env"), 0o600);
      chmodSync(join(folder, "a/b.txt"), 0o4755);
      utimesSync(join(folder, "a/b.txt"), 1_000, 1_000);
      linkSync(join(folder, "big.bin"), join(folder, "same.bin"));
      symlinkSync(join(folder, "a"), join(folder, "absolute"));
      symlinkSync("a/b.txt", join(folder, "relative"));
      mkdirSync(join(folder, "shut"));
      writeFileSync(join(folder, "shut/in"), "in");
      chmodSync(join(folder, "shut"), 0o555);
    },
  );
  expect([readdirSync(place).length, modeOf(join(place, readdirSync(place)[0] ?? ""))]).toEqual([1, 0o700]);
  expect([modeOf(at(".env")), modeOf(at("a/b.txt")), modeOf(at("shut"))]).toEqual([0o600, 0o755, 0o555]);
  expect(lstatSync(at("a/b.txt")).mtimeMs).toBe(1_000_000);
  expect([readlinkSync(at("absolute")), readlinkSync(at("relative"))]).toEqual([at("a"), "a/b.txt"]);
  expect(copy.left).toEqual([]);
  expect(copy.changes()).toEqual({ changes: [], large: [], unread: [], left: [] });
  for (const name of ["a/b.txt", "big.bin", "absolute/b.txt"]) {
    writeFileSync(at(name), "changed");
  }
  expect(readFileSync(join(original, "a/b.txt"), "utf8")).toBe("b\n");
  expect(readFileSync(join(original, "same.bin"), "utf8")).toHaveLength(2_000_001);
  expect(copy.changes().changes.map(({ path }) => path)).toEqual(["big.bin", "a/b.txt"]);
  chmodSync(join(original, "shut"), 0o755);
  await copy.remove();
  expect(existsSync(place)).toBe(false);
});

test("tells what changed, and leaves out what is ignored, touched or not to be copied", async () => {
  const { original, copy, at } = await copyOf({
    ".gitignore": "build/\n*.log\n",
    "build/old": "old",
    "edit.txt": "one\n",
    "touched.txt": "t\n",
    "gone/x": "x",
    "mode.sh": "m",
  });
  writeFileSync(at("edit.txt"), "two\n");
  writeFileSync(at("touched.txt"), "t\n");
  writeFileSync(at("build/new"), "new");
  writeFileSync(at("build/old"), "changed");
  writeFileSync(at("x.log"), "log");
  rmSync(at("gone"), { recursive: true });
  chmodSync(at("mode.sh"), 0o755);
  mkdirSync(at("empty"));
  symlinkSync(at("edit.txt"), at("link"));
  writeFileSync(at("huge.bin"), "");
  truncateSync(at("huge.bin"), 16 * 1024 * 1024 + 1);
  mkdirSync(at("sub/.git"), { recursive: true });
  const { changes, large, left } = copy.changes();
  expect(Object.fromEntries(changes.map(({ path, before, after, modes }) => [path, [before, after, modes]]))).toEqual({
    "edit.txt": [new Uint8Array(Buffer.from("one\n")), Buffer.from("two\n"), { before: 0o644, after: 0o644 }],
    gone: [{ folder: 0o755 }, undefined, {}],
    "gone/x": [expect.anything(), undefined, { before: 0o644 }],
    "mode.sh": [expect.anything(), expect.anything(), { before: 0o644, after: 0o755 }],
    empty: [undefined, { folder: 0o755 }, {}],
    link: [undefined, { link: join(original, "edit.txt") }, {}],
    sub: [undefined, { folder: 0o755 }, {}],
  });
  expect(large).toEqual(["huge.bin"]);
  expect(left).toEqual([
    { path: "sub/.git", why: "a repository" },
    { path: "x.log", why: "it is ignored" },
  ]);
  await copy.remove();
});

test("does not take files for deleted in folders that cannot be looked at", async () => {
  const { copy, at } = await copyOf({ "src/deep/a.ts": "a\n", "top.txt": "t\n" });
  for (let made = 0; made < 300; made++) {
    writeFileSync(at(`made${made}`), "");
  }
  const { changes, left } = copy.changes(256);
  expect(changes.filter(({ after }) => after === undefined)).toEqual([]);
  expect(left.map(({ why }) => why)).toContain("too many files");
  await copy.remove();
});

test("has no repository where the folder's own leads to another", async () => {
  const other = await tempFolder({
    "refs/id_rsa": "secret\n",
    "objects/x": "x",
    HEAD: "ref: refs/heads/main\n",
    config: "",
  });
  const prepared: ((folder: string) => void)[] = [
    (folder) => symlinkSync(other, join(folder, ".git")),
    (folder) => writeFileSync(join(folder, ".git"), `gitdir: ${other}\n`),
    (folder) => {
      mkdirSync(join(folder, ".git/objects"), { recursive: true });
      writeFileSync(join(folder, ".git/HEAD"), "ref: refs/heads/main\n");
      writeFileSync(join(folder, ".git/config"), "");
      symlinkSync(join(other, "refs"), join(folder, ".git/refs"));
    },
    (folder) => {
      mkdirSync(join(folder, ".git/objects"), { recursive: true });
      writeFileSync(join(folder, ".git/HEAD"), "ref: refs/heads/main\n");
      writeFileSync(join(folder, ".git/config"), "");
      writeFileSync(join(folder, ".git/commondir"), other);
    },
  ];
  for (const prepare of prepared) {
    const { copy, at } = await copyOf({}, prepare);
    expect(copy.repository).toEqual({ missing: "The copy has no Git repository: that of the folder leads elsewhere." });
    expect(existsSync(at(".git"))).toBe(false);
    await copy.remove();
  }
});

test("leaves a large ignored folder out, and says so", async () => {
  const { copy, at } = await copyOf({ ".gitignore": "node_modules/\ndist/\n", "dist/a": "a" }, (folder) => {
    mkdirSync(join(folder, "node_modules/package"), { recursive: true });
    writeFileSync(join(folder, "node_modules/package/small"), "");
    // It takes no room on the disk.
    writeFileSync(join(folder, "node_modules/package/large"), "");
    truncateSync(join(folder, "node_modules/package/large"), 256_000_001);
  });
  expect(copy.left).toEqual(["node_modules/ (ignored, and large)"]);
  expect([existsSync(at("node_modules")), existsSync(at("dist/a"))]).toEqual([false, true]);
  await copy.remove();
});

test("removes copies of processes that have ended, and no others", async () => {
  const place = join(await tempFolder(), "copies");
  const [, ticks = "", where = ""] = temporaryTag().split("-");
  const [ended, ours, foreign] = [`999999999-${ticks}-${where}-a`, `${temporaryTag()}-b`, "unknown"];
  for (const name of [ended, ours, foreign]) {
    mkdirSync(join(place, name, "ws"), { recursive: true });
  }
  await removeLeftCopies(place);
  expect(readdirSync(place).sort()).toEqual([ours, foreign].sort());
});

const DAY = 24 * 3_600_000;
/** Makes something look as if it had been made so many days ago. */
function age(path: string, days: number): void {
  const at = new Date(Date.now() - days * DAY);
  utimesSync(path, at, at);
}

test("stays for 30 days if it is set aside", async () => {
  const { place, copy, at } = await copyOf({ a: "a" });
  writeFileSync(at("new"), "new");
  age(dirname(copy.folder), 40);
  const kept = copy.setAside();
  await removeLeftCopies(place);
  expect(readdirSync(place)).toHaveLength(1);
  expect(readFileSync(join(kept, "new"), "utf8")).toBe("new");
  age(dirname(kept), 31);
  await removeLeftCopies(place);
  expect(existsSync(place)).toBe(false);
});

test("is removed after 30 days if the machine was restarted since, and nothing else beside it is", async () => {
  const place = await tempFolder({ "1-2-00000000-new/a": "", "1-2-00000000-old/a": "", "mine/a": "" });
  for (const [name, days] of [
    ["1-2-00000000-new", 29],
    ["1-2-00000000-old", 31],
    ["mine", 31],
  ] as const) {
    age(join(place, name), days);
  }
  await removeLeftCopies(place);
  expect(readdirSync(place).sort()).toEqual(["1-2-00000000-new", "mine"]);
});

test("tells files that cannot be read from those that are too large, and names repositories that were made in it", async () => {
  const original = await tempFolder({ "a.txt": "a" });
  const parent = await tempFolder();
  chmodSync(parent, 0o777);
  const made = await asOrdinaryUser(async () => {
    const copy = await FolderCopy.make(original, join(parent, "copies"), signal);
    for (const path of ["sub/.git/HEAD", "sub/b.txt", "shut.txt"]) {
      mkdirSync(dirname(join(copy.folder, path)), { recursive: true });
      writeFileSync(join(copy.folder, path), "b");
    }
    chmodSync(join(copy.folder, "shut.txt"), 0);
    const { changes, large, unread, left } = copy.changes();
    expect(changes.map(({ path }) => path)).toEqual(["sub", "sub/b.txt"]);
    expect({ large, unread, left }).toEqual({
      large: [],
      unread: ["shut.txt"],
      left: [{ path: "sub/.git", why: "a repository" }],
    });
    return copy;
  });
  await made.remove();
});

test("is not made where it would hold itself, or when it is stopped", async () => {
  const original = await tempFolder({ a: "a" });
  await expect(FolderCopy.make(original, join(original, "copies"), signal)).rejects.toThrow("holds Toolhost's own");
  const place = join(await tempFolder(), "copies");
  await expect(FolderCopy.make(original, place, AbortSignal.abort())).rejects.toThrow();
  expect(readdirSync(place)).toEqual([]);
  expect(openFiles().filter((path) => path.startsWith(place))).toEqual([]);
});
