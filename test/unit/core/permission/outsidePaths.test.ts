import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ToolError } from "../../../../src/core/errors.js";
import { PathGate, type PathGateHost } from "../../../../src/core/paths/pathGate.js";
import { protectedReason, secretReason } from "../../../../src/core/paths/protectedFiles.js";
import { FakeDisk, rootAt } from "../../features/changes/fakeDisk.js";

/** `out: path` or `in: path`, with `-> realPath` where that is another; the type of a refusal. */
async function reached(host: PathGateHost, path: string, within?: string): Promise<string> {
  const gate = new PathGate(host);
  try {
    const at = await gate.outside(path, within === undefined ? undefined : await gate.outside(within));
    return `${at.outside ? "out" : "in"}: ${at.path}${at.path === at.realPath ? "" : ` -> ${at.realPath}`}`;
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
    roots: [rootAt("/home/me/work")],
    paths: [
      "/home/me/work/src/a.ts",
      "/home/me/work/.env",
      "/home/me/notes.txt",
      "/home/me/workspace/b.ts",
      "/etc/hosts",
      "/data/deep/d.csv",
      "/home/me/.ssh/id_rsa",
    ],
    links: {
      "/home/me/work/out": "/data",
      "/home/me/work/hosts": "/etc/hosts",
      "/home/me/work/broken": "/etc/new",
      "/data/back": "/home/me/work/src",
      "/data/env": "/home/me/work/.env",
      "/data/on": "/etc",
      "/data/broken": "/etc/none",
      "/data/loop": "/data/loop",
      "/data/keys": "/home/me/.ssh",
    },
  });

  test.each<Case>([
    { what: "a file", path: "src/a.ts", result: "in: src/a.ts" },
    { what: "one that is not there yet", path: "src/new/b.ts", result: "in: src/new/b.ts" },
    { what: "the workspace itself", path: "/home/me/work", result: "in: ." },
    { what: "an absolute path", path: "/home/me/work/src/a.ts", result: "in: src/a.ts" },
    { what: "an absolute path with dots", path: "/etc/../home/me/work/src/a.ts", result: "in: src/a.ts" },
    { what: "up and down again", path: "../work/src/a.ts", result: "in: src/a.ts" },
    { what: "a link outside that leads in", path: "/data/back/a.ts", result: "in: src/a.ts" },
    {
      what: "a link in that leads out and in again",
      path: "out/back/new.ts",
      result: "in: out/back/new.ts -> src/new.ts",
    },
    { what: "a secret by a harmless name outside", path: "/data/env", result: "in: .env" },
  ])("inside stays inside: $what", async ({ path, result }) => {
    expect(await reached(disk, path)).toBe(result);
  });

  test.each<Case>([
    { what: "a file", path: "/etc/hosts", result: "out: /etc/hosts" },
    { what: "a folder", path: "/data", result: "out: /data" },
    { what: "a folder with a slash", path: "/data/", result: "out: /data" },
    { what: "the top of the disk", path: "/", result: "out: /" },
    { what: "the workspace's parent", path: "..", result: "out: /home/me" },
    { what: "the parent, absolute", path: "/home/me", result: "out: /home/me" },
    { what: "a neighbour", path: "../notes.txt", result: "out: /home/me/notes.txt" },
    { what: "a neighbour, by way of a folder", path: "src/../../notes.txt", result: "out: /home/me/notes.txt" },
    {
      what: "a neighbour whose name begins alike",
      path: "/home/me/workspace/b.ts",
      result: "out: /home/me/workspace/b.ts",
    },
    { what: "more dots than folders", path: "../../../../../../etc/hosts", result: "out: /etc/hosts" },
    { what: "a file that is not there", path: "/etc/none", result: "out: /etc/none" },
    { what: "one in folders that are not there", path: "/srv/none/at/all.txt", result: "out: /srv/none/at/all.txt" },
    { what: "an address", path: "file:///etc/ho%73ts", result: "out: /etc/hosts" },
    {
      what: "an address with escaped slashes",
      path: "file:///home/me/work/..%2F..%2F..%2Fetc/hosts",
      result: "out: /etc/hosts",
    },
    { what: "a link of the workspace to a file", path: "hosts", result: "out: /home/me/work/hosts -> /etc/hosts" },
    { what: "a link of the workspace to a folder", path: "out", result: "out: /home/me/work/out -> /data" },
    {
      what: "a file behind it",
      path: "out/deep/d.csv",
      result: "out: /home/me/work/out/deep/d.csv -> /data/deep/d.csv",
    },
    {
      what: "a new file in a new folder behind it",
      path: "out/new/e.csv",
      result: "out: /home/me/work/out/new/e.csv -> /data/new/e.csv",
    },
    {
      what: "behind it, and a link there",
      path: "out/on/hosts",
      result: "out: /home/me/work/out/on/hosts -> /etc/hosts",
    },
    { what: "a link outside", path: "/data/on/hosts", result: "out: /data/on/hosts -> /etc/hosts" },
  ])("outside is told by its absolute path: $what", async ({ path, result }) => {
    expect(await reached(disk, path)).toBe(result);
  });

  test.each<Case>([
    { what: "nothing", path: "", result: "invalid_input" },
    { what: "a NUL", path: "/etc/hosts\0.txt", result: "invalid_input" },
    { what: "half a surrogate pair", path: "/etc/\ud800", result: "invalid_input" },
    { what: "5,000 characters", path: `/${"a".repeat(5_000)}`, result: "invalid_input" },
    { what: "home", path: "~/notes.txt", result: "invalid_input" },
    { what: "a share", path: "\\\\server\\share\\a", result: "invalid_input" },
    { what: "a share with slashes", path: "//server/share/a", result: "invalid_input" },
    { what: "a device path", path: "\\\\.\\pipe\\a", result: "invalid_input" },
    { what: "a stream", path: "/etc/hosts:$DATA", result: "invalid_input" },
    { what: "a Windows path", path: "C:\\Windows\\win.ini", result: "invalid_input" },
    { what: "a web address", path: "https://example.com/a", result: "invalid_input" },
    { what: "an address of the editor", path: "vscode-remote://ssh/etc/hosts", result: "invalid_input" },
    { what: "another machine's file", path: "file://host/etc/hosts", result: "invalid_input" },
    { what: "a link to what is not there", path: "/data/broken", result: "not_found" },
    { what: "such a link of the workspace", path: "broken", result: "not_found" },
    { what: "a link to itself", path: "/data/loop", result: "not_found" },
  ])("refuses $what", async ({ path, result }) => {
    expect(await reached(disk, path)).toBe(result);
  });

  test.each<Case>([
    { what: "a file of it", path: "/data/deep/d.csv", result: "out: /data/deep/d.csv" },
    { what: "itself", path: "/data", result: "out: /data" },
    { what: "a file that is not there yet", path: "/data/new/e.csv", result: "out: /data/new/e.csv" },
    { what: "not what lies beside it", path: "/etc/hosts", result: "outside_workspace" },
    { what: "not what lies above it", path: "/", result: "outside_workspace" },
    { what: "nothing by dots", path: "/data/../etc/hosts", result: "outside_workspace" },
    { what: "not what a link of it leads to", path: "/data/on/hosts", result: "outside_workspace" },
    { what: "not even in the workspace", path: "/data/back/a.ts", result: "outside_workspace" },
    { what: "nothing of the workspace", path: "src/a.ts", result: "outside_workspace" },
    { what: "no hostile shape", path: "/data/\0", result: "invalid_input" },
  ])("within a folder that was let through: $what", async ({ path, result }) => {
    expect(await reached(disk, path, "/data")).toBe(result);
  });

  test("within a folder that holds the workspace, its files are parts of the folder", async () => {
    expect(await reached(disk, "/home/me/work/src/a.ts", "/home/me")).toBe("out: /home/me/work/src/a.ts");
    expect(await reached(disk, "/home/me/work/out/deep/d.csv", "/home/me")).toBe("outside_workspace");
  });

  test("what lies inside is no place to look within", async () => {
    expect(await reached(disk, "src/a.ts", "src")).toBe("outside_workspace");
  });

  test("a link that was exchanged after its folder was let through leads nowhere new", async () => {
    const before = await new PathGate(
      new FakeDisk({ roots: [rootAt("/w")], paths: ["/a/f", "/b/f"], links: { "/link": "/a" } }),
    ).outside("/link");
    const after = new PathGate(
      new FakeDisk({ roots: [rootAt("/w")], paths: ["/a/f", "/b/f"], links: { "/link": "/b" } }),
    );
    expect(before.absolute).toBe("/a");
    await expect(after.outside("/link/f", before)).rejects.toMatchObject({ type: "outside_workspace" });
  });

  test("gives the host all it needs, and a root of its own", async () => {
    expect(await new PathGate(disk).outside("out/deep/d.csv")).toEqual({
      path: "/home/me/work/out/deep/d.csv",
      realPath: "/data/deep/d.csv",
      lexical: "/home/me/work/out/deep/d.csv",
      absolute: "/data/deep/d.csv",
      root: { name: "d.csv", path: "/home/me/work/out/deep/d.csv", scheme: "file", beside: true },
      outside: true,
    });
  });

  test("what is inside has no mark", async () => {
    expect(await new PathGate(disk).outside("src/a.ts")).toEqual(await new PathGate(disk).resolve("src/a.ts"));
    expect(await new PathGate(disk).outside("/data/back/a.ts")).not.toHaveProperty("outside");
  });

  test.each([
    { path: "/home/me/.ssh/id_rsa", secret: true },
    { path: "/data/keys/id_rsa", secret: true },
    { path: "/data/keys/config", secret: true },
    { path: "/data/deep/d.csv", secret: false },
  ])("secrets outside are known as such: $path", async ({ path, secret }) => {
    const { realPath, absolute } = await new PathGate(disk).outside(path);
    expect([realPath, absolute].map((each) => secretReason(each) !== undefined)).toEqual([secret, secret]);
  });

  test("protected files outside are known as such", async () => {
    expect(protectedReason((await new PathGate(disk).outside("../.bashrc")).path)).toBeDefined();
  });

  test("resolve lets none of it through", async () => {
    for (const path of ["/etc/hosts", "..", "out", "/data/back/a.ts"]) {
      await expect(new PathGate(disk).resolve(path)).rejects.toMatchObject({ type: "outside_workspace" });
    }
  });

  test("a mark says where a path really lies, whatever its spelling", async () => {
    const segment = fc.constantFrom(
      "..",
      ".",
      "",
      "src",
      "a.ts",
      "out",
      "back",
      "on",
      "hosts",
      "data",
      "home",
      "me",
      "work",
      "etc",
      "new",
      "deep",
    );
    const path = fc.tuple(
      fc.constantFrom("", "/", "/home/me/work/", "/data/", "file:///data/"),
      fc.array(segment, { minLength: 1, maxLength: 7 }),
    );
    await fc.assert(
      fc.asyncProperty(path, async ([start, segments]) => {
        try {
          const gate = new PathGate(disk);
          const at = await gate.outside(start + segments.join("/"));
          const liesInside = `${at.absolute}/`.startsWith("/home/me/work/");
          expect(at.outside).toBe(liesInside ? undefined : true);
          expect(at.absolute).not.toContain("..");
          // The names it is shown by lead to the same place.
          expect((await gate.outside(at.path)).absolute).toBe(at.absolute);
          expect((await gate.outside(at.realPath)).absolute).toBe(at.absolute);
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
    paths: ["C:/Work/Src/a.ts", "C:/Windows/win.ini", "D:/data/b.csv"],
    links: { "C:/Work/out": "C:/Windows", "D:/data/back": "C:/Work/Src" },
  });

  test.each<Case>([
    { what: "inside in another case", path: "c:\\wORK\\Src\\a.ts", result: "in: Src/a.ts" },
    { what: "a file", path: "C:\\Windows\\win.ini", result: "out: C:/Windows/win.ini" },
    { what: "dots", path: "..\\Windows\\win.ini", result: "out: C:/Windows/win.ini" },
    { what: "another drive", path: "D:\\data\\b.csv", result: "out: D:/data/b.csv" },
    { what: "a drive that is not there", path: "Z:\\none\\b.csv", result: "out: Z:/none/b.csv" },
    { what: "a link out, in capitals", path: "OUT\\new.ini", result: "out: C:/Work/OUT/new.ini -> C:/Windows/new.ini" },
    { what: "a link back", path: "D:\\data\\back\\a.ts", result: "in: Src/a.ts" },
    { what: "no drive, which is any", path: "\\Windows\\win.ini", result: "outside_workspace" },
    { what: "a drive's current folder", path: "D:b.csv", result: "invalid_input" },
    { what: "a share", path: "\\\\server\\share\\a", result: "invalid_input" },
    { what: "a device", path: "D:\\data\\nul", result: "invalid_input" },
    { what: "a stream", path: "D:\\data\\b.csv:x", result: "invalid_input" },
    { what: "a short name", path: "C:\\PROGRA~1\\a", result: "invalid_input" },
  ])("$what", async ({ path, result }) => {
    expect(await reached(disk, path)).toBe(result);
  });
});

test("where case does not matter, another case of the workspace is the workspace", async () => {
  const disk = new FakeDisk({
    foldCase: true,
    roots: [rootAt("/Users/me/Work")],
    paths: ["/Users/me/Work/a.ts", "/Users/me/b.ts"],
  });
  expect(await reached(disk, "/USERS/me/work/a.ts")).toBe("in: a.ts");
  expect(await reached(disk, "../b.ts")).toBe("out: /Users/me/b.ts");
});

describe("other workspaces", () => {
  const several = new FakeDisk({
    roots: [rootAt("/code/app"), rootAt("/code/lib")],
    paths: ["/code/app/a.ts", "/code/lib/b.ts", "/code/other/c.ts", "/etc/hosts"],
    links: { "/code/app/out": "/etc", "/code/app/to-lib": "/code/lib" },
  });
  const beside = new FakeDisk({
    roots: [rootAt("/work"), rootAt("/data", { beside: true })],
    paths: ["/work/a.ts", "/data/b.csv", "/etc/hosts"],
    links: { "/etc/back": "/data" },
  });
  const none = new FakeDisk({ roots: [], paths: ["/etc/hosts"] });
  const virtual = new FakeDisk({
    roots: [rootAt("/ws", { scheme: "memfs" })],
    paths: ["/ws/a.ts", "/etc/hosts", "/neighbour"],
  });
  const browser = new FakeDisk({ roots: [rootAt("/ws")], disk: undefined, paths: ["/ws/a.ts", "/etc/hosts"] });
  const whole = new FakeDisk({ roots: [rootAt("/", { name: "root" })], paths: ["/etc/hosts"] });
  const linked = new FakeDisk({
    roots: [rootAt("/home/me/work")],
    paths: ["/mnt/work/a.ts", "/mnt/b.ts", "/home/me/c.ts"],
    links: { "/home/me/work": "/mnt/work" },
  });

  test.each<Case & { on: FakeDisk }>([
    { what: "several folders: inside", on: several, path: "app/a.ts", result: "in: app/a.ts" },
    {
      what: "several folders: from one to the other",
      on: several,
      path: "app/to-lib/b.ts",
      result: "in: app/to-lib/b.ts -> lib/b.ts",
    },
    { what: "several folders: absolute", on: several, path: "/code/other/c.ts", result: "out: /code/other/c.ts" },
    { what: "several folders: what lies around them", on: several, path: "/code", result: "out: /code" },
    {
      what: "several folders: a link out",
      on: several,
      path: "app/out/hosts",
      result: "out: /code/app/out/hosts -> /etc/hosts",
    },
    {
      what: "several folders: dots, which do not say from where",
      on: several,
      path: "../other/c.ts",
      result: "outside_workspace",
    },
    { what: "several folders: none of that name", on: several, path: "nope/a.ts", result: "not_found" },
    { what: "a folder beside is inside", on: beside, path: "/data/b.csv", result: "in: /data/b.csv" },
    { what: "a link to a folder beside", on: beside, path: "/etc/back/b.csv", result: "in: /data/b.csv" },
    { what: "beyond a folder beside", on: beside, path: "/etc/hosts", result: "out: /etc/hosts" },
    { what: "no folder: absolute", on: none, path: "/etc/hosts", result: "out: /etc/hosts" },
    { what: "no folder: relative", on: none, path: "a.ts", result: "unavailable" },
    { what: "no folder: dots", on: none, path: "../a.ts", result: "unavailable" },
    { what: "no folder: the workspace", on: none, path: ".", result: "unavailable" },
    { what: "a folder on no disk: inside", on: virtual, path: "/ws/a.ts", result: "in: a.ts" },
    { what: "a folder on no disk: the disk beside it", on: virtual, path: "/etc/hosts", result: "out: /etc/hosts" },
    { what: "a folder on no disk: its own parent", on: virtual, path: "../neighbour", result: "outside_workspace" },
    { what: "no disk at all", on: browser, path: "/etc/hosts", result: "outside_workspace" },
    { what: "the whole disk is inside", on: whole, path: "/etc/hosts", result: "in: etc/hosts" },
    { what: "the whole disk has nothing above", on: whole, path: "../../etc/hosts", result: "in: etc/hosts" },
    { what: "a folder behind a link, by its real path", on: linked, path: "/mnt/work/a.ts", result: "in: a.ts" },
    { what: "the neighbour of its real place", on: linked, path: "/mnt/b.ts", result: "out: /mnt/b.ts" },
    { what: "dots count from where it was opened", on: linked, path: "../c.ts", result: "out: /home/me/c.ts" },
  ])("$what", async ({ on, path, result }) => {
    expect(await reached(on, path)).toBe(result);
  });
});

test("an error of the disk that is no refusal stays one", async () => {
  const failing: PathGateHost = Object.assign(Object.create(new FakeDisk({ roots: [rootAt("/w")] })) as FakeDisk, {
    disk: "file",
    windows: false,
    foldCase: false,
    roots: () => [rootAt("/w")],
    realPath: () => Promise.reject(new Error("disk on fire")),
  });
  await expect(new PathGate(failing).outside("/etc/hosts")).rejects.toThrow("disk on fire");
});
