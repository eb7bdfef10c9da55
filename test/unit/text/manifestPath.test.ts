import { describe, expect, test } from "vitest";
import { validateWorkspaceManifestPath } from "../../../src/text/manifestPath.js";

describe("a path of a workspace manifest", () => {
  test.each([
    ["src//index.ts", "src/index.ts"],
    ["./a/./b", "a/b"],
    ["a\\b", "a/b"],
    ["a/", "a"],
    ["..a/b..", "..a/b.."],
  ])("%s is %s", (path, plain) => {
    expect(validateWorkspaceManifestPath(path)).toBe(plain);
  });

  test.each([
    ["", "workspace manifest path must not be empty"],
    ["a\0b", "workspace manifest path must not contain NUL bytes"],
    ["/tmp/file.txt", "workspace manifest path must be workspace-relative"],
    ["C:\\tmp\\file.txt", "workspace manifest path must be workspace-relative"],
    ["c:/tmp", "workspace manifest path must be workspace-relative"],
    ["\\tmp\\file.txt", "workspace manifest path must be workspace-relative"],
    ["../secret.txt", "workspace manifest path cannot contain traversal segments"],
    ["a/../../b", "workspace manifest path cannot contain traversal segments"],
    ["a\\..\\b", "workspace manifest path cannot contain traversal segments"],
    [".", "workspace manifest path must not resolve to the workspace root"],
    ["././", "workspace manifest path must not resolve to the workspace root"],
  ])("%j is refused", (path, message) => {
    expect(() => validateWorkspaceManifestPath(path)).toThrow(new Error(message));
  });
});
