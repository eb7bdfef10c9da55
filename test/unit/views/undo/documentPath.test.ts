import { expect, test } from "vitest";
import { documentPath, isSamePath, type Address } from "../../../../src/views/undo/documentPath.js";

test.each<[string, Address, string | undefined]>([
  ["in the workspace", { scheme: "file", fsPath: "/w/a.ts" }, "a.ts"],
  ["in a virtual workspace", { scheme: "memfs", fsPath: "/w/a.ts" }, "a.ts"],
  ["outside", { scheme: "file", fsPath: "/other/a.ts" }, "/other/a.ts"],
  ["outside with such a name", { scheme: "file", fsPath: "/other/a\\b.ts" }, "/other/a\\b.ts"],
  ["outside on Windows", { scheme: "file", fsPath: "c:\\other\\a.ts" }, "c:/other/a.ts"],
  ["that no tool can reach", { scheme: "file", fsPath: "/hidden/a.ts" }, undefined],
  ["as Git has it", { scheme: "git", fsPath: "/other/a.ts" }, undefined],
])("changes are listed by the path of a file %s", async (_where, uri, path) => {
  const files = {
    pathOf: async ({ scheme, fsPath }: Address) =>
      scheme !== "git" && fsPath.startsWith("/w/") ? fsPath.slice("/w/".length) : undefined,
    outside: async (given: string) => {
      if (given.startsWith("/hidden")) {
        throw new Error("hidden");
      }
      return { path: given };
    },
  };
  expect(await documentPath(uri, files)).toBe(path);
});

test.each([
  ["C:/other/a.ts", "c:/other/a.ts", true],
  ["C:/other/a.ts", "c:/other/A.ts", false],
  ["a.ts", "a.ts", true],
  ["a.ts", undefined, false],
])("%s and %s are the same: %s", (one, other, expected) => {
  expect(isSamePath(one, other)).toBe(expected);
});
