import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseGitIndex } from "../../../src/shell/gitIndex.js";
import { gitIn } from "../../system/tools/realGit.js";
import { tempFolder } from "../tools/workspace.js";

const FILES = [
  "a.txt",
  "b",
  "deep/er/folder/file.ts",
  "deep/er/folder/file2.ts",
  "deep/é ü.txt",
  "x".repeat(200),
  "z1234567",
];

describe("the index of git", () => {
  it.each([2, 3, 4])("of version %i tells every tracked file", async (version) => {
    const folder = await tempFolder(Object.fromEntries(FILES.map((path) => [path, "text\n"])));
    const git = gitIn(folder);
    git("init", "-q");
    git("add", ".");
    if (version === 3) {
      // Only what is to be added makes git write it.
      git("reset", "-q", "b");
      git("add", "-N", "b");
    }
    git("update-index", "--index-version", String(version));
    const bytes = readFileSync(join(folder, ".git/index"));
    expect(bytes.readUInt32BE(4)).toBe(version);
    const { entries = [], sharedBy } = parseGitIndex(bytes, 20) ?? {};
    expect(entries.map(({ path }) => path).toSorted()).toEqual(FILES.toSorted());
    expect(sharedBy).toBeUndefined();
    const { size, mtimeMs } = statSync(join(folder, "a.txt"));
    const found = entries.find(({ path }) => path === "a.txt");
    expect(found).toMatchObject({ size, isRepository: false });
    expect(Math.abs((found?.modified ?? 0) - mtimeMs)).toBeLessThan(1);
  });

  it("that is split names the shared one", async () => {
    const folder = await tempFolder({ "a.txt": "x" });
    const git = gitIn(folder);
    git("init", "-q");
    git("add", ".");
    git("update-index", "--split-index");
    const { sharedBy } = parseGitIndex(readFileSync(join(folder, ".git/index")), 20) ?? {};
    expect(
      parseGitIndex(readFileSync(join(folder, `.git/sharedindex.${sharedBy}`)), 20)?.entries.map(({ path }) => path),
    ).toEqual(["a.txt"]);
  });

  it("tells repositories, and object names of SHA-256", async () => {
    const folder = await tempFolder({ "inner/x": "x", y: "y" });
    for (const at of [join(folder, "inner"), folder]) {
      const git = gitIn(at);
      git("init", "-q", "--object-format=sha256");
      git("add", ".");
      git("commit", "-qm", "x");
    }
    const { entries } = parseGitIndex(readFileSync(join(folder, ".git/index")), 32) ?? {};
    expect(entries?.map(({ path, isRepository }) => ({ path, isRepository }))).toEqual([
      { path: "inner", isRepository: true },
      { path: "y", isRepository: false },
    ]);
  });

  it("is not understood where it is cut off or newer, and none where git fails", async () => {
    const folder = await tempFolder({ "a.txt": "x" });
    execFileSync("git", ["init", "-q"], { cwd: folder });
    gitIn(folder)("add", ".");
    const bytes = readFileSync(join(folder, ".git/index"));
    for (const end of [11, 20, 60]) {
      expect(parseGitIndex(bytes.subarray(0, end), 20)).toEqual(
        end < 12 ? { entries: [], sharedBy: undefined } : undefined,
      );
    }
    const newer = Buffer.from(bytes);
    newer.writeUInt32BE(5, 4);
    expect(parseGitIndex(newer, 20)).toBeUndefined();
    expect(parseGitIndex(Buffer.from("x\n"), 20)?.entries).toEqual([]);
  });
});
