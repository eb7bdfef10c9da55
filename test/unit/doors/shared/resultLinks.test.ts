import { describe, expect, test } from "vitest";
import { findLinks } from "../../../../src/doors/shared/resultLinks.js";

/** Each link as `<text> -> <path>[#<line>]`. */
function shown(text: string, data: unknown): string[] {
  const lines = text.split("\n");
  return findLinks(text, data).map(
    ({ row, start, end, path, line }) =>
      `${lines[row]?.slice(start, end)} -> ${path}${line === undefined ? "" : `#${line}`}`,
  );
}

describe("a result's links", () => {
  test("of grep lead to the file and to each line", () => {
    const text = "src/a.ts\n  3: one\n  4- two\n  --\n  9: three\nb c.md (unsaved)\n  1: four\n[4 matches in 2 files.]";
    const data = {
      matches: [{ path: "src/a.ts" }, { path: "b c.md" }],
      files: [{ path: "src/a.ts" }, { path: "b c.md" }],
    };
    expect(shown(text, data)).toEqual([
      "src/a.ts -> src/a.ts",
      "3 -> src/a.ts#3",
      "4 -> src/a.ts#4",
      "9 -> src/a.ts#9",
      "b c.md -> b c.md",
      "1 -> b c.md#1",
    ]);
  });

  test("of grep's counts lead to the files", () => {
    expect(shown("src/a.ts: 3\n[3 matches in 1 file.]", { files: [{ path: "src/a.ts", matches: 3 }] })).toEqual([
      "src/a.ts -> src/a.ts",
    ]);
  });

  test("of read lead to each line of the file", () => {
    const data = { path: "src/a.ts", content: "x\ny" };
    expect(shown("1\tx\n2\ty\n[Lines 1-2 of 9. Continue with offset=3.]", data)).toEqual([
      "1 -> src/a.ts#1",
      "2 -> src/a.ts#2",
    ]);
  });

  test("of ls lead to the files that the tree names, at any depth", () => {
    const text = "src/\n  lib/\n    a.ts  (5 bytes)\n  b.ts  (link, 3 bytes)\nsrc.md  (1 byte)";
    const folders = ["src", "src/lib"].map((path) => ({ path, kind: "directory" }));
    const data = {
      path: ".",
      entries: [...folders, ...["src/lib/a.ts", "src/b.ts", "src.md"].map((path) => ({ path, kind: "file" }))],
    };
    expect(shown(text, data)).toEqual(["a.ts -> src/lib/a.ts", "b.ts -> src/b.ts", "src.md -> src.md"]);
  });

  test("of ls of a folder stand below it", () => {
    expect(shown("a.ts  (5 bytes)", { path: "src/lib", entries: [{ path: "src/lib/a.ts" }] })).toEqual([
      "a.ts -> src/lib/a.ts",
    ]);
  });

  test("are made of nothing that only looks like a path", () => {
    expect(shown("etc/passwd\n  1: root", { files: [] })).toEqual([]);
    expect(shown("anything\n1\tx", undefined)).toEqual([]);
  });

  test("are bounded", () => {
    const paths = Array.from({ length: 9_000 }, (_, index) => `f${index}.ts`);
    expect(findLinks(paths.join("\n"), { files: paths.map((path) => ({ path })) })).toHaveLength(5_000);
  });
});
