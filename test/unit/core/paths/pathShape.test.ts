import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ToolError } from "../../../../src/core/errors.js";
import {
  baseName,
  checkPathShape,
  joinPath,
  normalisePath,
  parentPath,
  pathBelow,
  withoutLastSlash,
} from "../../../../src/core/paths/pathShape.js";

/** The type of the error that a path is refused with, `ok` when it is let through. */
function verdict(path: string, windows: boolean): string {
  try {
    checkPathShape(path, windows);
    return "ok";
  } catch (error) {
    return error instanceof ToolError ? error.type : "no ToolError";
  }
}

describe("refused on every system", () => {
  test.each([
    { what: "empty", path: "" },
    { what: "NUL", path: "a\0.txt" },
    { what: "NUL in an address", path: "file:///work/a%00.txt" },
    { what: "half a surrogate pair", path: "a\ud83d.txt" },
    { what: "the other half", path: "\ude00" },
    { what: "5,000 characters", path: "a/".repeat(2_500) },
    { what: "10 MB", path: "a".repeat(10_000_000) },
    { what: "UNC", path: "\\\\server\\share\\a" },
    { what: "UNC with slashes", path: "//server/share/a" },
    { what: "device namespace", path: "\\\\.\\PhysicalDrive0" },
    { what: "long path prefix", path: "\\\\?\\C:\\work\\a" },
    { what: "UNC as an address", path: "file:////server/share/a" },
    { what: "another machine", path: "file://server/share/a" },
    { what: "another machine in capitals", path: "FILE://server/share/a" },
    { what: "broken escapes", path: "file:///work/%E0%A4%A" },
    { what: "another scheme", path: "https://example.com/a" },
    { what: "a remote address", path: "vscode-remote://ssh+host/work/a" },
    { what: "an NTFS stream", path: "a.txt::$DATA" },
    { what: "a named NTFS stream", path: ".git::$INDEX_ALLOCATION/config" },
    { what: "a stream in an address", path: "file:///work/a.txt::%24DATA" },
    { what: "home", path: "~/.ssh/id_rsa" },
    { what: "home alone", path: "~" },
  ])("$what", ({ path }) => {
    expect(verdict(path, false)).toBe("invalid_input");
    expect(verdict(path, true)).toBe("invalid_input");
  });
});

test.each([
  { path: "src\\a.ts:10", hint: "Did you mean src/a.ts, with offset=10?" },
  { path: "C:/src/a.ts:10-20", hint: "Did you mean C:/src/a.ts, with offset=10?" },
  { path: "a.ts:10:5", hint: "Did you mean a.ts, with offset=10?" },
  { path: "a.ts:10/b", hint: "Give a path relative to the workspace, with / between its parts." },
  { path: "a.ts:hidden", hint: "Give a path relative to the workspace, with / between its parts." },
])("a line behind a path, which Windows would take for a stream, is understood: $path", ({ path, hint }) => {
  expect(() => checkPathShape(path, true)).toThrow(expect.objectContaining({ type: "invalid_input", hint }) as Error);
});

describe("refused on Windows only", () => {
  test.each([
    { what: "stream", path: "a.txt:hidden" },
    { what: "stream of a folder", path: "src:s/a" },
    { what: "device", path: "NUL" },
    { what: "device in a folder", path: "src/con" },
    { what: "device with an extension", path: "aux.txt" },
    { what: "device with two", path: "Com1.tar.gz" },
    { what: "device with a superscript digit", path: "COM¹" },
    { what: "device with blanks before its extension", path: "nul .txt" },
    { what: "console", path: "CONIN$" },
    { what: "device as a folder", path: "lpt9/a" },
    { what: "trailing dot", path: "package.json." },
    { what: "trailing blank", path: "package.json " },
    { what: "trailing dot of a folder", path: ".git./config" },
    { what: "three dots", path: ".../a" },
    { what: "dots and a blank", path: ".. /a" },
    { what: "short name", path: "PROGRA~1/a" },
    { what: "short name of .git", path: "GIT~1/config" },
    { what: "relative to a drive", path: "C:a.txt" },
    { what: "a drive alone", path: "C:" },
    { what: "relative to a drive, in an address", path: "file:///C:a.txt" },
    { what: "UNC with mixed slashes", path: "/\\server\\share" },
    { what: "UNC with mixed slashes, turned round", path: "\\/server/share" },
    { what: "UNC by an escape", path: "file:///%5Cserver/share" },
    { what: "NT namespace", path: "\\??\\C:\\work\\a" },
    { what: "a name longer than any", path: `src/${"n".repeat(256)}` },
    { what: "a folder's name longer than any", path: `${"n".repeat(256)}/a` },
  ])("$what: $path", ({ path }) => {
    expect(verdict(path, true)).toBe("invalid_input");
  });

  test.each(["a.txt:hidden", "NUL", "aux.txt", "package.json.", "PROGRA~1/a", "C:a.txt", ".../a", "lib/Foo::Bar.3pm"])(
    "%s is an ordinary name elsewhere",
    (path) => {
      expect(checkPathShape(path, false)).toBe(path);
    },
  );
});

test("a Windows path is refused where the workspace is not on Windows", () => {
  expect(() => checkPathShape("C:\\work\\a", false)).toThrow("a Windows path, but the workspace is not on Windows.");
  expect(verdict("file:///C:/work/a", false)).toBe("invalid_input");
});

describe("let through", () => {
  test.each([
    { path: "src/a.ts", windows: false, result: "src/a.ts" },
    { path: ".", windows: false, result: "." },
    { path: "../a", windows: false, result: "../a" },
    { path: "a\\b", windows: false, result: "a\\b" },
    { path: "a\\b", windows: true, result: "a/b" },
    { path: "C:\\work\\a", windows: true, result: "C:/work/a" },
    { path: "%2e%2e/a", windows: false, result: "%2e%2e/a" },
    { path: "a~b.txt", windows: true, result: "a~b.txt" },
    { path: "~x", windows: false, result: "~x" },
    { path: "./~", windows: false, result: "./~" },
    { path: "console.log", windows: true, result: "console.log" },
    { path: "com10", windows: true, result: "com10" },
    { path: "nulls/a", windows: true, result: "nulls/a" },
    { path: "..", windows: true, result: ".." },
    { path: "a\nb", windows: false, result: "a\nb" },
    { path: "日本/😀", windows: true, result: "日本/😀" },
    { path: "file:///work/a%20b.txt", windows: false, result: "/work/a b.txt" },
    { path: "file:///c%3A/work/a", windows: true, result: "c:/work/a" },
    { path: "file:///work/%2e%2e/etc", windows: false, result: "/work/../etc" },
    { path: "FILE:///work/a", windows: false, result: "/work/a" },
  ])("$path on $windows", ({ path, windows, result }) => {
    expect(checkPathShape(path, windows)).toBe(result);
  });
});

describe("below folders that the user opened on Windows", () => {
  const share = "//Server/share/work";
  const short = "C:/Users/RUNNER~1/work";
  test.each([
    {
      what: "a share, with backslashes",
      path: "\\\\server\\share\\work\\src\\a.ts",
      result: "//server/share/work/src/a.ts",
    },
    { what: "a share, with slashes", path: "//Server/share/work/a", result: "//Server/share/work/a" },
    { what: "a share, with both", path: "\\/server/share\\work/a", result: "//server/share/work/a" },
    { what: "the share's folder itself", path: "//server/SHARE/work/", result: "//server/SHARE/work/" },
    { what: "a short name", path: "C:\\Users\\RUNNER~1\\work\\a", result: "C:/Users/RUNNER~1/work/a" },
    {
      what: "long names whose path is long",
      path: `${short}/${"n".repeat(255)}/${"m".repeat(255)}`,
      result: undefined,
    },
  ])("lets through $what", ({ path, result }) => {
    expect(checkPathShape(path, true, [share, short])).toBe(result ?? path);
  });

  test.each([
    { what: "another folder of the share", path: "//server/share/other/a" },
    { what: "a folder whose name begins alike", path: "//server/share/work2/a" },
    { what: "another share", path: "//server/c$/work/a" },
    { what: "another server", path: "\\\\evil\\share\\work\\a" },
    { what: "the share by the long path prefix", path: "\\\\?\\UNC\\server\\share\\work\\a" },
    { what: "the share's server as a device", path: "\\\\.\\UNC\\server\\share\\work\\a" },
    { what: "the share as an address", path: "file://server/share/work/a" },
    { what: "another short name", path: "C:/Users/RUNNER~2/work/a" },
    { what: "a short name in the folder", path: "C:/Users/RUNNER~1/work/GIT~1/config" },
    { what: "a short name in the share", path: "//server/share/work/GIT~1/config" },
    { what: "a stream in the share", path: "//server/share/work/a:b" },
    { what: "a device in the share", path: "//server/share/work/nul" },
  ])("refuses $what", ({ path }) => {
    expect(() => checkPathShape(path, true, [share, short, "/"])).toThrow(ToolError);
  });

  test("a share is no folder elsewhere", () => {
    expect(() => checkPathShape("//server/share/work/a", false, [share])).toThrow("a network or device path.");
  });
});

test.each([
  { path: "//server/share/a/../b", normal: "//server/share/b", parent: "//server/share" },
  { path: "//server/share/../../other/x/./y", normal: "//server/share/other/x/y", parent: "//server/share/other/x" },
  { path: "//server/share", normal: "//server/share", parent: "//server/share" },
  { path: "//server/share/", normal: "//server/share/", parent: "//server/share/" },
  { path: "C:/a/../../b", normal: "C:/b", parent: "C:/" },
  { path: "C:/", normal: "C:/", parent: "C:/" },
])("no dots lead out of a share, and nothing is above it: $path", ({ path, normal, parent }) => {
  expect(normalisePath(path, true)).toBe(normal);
  expect(parentPath(normal)).toBe(parent);
});

test.each([
  { path: "C:/", result: "C:/" },
  { path: "/", result: "/" },
  { path: "C:/work/", result: "C:/work" },
  { path: "/work/", result: "/work" },
  { path: "/work", result: "/work" },
  { path: "//server/share/", result: "//server/share" },
])("a folder has no slash at its end, but the top of a disk has: $path", ({ path, result }) => {
  expect(withoutLastSlash(path)).toBe(result);
});

test("a refusal names the path, short, and the next step", () => {
  const refusal = (path: string): ToolError => {
    try {
      checkPathShape(path, false);
    } catch (error) {
      if (error instanceof ToolError) {
        return error;
      }
    }
    throw new Error("not refused");
  };
  expect(refusal("a\0").message).toBe('"a\\u0000": a path with a NUL character.');
  expect(refusal("a\0").hint).toBe("Give a path relative to the workspace, with / between its parts.");
  expect(refusal("").message).toBe('"": an empty path. Use . for the workspace itself.');
  expect(refusal("a".repeat(10_000_000)).message.length).toBeLessThan(250);
});

describe("normalisePath", () => {
  test.each([
    ["a/b", "a/b"],
    ["./a//b/", "a/b"],
    ["a/../b", "b"],
    ["a/..", "."],
    ["", "."],
    ["a/../..", ".."],
    ["../../a", "../../a"],
    ["a/b/../../../c", "../c"],
    ["/", "/"],
    ["/..", "/"],
    ["/a/../../etc", "/etc"],
    ["/a/./b/", "/a/b"],
    ["C:/a/..", "C:/"],
    ["C:/../../a", "C:/a"],
    ["...", "..."],
  ])("%s is %s", (path, normal) => {
    expect(normalisePath(path)).toBe(normal);
  });

  test("is what a walk along the path gives, and done once is done", () => {
    const path = fc
      .array(fc.constantFrom("a", "b", ".", "..", ""), { maxLength: 8 })
      .map((segments) => segments.join("/"));
    fc.assert(
      fc.property(path, (given) => {
        const normal = normalisePath(given);
        expect(normalisePath(normal)).toBe(normal);
        // A URL resolves dots the same way; a base deep enough keeps `..` from reaching its top.
        const walked = (from: string): string =>
          new URL(`x:${from.startsWith("/") ? "" : "/1/2/3/4/5/6/7/8/9/"}${from}/`.replaceAll(/\/+/g, "/")).pathname;
        expect(walked(normal)).toBe(walked(given));
      }),
    );
  });
});

describe("pathBelow", () => {
  test.each([
    { folder: "/work", path: "/work/a/b", fold: false, below: "a/b" },
    { folder: "/work", path: "/work", fold: false, below: "." },
    { folder: "/work", path: "/workspace/a", fold: false, below: undefined },
    { folder: "/work", path: "/work2", fold: false, below: undefined },
    { folder: "/work/a", path: "/work", fold: false, below: undefined },
    { folder: "/", path: "/etc/passwd", fold: false, below: "etc/passwd" },
    { folder: "/", path: "/", fold: false, below: "." },
    { folder: "C:/", path: "C:/a", fold: true, below: "a" },
    { folder: "/Work", path: "/wORK/Src/a", fold: true, below: "Src/a" },
    { folder: "/Work", path: "/wORK/a", fold: false, below: undefined },
    // Lower case may have another length than the original: the rest begins at a segment all the same.
    { folder: "/wi̇rk", path: "/wİrk/secret/a", fold: true, below: "secret/a" },
    { folder: "/wİrk", path: "/wi̇rk/secret/a", fold: true, below: "secret/a" },
  ])("$path in $folder, fold $fold", ({ folder, path, fold, below }) => {
    expect(pathBelow(folder, path, fold)).toBe(below);
  });

  test("joined again, it is the path", () => {
    const segments = fc.array(fc.constantFrom("a", "b", "A"), { maxLength: 4 });
    fc.assert(
      fc.property(segments, segments, (folder, rest) => {
        const [top, path] = [`/${folder.join("/")}`, normalisePath(`/${[...folder, ...rest].join("/")}`)];
        expect(joinPath(top, pathBelow(top, path, false) ?? "outside")).toBe(path);
      }),
    );
  });
});

test("joinPath, parentPath and baseName know the top of a disk", () => {
  expect([joinPath("/", "a"), joinPath("/work", "."), joinPath("C:/", "a/b"), joinPath("/work", "a")]).toEqual([
    "/a",
    "/work",
    "C:/a/b",
    "/work/a",
  ]);
  expect(["/a/b", "/a", "/", "C:/a", "C:/", "/a/C:/b", "a/b", "a"].map(parentPath)).toEqual([
    "/a",
    "/",
    "/",
    "C:/",
    "C:/",
    "/a/C:",
    "a",
    ".",
  ]);
  expect(["/a/b", "/a", "a", "a/b.c"].map(baseName)).toEqual(["b", "a", "a", "b.c"]);
});
