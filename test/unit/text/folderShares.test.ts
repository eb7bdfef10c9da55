import { expect, it } from "vitest";
import { folderShares } from "../../../src/text/folderShares.js";

const shares = (paths: string[], most: number): string[] =>
  folderShares(paths, (path) => path, most).map(
    ({ folder, shown, more }) => `${folder}: ${shown.join(" ")}${more > 0 ? ` +${more}` : ""}`,
  );

it("gives each folder its share, whichever comes first", () => {
  const many = Array.from({ length: 20 }, (_, at) => `dist/f${at}`);
  expect(shares([...many, "src/a", "src/b", "z"], 5)).toEqual([
    "dist/: dist/f0 dist/f1 +18",
    "src/: src/a src/b",
    ": z",
  ]);
});

it("tells apart the folders below the one that has everything", () => {
  expect(shares(["p/src/a", "p/src/b", "p/lib/c", "p/d"], 3)).toEqual([
    "p/src/: p/src/a +1",
    "p/lib/: p/lib/c",
    ": p/d",
  ]);
});

it("takes a changed folder for an item of the folder above it, and all of a short list", () => {
  expect(shares(["dist/", "dist/sub/", "a"], 9)).toEqual([": dist/ a", "dist/: dist/sub/"]);
  expect(shares(["x/", "x/y/"], 9)).toEqual([": x/", "x/: x/y/"]);
  expect(shares([], 9)).toEqual([]);
});

it("counts folders for which there is no room", () => {
  expect(shares(["a/1", "b/1", "c/1"], 2)).toEqual(["a/: a/1", "b/: b/1", "c/:  +1"]);
});
