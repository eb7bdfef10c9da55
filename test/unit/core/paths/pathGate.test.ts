import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ToolError } from "../../../../src/core/errors.js";
import { PathGate, type PathGateHost } from "../../../../src/core/paths/pathGate.js";
import type { Root } from "../../../../src/ports/files.js";
import { FakeDisk, rootAt } from "../../features/changes/fakeDisk.js";

/** `path`, or `path -> realPath` where they differ; `type: message` of a refusal. */
async function through(host: PathGateHost, path: string): Promise<string> {
  try {
    const at = await new PathGate(host).resolve(path);
    return at.path === at.realPath ? at.path : `${at.path} -> ${at.realPath}`;
  } catch (error) {
    return error instanceof ToolError ? error.type : String(error);
  }
}

interface Case {
  what: string;
  path: string;
  result: string;
}

describe("one folder", () => {
  const disk = new FakeDisk({
    roots: [rootAt("/work")],
    paths: ["/work/src/a.ts", "/workspace/b.ts", "/work2/c.ts", "/etc/passwd", "/outside/deep/d.ts"],
    links: {
      "/work/inner": "/work/src",
      "/work/inner.ts": "/work/src/a.ts",
      "/work/out": "/outside",
      "/work/passwd": "/etc/passwd",
      "/work/broken": "/etc/new",
      "/work/loop": "/work/loop",
      "/work/chain": "/work/chain2",
      "/work/chain2": "/etc",
      "/work/around": "/outside/back",
      "/outside/back": "/work/src",
      "/work/neighbour": "/workspace",
      "/work/self": "/work",
    },
  });

  test.each<Case>([
    { what: "a file", path: "src/a.ts", result: "src/a.ts" },
    { what: "a file that does not exist yet", path: "src/new/b.ts", result: "src/new/b.ts" },
    { what: "the workspace", path: ".", result: "." },
    { what: "the workspace, absolute", path: "/work", result: "." },
    { what: "the workspace, absolute with a slash", path: "/work/", result: "." },
    { what: "dots that stay inside", path: "./src/../src//a.ts", result: "src/a.ts" },
    { what: "absolute inside", path: "/work/src/a.ts", result: "src/a.ts" },
    { what: "absolute with dots, inside", path: "/etc/../work/src/a.ts", result: "src/a.ts" },
    { what: "a file: address inside", path: "file:///work/src/a.ts", result: "src/a.ts" },
    { what: "a name that looks escaped", path: "%2e%2e/etc/passwd", result: "%2e%2e/etc/passwd" },
    { what: "backslashes are no separators here", path: "..\\..\\etc\\passwd", result: "..\\..\\etc\\passwd" },
    { what: "three dots are a name", path: ".../a", result: ".../a" },
    { what: "a link to inside", path: "inner.ts", result: "inner.ts -> src/a.ts" },
    { what: "below a link to inside", path: "inner/new.ts", result: "inner/new.ts -> src/new.ts" },
    { what: "a link out and back in", path: "around/a.ts", result: "around/a.ts -> src/a.ts" },
    { what: "a link to the workspace itself", path: "self/self/src/a.ts", result: "self/self/src/a.ts -> src/a.ts" },
  ])("lets through $what", async ({ path, result }) => {
    expect(await through(disk, path)).toBe(result);
  });

  test.each<Case>([
    { what: "its parent", path: "..", result: "outside_workspace" },
    { what: "a neighbour", path: "../etc/passwd", result: "outside_workspace" },
    { what: "dots after a name", path: "src/../../etc/passwd", result: "outside_workspace" },
    { what: "dots after a name that does not exist", path: "no/such/../../../etc/passwd", result: "outside_workspace" },
    { what: "an absolute path", path: "/etc/passwd", result: "outside_workspace" },
    { what: "an absolute path with dots", path: "/work/../etc/passwd", result: "outside_workspace" },
    { what: "the top of the disk", path: "/", result: "outside_workspace" },
    { what: "a folder whose name begins alike", path: "/workspace/b.ts", result: "outside_workspace" },
    { what: "another one", path: "/work2/c.ts", result: "outside_workspace" },
    { what: "a neighbour whose name begins alike", path: "../workspace/b.ts", result: "outside_workspace" },
    { what: "another case", path: "/WORK/src/a.ts", result: "outside_workspace" },
    { what: "an address outside", path: "file:///etc/passwd", result: "outside_workspace" },
    { what: "escaped dots in an address", path: "file:///work/%2e%2e/etc/passwd", result: "outside_workspace" },
    { what: "escaped slashes in an address", path: "file:///work/..%2F..%2Fetc/passwd", result: "outside_workspace" },
    { what: "a link to a file outside", path: "passwd", result: "outside_workspace" },
    { what: "a link to a folder outside", path: "out", result: "outside_workspace" },
    { what: "a file behind such a link", path: "out/deep/d.ts", result: "outside_workspace" },
    { what: "a file that does not exist yet, behind such a link", path: "out/new.ts", result: "outside_workspace" },
    { what: "one in folders that do not exist yet", path: "out/new/folder/new.ts", result: "outside_workspace" },
    { what: "a chain of links", path: "chain/passwd", result: "outside_workspace" },
    { what: "a link to a folder whose name begins alike", path: "neighbour/b.ts", result: "outside_workspace" },
    { what: "a link out by way of the workspace's own link", path: "self/passwd", result: "outside_workspace" },
    { what: "a link whose target does not exist", path: "broken", result: "not_found" },
    { what: "a link to itself", path: "loop", result: "not_found" },
    { what: "a NUL", path: "src/a.ts\0.png", result: "invalid_input" },
    { what: "5,000 characters", path: "a".repeat(5_000), result: "invalid_input" },
    { what: "half a surrogate pair", path: "src/\ud800", result: "invalid_input" },
    { what: "a network path", path: "//work/src/a.ts", result: "invalid_input" },
    { what: "home", path: "~/a", result: "invalid_input" },
  ])("refuses $what", async ({ path, result }) => {
    expect(await through(disk, path)).toBe(result);
  });

  test("says which path, why, and what a person can do", async () => {
    const gate = new PathGate(disk);
    await expect(gate.resolve("../a")).rejects.toMatchObject({
      message: '"../a": it leads out of the workspace.',
      hint: "Add the folder.",
    });
    await expect(gate.resolve("/etc/passwd")).rejects.toMatchObject({
      message: '"/etc/passwd": it lies outside the workspace.',
    });
    await expect(gate.resolve("passwd")).rejects.toMatchObject({
      message: '"passwd": it is a link, or is below one, that leads out of the workspace.',
    });
  });

  test("gives the host both places of a file behind a link", async () => {
    const root = disk.roots()[0];
    expect(await new PathGate(disk).resolve("inner/a.ts")).toEqual({
      path: "inner/a.ts",
      realPath: "src/a.ts",
      lexical: "/work/inner/a.ts",
      absolute: "/work/src/a.ts",
      root,
    });
  });

  test("admits what a search found inside, and leaves out the rest", async () => {
    const gate = new PathGate(disk);
    expect((await gate.admit("/work/src/a.ts"))?.path).toBe("src/a.ts");
    expect(await gate.admit("/work/out/deep/d.ts")).toBeUndefined();
    expect(await gate.admit("/etc/passwd")).toBeUndefined();
  });

  test("an error of the host that is no refusal stays one", async () => {
    const failing: PathGateHost = Object.assign(Object.create(disk) as FakeDisk, {
      roots: () => disk.roots(),
      realPath: () => Promise.reject(new Error("disk on fire")),
    });
    await expect(new PathGate(failing).admit("/work/src/a.ts")).rejects.toThrow("disk on fire");
  });

  test("nothing that is let through lies outside, whatever its spelling", async () => {
    const segment = fc.constantFrom(
      "..",
      ".",
      "",
      "src",
      "a.ts",
      "out",
      "inner",
      "self",
      "around",
      "passwd",
      "new",
      "work",
      "etc",
      "neighbour",
    );
    const path = fc.tuple(
      fc.constantFrom("", "/", "/work/", "file:///work/"),
      fc.array(segment, { minLength: 1, maxLength: 7 }),
    );
    await fc.assert(
      fc.asyncProperty(path, async ([start, segments]) => {
        try {
          const at = await new PathGate(disk).resolve(start + segments.join("/"));
          expect(`${at.absolute}/`).toMatch(/^\/work\//);
          expect(at.absolute).not.toContain("..");
          // The names it is shown by lead to the same place.
          expect(await new PathGate(disk).resolve(at.path)).toEqual(at);
          expect((await new PathGate(disk).resolve(at.realPath)).absolute).toBe(at.absolute);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("Windows", () => {
  const disk = new FakeDisk({
    windows: true,
    roots: [rootAt("C:/Work")],
    paths: ["C:/Work/Src/a.ts", "C:/Windows/win.ini"],
    links: { "C:/Work/out": "C:/Windows", "C:/Work/in": "C:/Work/Src" },
  });

  test.each<Case>([
    { what: "backslashes", path: "Src\\a.ts", result: "Src/a.ts" },
    { what: "absolute", path: "C:\\Work\\Src\\a.ts", result: "Src/a.ts" },
    { what: "another case", path: "c:\\wORK\\Src\\a.ts", result: "Src/a.ts" },
    { what: "an address as VS Code writes it", path: "file:///c%3A/Work/Src/a.ts", result: "Src/a.ts" },
    { what: "a link to inside", path: "in\\a.ts", result: "in/a.ts -> Src/a.ts" },
  ])("lets through $what", async ({ path, result }) => {
    expect(await through(disk, path)).toBe(result);
  });

  test.each<Case>([
    { what: "dots with backslashes", path: "..\\..\\Windows\\win.ini", result: "outside_workspace" },
    { what: "mixed separators", path: "Src/..\\../Windows/win.ini", result: "outside_workspace" },
    { what: "another drive", path: "D:\\Work\\Src\\a.ts", result: "outside_workspace" },
    { what: "no drive", path: "\\Work\\Src\\a.ts", result: "outside_workspace" },
    { what: "a drive's current folder", path: "C:Src\\a.ts", result: "invalid_input" },
    { what: "a link out", path: "out\\win.ini", result: "outside_workspace" },
    { what: "a new file behind a link out, in capitals", path: "OUT\\new.ini", result: "outside_workspace" },
    { what: "a stream", path: "Src\\a.ts:x", result: "invalid_input" },
    { what: "a share", path: "\\\\server\\share\\a", result: "invalid_input" },
    { what: "a share with mixed slashes", path: "/\\server\\share\\a", result: "invalid_input" },
    { what: "a device", path: "Src\\nul", result: "invalid_input" },
    { what: "a short name", path: "SRC~1\\a.ts", result: "invalid_input" },
    { what: "a name with a dot too many", path: "Src.\\a.ts", result: "invalid_input" },
  ])("refuses $what", async ({ path, result }) => {
    expect(await through(disk, path)).toBe(result);
  });
});

test("where case does not matter, a link in another case is followed", async () => {
  const disk = new FakeDisk({
    foldCase: true,
    roots: [rootAt("/Users/me/Work")],
    paths: ["/Users/me/Work/.cursor/mcp.json", "/etc/passwd"],
    links: { "/Users/me/Work/Out": "/etc" },
  });
  expect(await through(disk, "/users/ME/work/a")).toBe("a");
  expect(await through(disk, "oUT/passwd")).toBe("outside_workspace");
});

describe("several folders", () => {
  const disk = new FakeDisk({
    roots: [
      rootAt("/code/app"),
      rootAt("/code/lib"),
      rootAt("/other/app", { name: "app-2" }),
      rootAt("/code/lib/nested"),
    ],
    paths: ["/code/app/a.ts", "/code/lib/b.ts", "/other/app/c.ts", "/code/lib/nested/d.ts", "/etc/passwd"],
    links: { "/code/app/to-lib": "/code/lib", "/code/app/out": "/etc" },
  });

  test.each<Case>([
    { what: "the top", path: ".", result: "." },
    { what: "a folder", path: "lib", result: "lib" },
    { what: "a file", path: "app/a.ts", result: "app/a.ts" },
    { what: "a file of the folder with the same name", path: "app-2/c.ts", result: "app-2/c.ts" },
    { what: "an absolute path", path: "/other/app/c.ts", result: "app-2/c.ts" },
    {
      what: "what agents keep, in the first folder",
      path: ".toolhost/memory/k.md",
      result: "app/.toolhost/memory/k.md",
    },
    {
      what: "what agents keep in another folder, by its name",
      path: "lib/.toolhost/k.md",
      result: "lib/.toolhost/k.md",
    },
    { what: "out of what agents keep", path: ".toolhost/../b.ts", result: "not_found" },
    { what: "an absolute path in a nested folder", path: "/code/lib/nested/d.ts", result: "nested/d.ts" },
    { what: "the same by the outer folder", path: "lib/nested/d.ts", result: "lib/nested/d.ts" },
    { what: "from one folder to the next by dots", path: "app/../lib/b.ts", result: "lib/b.ts" },
    { what: "a link from one folder to another", path: "app/to-lib/b.ts", result: "app/to-lib/b.ts -> lib/b.ts" },
    { what: "a new file", path: "lib/new/e.ts", result: "lib/new/e.ts" },
  ])("lets through $what", async ({ path, result }) => {
    expect(await through(disk, path)).toBe(result);
  });

  test.each<Case>([
    { what: "no folder", path: "a.ts", result: "not_found" },
    { what: "another case", path: "App/a.ts", result: "not_found" },
    { what: "what lies around the folders", path: "/code", result: "outside_workspace" },
    { what: "dots above the folders", path: "app/../../etc/passwd", result: "outside_workspace" },
    { what: "a link out", path: "app/out/passwd", result: "outside_workspace" },
    { what: "a folder whose path begins alike", path: "/code/library/a", result: "outside_workspace" },
  ])("refuses $what", async ({ path, result }) => {
    expect(await through(disk, path)).toBe(result);
  });

  test("names the folders there are, and the nearest", async () => {
    await expect(new PathGate(disk).resolve("lob/b.ts")).rejects.toMatchObject({
      message: '"lob/b.ts": the workspace has several folders and none is named "lob".',
      hint: "Begin the path with a folder: app, lib, app-2, nested. For example lib/lob/b.ts.",
    });
  });

  test("the top belongs to no folder", async () => {
    expect((await new PathGate(disk).resolve(".")).root).toBeUndefined();
  });
});

describe("folders let in beside the workspace", () => {
  const disk = new FakeDisk({
    roots: [rootAt("/work"), rootAt("/data", { beside: true })],
    paths: ["/work/a.ts", "/data/b.csv", "/database/c", "/etc/passwd"],
    links: { "/work/to-data": "/data", "/data/out": "/etc" },
  });

  test.each<Case>([
    { what: "is named by its absolute path", path: "/data/b.csv", result: "/data/b.csv" },
    { what: "leaves the workspace's own paths short", path: "a.ts", result: "a.ts" },
    { what: "is not what . means", path: ".", result: "." },
    { what: "may be linked to", path: "to-data/b.csv", result: "to-data/b.csv -> /data/b.csv" },
    { what: "has no short name", path: "data/b.csv", result: "data/b.csv" },
    { what: "does not let out", path: "/data/out/passwd", result: "outside_workspace" },
    { what: "does not let its neighbours in", path: "/database/c", result: "outside_workspace" },
    { what: "is not reached by dots", path: "../data/b.csv", result: "outside_workspace" },
  ])("$what", async ({ path, result }) => {
    expect(await through(disk, path)).toBe(result);
  });

  test("is no workspace", async () => {
    expect(await through(new FakeDisk({ roots: [rootAt("/data", { beside: true })] }), "/data/a")).toBe("unavailable");
  });
});

describe("odd workspaces", () => {
  test.each(["a.ts", ".", "/etc/passwd"])("no folder open: %s", async (path) => {
    await expect(new PathGate(new FakeDisk({ roots: [] })).resolve(path)).rejects.toMatchObject({
      type: "unavailable",
      message: `${JSON.stringify(path)}: no folder is open.`,
      hint: "Open a folder.",
    });
  });

  test("a hostile path is refused as such even with no folder open", async () => {
    expect(await through(new FakeDisk({ roots: [] }), "a\0")).toBe("invalid_input");
  });

  test("the whole disk is the workspace", async () => {
    const disk = new FakeDisk({
      roots: [rootAt("/", { name: "root" })],
      paths: ["/etc/passwd"],
      links: { "/tmp/l": "/etc" },
    });
    expect(await through(disk, "/")).toBe(".");
    expect(await through(disk, "etc/passwd")).toBe("etc/passwd");
    expect(await through(disk, "/etc/new/a")).toBe("etc/new/a");
    expect(await through(disk, "tmp/l/passwd")).toBe("tmp/l/passwd -> etc/passwd");
    expect(await through(disk, "../etc/passwd")).toBe("outside_workspace");
  });

  test("a folder that is reached through a link is known by both its paths", async () => {
    const disk = new FakeDisk({
      roots: [rootAt("/home/me/work")],
      paths: ["/mnt/disk/work/a.ts", "/mnt/disk/other/b.ts"],
      links: { "/home/me/work": "/mnt/disk/work" },
    });
    expect(await through(disk, "a.ts")).toBe("a.ts");
    expect(await through(disk, "/home/me/work/a.ts")).toBe("a.ts");
    expect(await through(disk, "/mnt/disk/work/a.ts")).toBe("a.ts");
    expect(await through(disk, "/mnt/disk/work/new/a.ts")).toBe("new/a.ts");
    expect(await through(disk, "/mnt/disk/other/b.ts")).toBe("outside_workspace");
    expect((await new PathGate(disk).resolve("a.ts")).absolute).toBe("/mnt/disk/work/a.ts");
  });

  test("a folder that went away holds nothing outside it", async () => {
    const gone: PathGateHost = Object.assign(Object.create(new FakeDisk({ roots: [] })) as FakeDisk, {
      roots: () => [rootAt("/gone/work")],
      realPath: () => Promise.resolve(undefined),
    });
    expect(await through(gone, "a/b.ts")).toBe("a/b.ts");
    expect(await through(gone, "/gone/b.ts")).toBe("outside_workspace");
  });

  test("a link from a local folder does not reach a virtual one of the same path", async () => {
    const disk = new FakeDisk({
      roots: [rootAt("/work"), rootAt("/remote", { scheme: "memfs" })],
      paths: ["/remote/a"],
      links: { "/work/l": "/remote" },
    });
    expect(await through(disk, "work/l/a")).toBe("outside_workspace");
    expect(await through(disk, "remote/a")).toBe("remote/a");
  });
});

describe("a network share as the workspace, on Windows", () => {
  /** Remembers the machines that it is asked about. */
  class WatchedDisk extends FakeDisk {
    readonly asked = new Set<string>();
    override realPath(root: Root, path: string): Promise<string | undefined> {
      this.asked.add(/^\/\/[^/]+\/[^/]+|^.:|^/.exec(path)?.[0] ?? "");
      return super.realPath(root, path);
    }
  }
  const paths = ["//server/share/work/Src/a.ts", "//server/share/other/b.ts", "C:/Windows/win.ini", "//evil/share/x"];
  const share = (roots = [rootAt("//server/share/work")]): WatchedDisk =>
    new WatchedDisk({
      ...{ windows: true, roots, paths },
      links: { "//server/share/work/in": "//server/share/work/Src", "//server/share/work/out": "//server/share/other" },
    });

  test.each<Case>([
    { what: "a relative path", path: "Src/a.ts", result: "Src/a.ts" },
    { what: "a file that is not there yet", path: "new/deep/b.ts", result: "new/deep/b.ts" },
    { what: "its own network path", path: "\\\\server\\share\\work\\Src\\a.ts", result: "Src/a.ts" },
    { what: "its own network path, in another case", path: "//SERVER/Share/work/Src/a.ts", result: "Src/a.ts" },
    { what: "the folder itself", path: "\\\\server\\share\\work", result: "." },
    { what: "a link to inside", path: "in/a.ts", result: "in/a.ts -> Src/a.ts" },
    { what: "a link to elsewhere on the share", path: "out/b.ts", result: "outside_workspace" },
    { what: "dots", path: "../other/b.ts", result: "outside_workspace" },
    { what: "dots behind its own path", path: "//server/share/work/../other/b.ts", result: "outside_workspace" },
    {
      what: "more dots than folders",
      path: "//server/share/work/../../../../evil/share/x",
      result: "outside_workspace",
    },
    { what: "another folder of the share", path: "//server/share/other/b.ts", result: "invalid_input" },
    { what: "another machine", path: "\\\\evil\\share\\x", result: "invalid_input" },
    { what: "a drive", path: "C:/Windows/win.ini", result: "outside_workspace" },
    { what: "no drive", path: "/server/share/work/Src/a.ts", result: "outside_workspace" },
  ])("$what", async ({ path, result }) => {
    const disk = share();
    expect(await through(disk, path)).toBe(result);
    // A path with one slash has its first folder looked for on the current drive.
    expect([...disk.asked].filter((each) => each !== "" && each !== "//server/share")).toEqual([]);
  });

  test("what lies beside it is found only on the share, once somebody agreed", async () => {
    const disk = share();
    expect(await new PathGate(disk).outside("../other/b.ts")).toMatchObject({
      ...{ path: "//server/share/other/b.ts", absolute: "//server/share/other/b.ts", outside: true },
    });
    expect([...disk.asked]).toEqual(["//server/share"]);
  });

  test("what a search found there is let through", async () => {
    expect((await new PathGate(share()).admit("//server/share/work/Src/a.ts"))?.path).toBe("Src/a.ts");
  });

  test("a drive that is a share has its files under both names", async () => {
    const disk = new FakeDisk({
      ...{ windows: true, roots: [rootAt("Z:/work")], paths },
      links: { "Z:/work": "//server/share/work" },
    });
    expect(await through(disk, "Src/a.ts")).toBe("Src/a.ts");
    expect(await through(disk, "new/b.ts")).toBe("new/b.ts");
    expect(await through(disk, "Z:\\work\\Src\\a.ts")).toBe("Src/a.ts");
  });

  test.each([
    { what: "the top of a drive", root: "Z:/", path: "Z:\\a.ts" },
    { what: "a folder by its short name", root: "C:/Users/RUNNER~1/work", path: "C:\\Users\\RUNNER~1\\work\\a.ts" },
  ])("$what as the workspace", async ({ root, path }) => {
    const disk = new FakeDisk({ windows: true, roots: [rootAt(root)], paths: [path.replaceAll("\\", "/")] });
    expect(await through(disk, path)).toBe("a.ts");
    expect(await through(disk, "a.ts")).toBe("a.ts");
    expect((await new PathGate(disk).admit(path))?.path).toBe("a.ts");
  });
});
