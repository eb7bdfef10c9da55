import {
  appendFile,
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ToolError } from "../../../src/core/errors.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { ResultFiles } from "../../../src/hosts/node/state/results.js";
import { makeStateFolder } from "../../../src/hosts/node/state/stateFolder.js";
import { createRipgrep } from "../../../src/hosts/node/ripgrep/run.js";
import { openRoots } from "../../../src/hosts/node/workspace.js";
import { asOrdinaryUser, ripgrepPath, tempFolder } from "../tools/workspace.js";

const disk = new NodeDisk();
const unchanged = async (): Promise<void> => undefined;

async function replace(path: string, bytes: Uint8Array, check: () => Promise<void>): Promise<void> {
  const step = await disk.stageReplace(path, bytes, check);
  try {
    await step.commit();
  } finally {
    await step.release();
  }
}

describe("NodeDisk.stat", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("tells a file's state, which differs after every change, unless the file was changed just now", async () => {
    const path = join(await tempFolder({ f: "one" }), "f");
    const first = await stat(path);
    vi.useFakeTimers({ toFake: ["Date"], now: first.ctimeMs + 1_000 });
    expect(await disk.stat(path)).not.toHaveProperty("state");
    vi.setSystemTime(first.ctimeMs + 60_000);
    const { state } = await disk.stat(path);
    expect(state).toBeTypeOf("string");
    expect(await disk.stat(path)).toMatchObject({ state });
    let ctime = first.ctimeMs;
    while (ctime === first.ctimeMs) {
      await writeFile(path, "two");
      // Programs can set this time back, and only this one.
      await utimes(path, first.atime, first.mtime);
      ctime = (await stat(path)).ctimeMs;
    }
    vi.setSystemTime(ctime + 60_000);
    const changed = await disk.stat(path);
    expect(changed.state).toBeTypeOf("string");
    expect(changed.state).not.toBe(state);
  });
});

describe("NodeDisk.stageReplace", () => {
  test("readers see the old bytes or the new ones, never a mix", async () => {
    const folder = await tempFolder({ f: Buffer.alloc(1_000_000, "0") });
    const path = join(folder, "f");
    let writing = true;
    const readers = Array.from({ length: 4 }, async () => {
      while (writing) {
        const bytes = await readFile(path).catch((error: unknown) => {
          // For some microseconds there is no file (`exchange` in src/hosts/node/disk/names.ts).
          expect(error).toMatchObject({ code: "ENOENT" });
          return undefined;
        });
        if (bytes === undefined) {
          continue;
        }
        expect(bytes.length).toBe(1_000_000);
        expect(bytes[0]).toBe(bytes.at(-1));
      }
    });
    for (const digit of "123456789") {
      await replace(path, Buffer.alloc(1_000_000, digit), unchanged);
    }
    writing = false;
    await Promise.all(readers);
    expect(await readdir(folder)).toEqual(["f"]);
  });

  test.each(["it's", "two\nlines", "$(touch made) `touch made`", "-n", "a\\", "ends in a line feed\n"])(
    "keeps the mode of a file named %j",
    async (name) => {
      const folder = await tempFolder({ [name]: "old" });
      const path = join(folder, name);
      await chmod(path, 0o751);
      await replace(path, Buffer.from("new"), unchanged);
      expect([await readFile(path, "utf8"), (await lstat(path)).mode & 0o777]).toEqual(["new", 0o751]);
      expect(await readdir(folder)).toEqual([name]);
    },
  );

  test("keeps the mode that somebody gave the file after the new bytes were prepared", async () => {
    const folder = await tempFolder({ f: "old" });
    const path = join(folder, "f");
    const step = await disk.stageReplace(path, Buffer.from("new"), unchanged);
    await step.flushed?.();
    await chmod(path, 0o751);
    try {
      await step.commit();
    } finally {
      await step.release();
    }
    expect([await readFile(path, "utf8"), (await lstat(path)).mode & 0o777]).toEqual(["new", 0o751]);
  });

  test("leaves nothing behind of what was prepared and not made", async () => {
    const names = Array.from({ length: 20 }, (_, at) => `f${at}`);
    const folder = await tempFolder(Object.fromEntries(names.map((name) => [name, "old"])));
    const steps = await Promise.all(
      names.map((name) => disk.stageReplace(join(folder, name), Buffer.from("new"), unchanged)),
    );
    await Promise.all(steps.map((step) => step.release()));
    expect((await readdir(folder)).sort()).toEqual(names.sort());
  });

  const failures: {
    name: string;
    prepare?: (path: string) => Promise<void>;
    check?: () => Promise<void>;
    error: object;
    left: string[];
  }[] = [
    {
      name: "when the file is no longer the one",
      check: () => Promise.reject(new ToolError("stale", "changed")),
      error: { type: "stale", message: "changed" },
      left: ["f"],
    },
    {
      name: "when the check itself breaks",
      check: () => Promise.reject(new Error("boom")),
      error: { type: "io_error", message: /: boom$/ },
      left: ["f"],
    },
    { name: "when the file is gone", prepare: (path) => rm(path), error: { type: "not_found" }, left: [] },
    {
      name: "when it is a folder now",
      prepare: async (path) => void (await rm(path), await mkdir(path)),
      error: { type: "is_directory" },
      left: ["f"],
    },
    {
      name: "when it is a link now",
      prepare: async (path) => void (await rm(path), await symlink("/etc/hostname", path)),
      error: { type: "unsupported" },
      left: ["f"],
    },
  ];
  test.each(failures)("leaves everything as it is $name", async ({ prepare, check = unchanged, error, left }) => {
    const folder = await tempFolder({ f: "old" });
    const path = join(folder, "f");
    await prepare?.(path);
    const before = await lstat(path).catch(() => undefined);
    const thrown: unknown = await replace(path, Buffer.from("new"), check).catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(ToolError);
    expect(thrown).toMatchObject(
      Object.fromEntries(
        Object.entries(error).map(([key, value]) => [
          key,
          value instanceof RegExp ? expect.stringMatching(value) : (value as unknown),
        ]),
      ),
    );
    expect((await lstat(path).catch(() => undefined))?.ino).toBe(before?.ino);
    expect(await readdir(folder)).toEqual(left);
  });
});

describe("NodeDisk takes nothing back over what others wrote meanwhile:", () => {
  const text = (path: string): Promise<string> => readFile(path, "utf8");
  const stale = {
    type: "stale",
    message: expect.stringContaining("was changed by somebody else in the meantime") as string,
  };

  /** Another file under the same name, as an editor saves one by a rename. */
  async function renameOver(path: string, content: string): Promise<void> {
    await writeFile(`${path}~`, content);
    await rename(`${path}~`, path);
  }

  const writers: { name: string; write: (path: string) => Promise<void>; left: string }[] = [
    { name: "appended", write: (path) => appendFile(path, "USER\n"), left: "tool\nUSER\n" },
    { name: "of the same length", write: (path) => writeFile(path, "user\n"), left: "user\n" },
    { name: "by a rename", write: (path) => renameOver(path, "user\n"), left: "user\n" },
  ];
  test.each(writers)("a file that was replaced or made, $name", async ({ write, left }) => {
    const folder = await tempFolder({ old: "old\n" });
    for (const name of ["old", "new"]) {
      const path = join(folder, name);
      const step =
        name === "old"
          ? await disk.stageReplace(path, Buffer.from("tool\n"), unchanged)
          : await disk.stageCreate(path, Buffer.from("tool\n"));
      await step.commit();
      await write(path);
      await expect(step.undo()).rejects.toMatchObject(stale);
      await step.release();
      expect(await text(path)).toBe(left);
    }
    expect(await readdir(folder)).toEqual(["new", "old"]);
  });

  test.each([undefined, Buffer.from("tool\n")])("a moved file that another was put over", async (bytes) => {
    const folder = await tempFolder({ a: "a\n" });
    const step = await disk.stageMove(join(folder, "a"), join(folder, "b"), bytes, 0, unchanged);
    await step.commit();
    await renameOver(join(folder, "b"), "user\n");
    await expect(step.undo()).rejects.toMatchObject(stale);
    await step.release();
    expect([await text(join(folder, "a")), await text(join(folder, "b"))]).toEqual(["a\n", "user\n"]);
  });

  test("what was written into a moved file goes back with it", async () => {
    const folder = await tempFolder({ a: "a\n" });
    const step = await disk.stageMove(join(folder, "a"), join(folder, "b"), undefined, 0, unchanged);
    await step.commit();
    await appendFile(join(folder, "b"), "USER\n");
    await step.undo();
    await step.release();
    expect(await readdir(folder)).toEqual(["a"]);
    expect(await text(join(folder, "a"))).toBe("a\nUSER\n");
  });

  test("a file of a new case that another was put over", async () => {
    class FoldedDisk extends NodeDisk {
      override readonly foldCase = true;
    }
    const folder = await tempFolder({ a: "a\n" });
    const step = await new FoldedDisk().stageMove(join(folder, "a"), join(folder, "A"), undefined, 0, unchanged);
    await step.commit();
    await renameOver(join(folder, "A"), "user\n");
    await expect(step.undo()).rejects.toMatchObject(stale);
    expect(await text(join(folder, "A"))).toBe("user\n");
  });
});

test.runIf(process.platform === "linux")(
  "a folder that cannot be made, though what is above it answers that it is not there, is no endless try",
  async () => {
    expect(() => makeStateFolder("/proc/nope/state", [])).toThrow("ENOENT");
    await expect(disk.stageCreate("/proc/nope/deep/f", Buffer.from(""))).rejects.toMatchObject({ type: "not_found" });
    await expect(new ResultFiles(() => Promise.resolve("/proc/nope/results")).open("x")).rejects.toBeInstanceOf(
      ToolError,
    );
  },
);

test("a file among the folders of a new file or of the state is refused", async () => {
  const folder = await tempFolder({ f: "" });
  for (const path of ["f/x", "f/x/y"]) {
    await expect(disk.stageCreate(join(folder, path), Buffer.from(""))).rejects.toMatchObject({
      type: "path_conflict",
      message: `${join(folder, path)}: one of its folders is a file. Nothing was written.`,
    });
    expect(() => makeStateFolder(join(folder, path), [])).toThrow("ENOTDIR");
  }
  expect(() => makeStateFolder(join(folder, "f"), [])).toThrow("ENOTDIR");
});

test("NodeDisk neither moves nor removes a read-only file, and leaves nothing lying about", async () => {
  const folder = await tempFolder({ a: "a\n" });
  await chmod(folder, 0o777);
  await chmod(join(folder, "a"), 0o444);
  if (process.geteuid?.() === 0) {
    await chown(join(folder, "a"), 65_534, 65_534);
  }
  const refused = { type: "io_error", message: `${join(folder, "a")}: the system does not permit it.` };
  await asOrdinaryUser(async () => {
    const ordinary = new NodeDisk();
    for (const bytes of [undefined, Buffer.from("b\n")]) {
      await expect(
        ordinary.stageMove(join(folder, "a"), join(folder, "new", "b"), bytes, 0, unchanged),
      ).rejects.toMatchObject(refused);
    }
    await expect(ordinary.stageRemove(join(folder, "a"), 0, unchanged)).rejects.toMatchObject(refused);
  });
  expect(await readdir(folder)).toEqual(["a"]);
});

describe("NodeDisk reads", () => {
  test("in chunks of bounded size that are the file", async () => {
    const bytes = Buffer.from(Array.from({ length: 600_000 }, (_, index) => index % 251));
    const folder = await tempFolder({ f: bytes });
    const chunks: Uint8Array[] = [];
    for await (const chunk of disk.chunks(join(folder, "f"), new AbortController().signal)) {
      expect(chunk.length).toBeLessThanOrEqual(64 * 1024);
      // A chunk is good until the next one.
      chunks.push(Uint8Array.from(chunk));
    }
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  });

  test.runIf(process.platform === "linux")("gives all of a file of the system, which has no size", async () => {
    let text = "";
    for await (const chunk of new NodeDisk().chunks(`/proc/${process.pid}/maps`, new AbortController().signal)) {
      text += Buffer.from(chunk).toString();
    }
    expect(text.length).toBeGreaterThan(16_384);
    expect(text).toContain("[stack]");
  });

  test("stop when cancelled", async () => {
    const folder = await tempFolder({ f: Buffer.alloc(3_000_000) });
    const controller = new AbortController();
    const chunks = disk.chunks(join(folder, "f"), controller.signal)[Symbol.asyncIterator]();
    await chunks.next();
    controller.abort();
    await expect(chunks.next()).rejects.toMatchObject({ name: "AbortError" });
  });

  test("thousands of entries of a folder, sorted", async () => {
    const folder = await tempFolder();
    const names = Array.from({ length: 2_000 }, (_, index) => `n${(index * 7919) % 2_000}`);
    await Promise.all(names.map((name) => writeFile(join(folder, name), "")));
    expect((await disk.list(folder)).map(({ name }) => name)).toEqual([...names].sort());
  });

  test("entries of a folder, with the sizes of as many as are asked for", async () => {
    const folder = await tempFolder({ a: "1", b: "22", "c/x": "", d: "4444" });
    await symlink("d", join(folder, "e"));
    await symlink("none", join(folder, "f"));
    const listed = async (sized?: number): Promise<unknown[]> =>
      (await disk.list(folder, sized)).map(({ name, kind, link, size }) => [name, kind, link, link ? "-" : size]);
    const links = [
      ["e", "file", true, "-"],
      ["f", "other", true, "-"],
    ];
    expect(await listed()).toEqual([
      ["a", "file", false, undefined],
      ["b", "file", false, undefined],
      ["c", "directory", false, undefined],
      ["d", "file", false, undefined],
      ...links,
    ]);
    expect(await listed(1)).toEqual([
      ["a", "file", false, 1],
      ["b", "file", false, undefined],
      ["c", "directory", false, undefined],
      ["d", "file", false, undefined],
      ...links,
    ]);
    expect(await listed(9)).toEqual([
      ["a", "file", false, 1],
      ["b", "file", false, 2],
      ["c", "directory", false, undefined],
      ["d", "file", false, 4],
      ...links,
    ]);
  });
});

describe("createRipgrep", () => {
  test("a folder that is gone is missing, not a broken ripgrep", async () => {
    const run = createRipgrep(ripgrepPath);
    await expect(
      run({
        args: ["--files"],
        cwd: "/nonexistent/folder",
        signal: new AbortController().signal,
        onLine: () => undefined,
      }),
    ).rejects.toMatchObject({ type: "not_found" });
  });

  test("no ripgrep at all says what to do", async () => {
    await expect(
      createRipgrep(undefined)({ args: [], cwd: "/", signal: new AbortController().signal, onLine: () => undefined }),
    ).rejects.toMatchObject({ type: "unavailable", hint: "Install ripgrep and put rg on the PATH." });
  });
});

describe("openRoots", () => {
  test("the workspace first, others beside it, links followed", async () => {
    const [real, other] = [await tempFolder(), await tempFolder()];
    await symlink(real, join(other, "link"));
    expect(openRoots(join(other, "link"), [other])).toEqual([
      { name: real.slice(real.lastIndexOf("/") + 1), path: real, scheme: "file" },
      { name: other.slice(other.lastIndexOf("/") + 1), path: other, scheme: "file", beside: true },
    ]);
    expect(openRoots("/")[0]).toEqual({ name: "root", path: "/", scheme: "file" });
  });

  test("a file or nothing is no workspace", async () => {
    const folder = await tempFolder({ f: "" });
    await chmod(join(folder, "f"), 0o644);
    for (const path of [join(folder, "f"), join(folder, "none"), join(folder, "f", "x")]) {
      expect(() => openRoots(path)).toThrow(
        `${path}: there is no such folder. Name an existing one with --workspace or --root.`,
      );
    }
  });
});
