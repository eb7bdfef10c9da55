// Two processes, or one and another program, meet at one file: nothing that was said to be done is lost, whoever comes
// between what.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { poll } from "../../harness/poll.js";
import { builtCli, type Finished } from "../cli/built.js";
import { asOrdinaryUser, openWorkspace, result } from "../../unit/tools/workspace.js";
import { plantTree, treeOf, type Tree } from "./tree.js";

const TEXT = "start\nA-here\nB-here\nend\n";

/** What a system may have in place of the cp of GNU coreutils. */
const POOR_COPIES: { name: string; cp: string | undefined }[] = [
  { name: "busybox", cp: "#!/bin/sh\necho \"cp: unrecognized option '--attributes-only'\" >&2\nexit 1\n" },
  { name: "none at all", cp: undefined },
];

const cli = builtCli();
let base: string;
let count = 0;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "toolhost-durable-")));
  await build({
    entryPoints: [fileURLToPath(new URL("preload.ts", import.meta.url))],
    outfile: join(base, "preload.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
  });
  return () => rm(base, { recursive: true, force: true });
});

interface Place {
  folder: string;
  env: NodeJS.ProcessEnv;
}

/** A folder of files, and a state of its own. */
async function place(files: Record<string, string>): Promise<Place> {
  const folder = join(base, `w${count}`);
  const state = join(base, `state${count++}`);
  await plantTree(folder, files);
  return { folder, env: { ...process.env, TOOLHOST_STATE: state } };
}

function toolhost(
  { env }: Place,
  args: readonly string[],
  faults: Record<string, string> = {},
  input?: string,
): Promise<Finished> {
  const preload = Object.keys(faults).length > 0 ? { NODE_OPTIONS: `--require=${join(base, "preload.cjs")}` } : {};
  return cli.run(args, { env: { ...env, ...preload, ...faults }, ...(input !== undefined && { input }) });
}

const editA = ["edit", "sub/f.txt", "--old-text", "A-here", "--new-text", "A-edited"];

/** An edit of A by a process that stops before a step, until it is let go. */
async function heldEdit(where: Place, before: string): Promise<{ letGo: () => Promise<Finished> }> {
  const hold = join(base, `hold${count++}`);
  const ended = toolhost(where, ["--workspace", where.folder, ...editA], {
    FAULT_HOLD_BEFORE: before,
    FAULT_HOLD: hold,
  });
  await poll("the process to come to the step", () => existsSync(`${hold}.held`));
  return {
    letGo: () => {
      writeFileSync(`${hold}.go`, "");
      return ended;
    },
  };
}

describe("a file that one process is changing", () => {
  const names: { name: string; workspace: string; path: string }[] = [
    { name: "seen from a folder inside the workspace", workspace: "sub", path: "f.txt" },
    { name: "seen from a folder around it", workspace: "..", path: "" },
    { name: "under its other name", workspace: "other", path: "hard.txt" },
  ];
  test.each(names)("is kept from another workspace's process, $name", async ({ workspace, path }) => {
    const where = await place({ "sub/f.txt": TEXT, "other/x": "" });
    linkSync(join(where.folder, "sub/f.txt"), join(where.folder, "other/hard.txt"));
    const file = path === "" ? join(where.folder.slice(where.folder.lastIndexOf("/") + 1), "sub/f.txt") : path;
    const { letGo } = await heldEdit(where, "rename -old.tmp");
    const other = await toolhost(where, [
      "--workspace",
      join(where.folder, workspace),
      "edit",
      file,
      "--old-text",
      "B-here",
      "--new-text",
      "B-edited",
    ]);
    expect(other.err).toMatch(/is being changed by another call \(edit, process \d+\)\. Nothing was changed\./);
    expect((await letGo()).code).toBe(0);
    expect(readFileSync(join(where.folder, "sub/f.txt"), "utf8")).toBe("start\nA-edited\nB-here\nend\n");
    // It is free afterwards.
    expect(
      (
        await toolhost(where, [
          "--workspace",
          where.folder,
          "edit",
          "sub/f.txt",
          "--old-text",
          "B-here",
          "--new-text",
          "B-edited",
        ])
      ).code,
    ).toBe(0);
    expect(readFileSync(join(where.folder, "sub/f.txt"), "utf8")).toBe("start\nA-edited\nB-edited\nend\n");
  });

  test.each(["rename -old.tmp", "link f.txt"])(
    "is left as another program saved it before the step %s",
    async (step) => {
      const where = await place({ "sub/f.txt": TEXT });
      const path = join(where.folder, "sub/f.txt");
      const { letGo } = await heldEdit(where, step);
      // As sed -i and most editors save.
      writeFileSync(`${path}~`, TEXT.replace("B-here", "B-saved"));
      renameSync(`${path}~`, path);
      const { code, err } = await letGo();
      // The edit is worked out again on what was saved, or refused.
      expect([code, err]).toEqual([
        step === "link f.txt" ? 1 : 0,
        step === "link f.txt"
          ? expect.stringMatching(
              /^Error \(io_error\): sub\/f\.txt: another program created a new file there just as it was being replaced/,
            )
          : "",
      ]);
      expect(await treeOf(where.folder)).toEqual({
        "sub/": "folder",
        "sub/f.txt": `start\nA-${code === 0 ? "edited" : "here"}\nB-saved\nend\n`,
      });
    },
  );
});

describe("the temporary files of a process in the middle of a change", () => {
  const looks: { args: string[]; shown: string }[] = [
    { args: ["ls", "sub"], shown: "g.txt" },
    { args: ["glob", "**"], shown: "sub/g.txt" },
    { args: ["glob", "**/.toolhost-*"], shown: "" },
    { args: ["grep", "start"], shown: "sub/g.txt" },
    { args: ["grep", "start", "--include", ".toolhost-*.tmp", "--include", "g.txt"], shown: "sub/g.txt" },
  ];
  test.each(looks)("are not shown by $args", async ({ args, shown }) => {
    const where = await place({ "sub/f.txt": TEXT, "sub/g.txt": TEXT });
    const { letGo } = await heldEdit(where, "link f.txt");
    expect(
      readdirSync(join(where.folder, "sub")).filter((name) => name.startsWith(".toolhost-")).length,
    ).toBeGreaterThan(1);
    const { out, err } = await toolhost(where, ["--workspace", where.folder, ...args]);
    expect(out).toContain(shown);
    expect(out + err).not.toMatch(/\.toolhost-[^*]/);
    expect((await letGo()).code).toBe(0);
    expect(await treeOf(where.folder)).toEqual({
      "sub/": "folder",
      "sub/f.txt": TEXT.replace("A-here", "A-edited"),
      "sub/g.txt": TEXT,
    });
  });
});

describe("what pipe writes past 8 MB", () => {
  const input = JSON.stringify({
    tool_name: "exec",
    tool_input: { command: "yes 0123456789 | head -c 9000000" },
    path: "big.txt",
    on_conflict: "overwrite",
  });
  const pipe = (where: Place, faults: Record<string, string> = {}): Promise<Finished> =>
    toolhost(where, ["--workspace", where.folder, "run", "pipe", "--input", "-"], faults, input);

  test("is refused where changes are not kept, and leaves what is there", async () => {
    const where = await place({ ".toolhost/context/big.txt": "old\n", ".toolhost/context/.gitignore": "*\n" });
    const { code, err } = await pipe(where, { FAULT_NO_SQLITE: "1" });
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("Nothing was changed: files are only changed if the undo journal can record it."),
    ]);
    expect(await treeOf(join(where.folder, ".toolhost/context"))).toEqual({ ".gitignore": "*\n", "big.txt": "old\n" });
  });

  test("gets no name while another process changes the file", async () => {
    const where = await place({ ".toolhost/context/.gitignore": "*\n" });
    const hold = join(base, `hold${count++}`);
    const faults = { FAULT_HOLD_BEFORE: "link big.txt", FAULT_HOLD: hold };
    const writing = toolhost(
      where,
      ["--workspace", where.folder, "run", "context_write", "--input", "-"],
      faults,
      JSON.stringify({ path: "big.txt", content: TEXT }),
    );
    await poll("the process to come to the step", () => existsSync(`${hold}.held`));
    const { code, err } = await pipe(where);
    writeFileSync(`${hold}.go`, "");
    const written = await writing;
    expect([code, err]).toEqual([1, expect.stringContaining("is being changed by another call (context_write")]);
    expect([written.code, written.err]).toEqual([0, ""]);
    expect(await treeOf(join(where.folder, ".toolhost/context"))).toEqual({ ".gitignore": "*\n", "big.txt": TEXT });
  });
});

describe("a process that was killed in the middle of a change", () => {
  const MULTI = JSON.stringify({
    edits: [
      { path: "sub/f.txt", old_text: "A-here", new_text: "A-edited" },
      { path: "sub/g.txt", old_text: "A-here", new_text: "A-edited" },
    ],
  });
  const BOTH = { "sub/f.txt": TEXT, "sub/g.txt": TEXT };
  const before: Tree = { "sub/": "folder", ...BOTH };
  const later: { name: string; workspace: string; args: string[] }[] = [
    { name: "a search in its workspace", workspace: ".", args: ["grep", "start"] },
    { name: "a listing in its workspace", workspace: ".", args: ["ls", "sub"] },
    { name: "a list of files in its workspace", workspace: ".", args: ["glob", "**"] },
    { name: "a reading of a file in its workspace", workspace: ".", args: ["read", "sub/f.txt"] },
  ];
  test.each(later)("has it taken back as a whole by $name", async ({ workspace, args }) => {
    const where = await place(BOTH);
    const killed = await toolhost(
      where,
      ["--workspace", where.folder, "run", "multi_edit", "--input", "-"],
      { FAULT_KILL_BEFORE: "link g.txt" },
      MULTI,
    );
    expect(killed.signal).toBe("SIGKILL");
    const { code, out, err } = await toolhost(where, ["--workspace", join(where.folder, workspace), ...args]);
    expect(code).toBe(0);
    expect(out).not.toContain(".toolhost-");
    expect(err).toContain(
      "Toolhost ended in the middle of a change (multi_edit), which was rolled back: sub/f.txt, sub/g.txt.",
    );
    expect(await treeOf(where.folder)).toEqual(before);
  });

  test("has it taken back by a change of the same file in another workspace", async () => {
    const where = await place(BOTH);
    await toolhost(
      where,
      ["--workspace", where.folder, "run", "multi_edit", "--input", "-"],
      { FAULT_KILL_BEFORE: "link g.txt" },
      MULTI,
    );
    const edited = await toolhost(where, [
      "--workspace",
      join(where.folder, "sub"),
      "edit",
      "f.txt",
      "--old-text",
      "B-here",
      "--new-text",
      "B-edited",
    ]);
    expect([edited.code, edited.out]).toEqual([0, expect.stringContaining("Edited f.txt")]);
    expect(await treeOf(where.folder)).toEqual({ ...before, "sub/f.txt": TEXT.replace("B-here", "B-edited") });
  });

  test("leaves a file alone that somebody has changed since, and says so", async () => {
    const where = await place(BOTH);
    await toolhost(
      where,
      ["--workspace", where.folder, "run", "multi_edit", "--input", "-"],
      { FAULT_KILL_BEFORE: "link g.txt" },
      MULTI,
    );
    writeFileSync(join(where.folder, "sub/f.txt"), "mine\n");
    const { err } = await toolhost(where, ["--workspace", where.folder, "ls"]);
    expect(err).toContain(
      "which could not be rolled back completely: sub/f.txt has been changed since and was left alone; sub/g.txt is as it was.",
    );
    expect(await treeOf(where.folder)).toEqual({ ...before, "sub/f.txt": "mine\n" });
  });

  const steps = ["write f.txt", "truncate", "rename -old.tmp", "copyFile", "sync"];
  test.each(steps)("has a file put back that could only be written in place, killed before %s", async (step) => {
    const where = await place({ "f.txt": TEXT });
    const edit = ["--workspace", where.folder, "edit", "f.txt", "--old-text", "A-here\nB-here\n", "--new-text", "X\n"];
    const killed = await toolhost(where, edit, {
      FAULT_MOUNTED: "f.txt",
      FAULT_KILL_BEFORE: step.replace(" f.txt", ""),
    });
    expect(killed.signal).toBe("SIGKILL");
    await toolhost(where, ["--workspace", where.folder, "ls"]);
    expect(await treeOf(where.folder)).toEqual({ "f.txt": TEXT });
  });
});

test("a file that is a mount point is written in place, and the undo does so, too", async () => {
  const where = await place({ "f.txt": TEXT });
  const { ino } = statSync(join(where.folder, "f.txt"));
  const faults = { FAULT_MOUNTED: "f.txt" };
  const edited = await toolhost(
    where,
    ["--workspace", where.folder, "edit", "f.txt", "--old-text", "A-here", "--new-text", "A"],
    faults,
  );
  expect([edited.code, edited.err]).toEqual([0, ""]);
  expect(readFileSync(join(where.folder, "f.txt"), "utf8")).toBe(TEXT.replace("A-here", "A"));
  expect((await toolhost(where, ["--workspace", where.folder, "undo"], faults)).code).toBe(0);
  expect(await treeOf(where.folder)).toEqual({ "f.txt": TEXT });
  expect(statSync(join(where.folder, "f.txt")).ino).toBe(ino);
});

describe("where the change could not be kept", () => {
  test("on a Node without SQLite nothing is changed, which is said with the way out; reading goes on", async () => {
    const where = await place({ "sub/f.txt": TEXT });
    const faults = { FAULT_NO_SQLITE: "1" };
    const edited = await toolhost(where, ["--workspace", where.folder, ...editA], faults);
    expect([edited.code, edited.err]).toEqual([
      1,
      expect.stringContaining(
        "Nothing was changed: files are only changed if the undo journal can record it. This Node.js has no SQLite.\nHint: Use Node.js 22.13 or later.",
      ),
    ]);
    expect(
      (await toolhost(where, ["--workspace", where.folder, "write", "new.txt", "--content", "x"], faults)).code,
    ).toBe(1);
    expect((await toolhost(where, ["--workspace", where.folder, "read", "sub/f.txt"], faults)).out).toContain("A-here");
    expect((await toolhost(where, ["--workspace", where.folder, "grep", "A-here"], faults)).out).toContain("sub/f.txt");
    expect(await treeOf(where.folder)).toEqual({ "sub/": "folder", "sub/f.txt": TEXT });
  });

  test.each(["locks.db", "workspaces"])(
    "while another process keeps the state for itself nothing is changed (%s)",
    async (what) => {
      const where = await place({ "sub/f.txt": TEXT });
      const state = where.env["TOOLHOST_STATE"] ?? "";
      await toolhost(where, ["--workspace", where.folder, "write", "first.txt", "--content", "x"]);
      const path =
        what === "locks.db"
          ? join(state, what)
          : (readdirSync(join(state, what), { recursive: true, encoding: "utf8" })
              .map((name) => join(state, what, name))
              .find((name) => name.endsWith("state.db")) ?? "");
      const busy = new DatabaseSync(path);
      busy.exec("BEGIN IMMEDIATE");
      const edited = await toolhost(where, ["--workspace", where.folder, ...editA]);
      busy.close();
      expect([edited.code, edited.err]).toEqual([
        1,
        expect.stringContaining("another process is busy with Toolhost's state"),
      ]);
      expect(readFileSync(join(where.folder, "sub/f.txt"), "utf8")).toBe(TEXT);
    },
  );
});

describe("an edit keeps", () => {
  const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
  const said = (program: string, ...args: string[]): string => spawnSync(program, args, { encoding: "utf8" }).stdout;

  test("mode and owner, whatever the umask is", async () => {
    const { call, folder } = await openWorkspace({ f: "one\n" });
    const path = join(folder, "f");
    chmodSync(path, 0o2664);
    if (process.getuid?.() === 0) {
      chownSync(path, 12_345, 12_346);
      chmodSync(path, 0o2664);
    }
    const before = statSync(path);
    result(await call("edit", { path: "f", old_text: "one", new_text: "two" }));
    const after = statSync(path);
    expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid]);
  });

  // The programs come with Linux distributions as packages (acl, attr).
  test.runIf(has("setfacl") && has("setfattr"))(
    "access control list and extended attributes (where setfacl and setfattr are installed)",
    async () => {
      const { call, folder } = await openWorkspace({ f: "one\n" });
      const path = join(folder, "f");
      spawnSync("setfacl", ["-m", "u:nobody:rw", path]);
      spawnSync("setfattr", ["-n", "user.note", "-v", "hello", path]);
      const before = [said("getfacl", "-pc", path), said("getfattr", "-d", path)];
      expect(before.join("")).toMatch(/nobody[^]*hello/);
      result(await call("edit", { path: "f", old_text: "one", new_text: "two" }));
      result(
        await call("apply_patch", {
          patch: "*** Begin Patch\n*** Update File: f\n*** Move to: g\n@@\n-two\n+three\n*** End Patch",
        }),
      );
      expect([
        said("getfacl", "-pc", join(folder, "g")),
        said("getfattr", "-d", join(folder, "g")).replace("/g\n", "/f\n"),
      ]).toEqual(before);
    },
  );

  describe.each(POOR_COPIES)("without a cp that copies attributes ($name)", ({ cp }) => {
    /** A folder of files, seen by a process that finds no other cp. */
    async function poorPlace(files: Record<string, string>): Promise<Place> {
      const where = await place(files);
      const bin = await mkdtemp(join(base, "bin-"));
      if (cp !== undefined) {
        writeFileSync(join(bin, "cp"), cp, { mode: 0o755 });
      }
      return { ...where, env: { ...where.env, PATH: bin } };
    }
    const edit = ["edit", "f", "--old-text", "one", "--new-text", "two"];

    test("the file stays the same one, with all that it has", async () => {
      const where = await poorPlace({ f: "one\n" });
      const path = join(where.folder, "f");
      if (has("setfacl") && has("setfattr")) {
        spawnSync("setfacl", ["-m", "u:nobody:rw", path]);
        spawnSync("setfattr", ["-n", "user.note", "-v", "hello", path]);
      }
      const seen = (): unknown[] => [
        statSync(path).ino,
        statSync(path).mode,
        said("getfacl", "-pc", path),
        said("getfattr", "-d", path),
      ];
      const before = seen();
      expect(await toolhost(where, ["--workspace", where.folder, ...edit])).toMatchObject({ code: 0, err: "" });
      expect(seen()).toEqual(before);
      expect(readFileSync(path, "utf8")).toBe("two\n");
      expect(await toolhost(where, ["--workspace", where.folder, "undo"])).toMatchObject({ code: 0 });
      expect([readFileSync(path, "utf8"), seen()]).toEqual(["one\n", before]);
    });

    test("other names of a file keep the old text, and the new file has its mode and owner", async () => {
      const where = await poorPlace({ f: "one\n" });
      const path = join(where.folder, "f");
      chmodSync(path, 0o640);
      linkSync(path, join(where.folder, "g"));
      expect(await toolhost(where, ["--workspace", where.folder, ...edit])).toMatchObject({ code: 0, err: "" });
      expect(await treeOf(where.folder)).toEqual({ f: "two\n 640", g: "one\n 640" });
    });

    test("a move that changes the text is refused, in words, with nothing changed", async () => {
      const where = await poorPlace({ f: "one\n" });
      const patch = "*** Begin Patch\n*** Update File: f\n*** Move to: d/g\n@@\n-one\n+two\n*** End Patch";
      expect(
        await toolhost(
          where,
          ["--workspace", where.folder, "run", "apply_patch", "--input", "-"],
          {},
          JSON.stringify({ patch }),
        ),
      ).toMatchObject({
        code: 1,
        err: expect.stringMatching(
          /d\/g: the new file could not be given the owner and attributes of the moved one\..*Nothing was changed\.[^]*Move the file without changing it, then edit it\./,
        ) as string,
      });
      expect(await treeOf(where.folder)).toEqual({ f: "one\n" });
    });
  });

  test.runIf(process.getuid?.() === 0).each([{ mode: 0o666 }, { mode: 0o466 }])(
    "the owner of another user's file that all others may write (as root alone: only root can be two users), mode $mode",
    async ({ mode: given }) => {
      const { call, folder } = await openWorkspace({ f: "one\n" });
      const path = join(folder, "f");
      chmodSync(dirname(path), 0o777);
      chownSync(path, 12_345, 12_346);
      chmodSync(path, given);
      result(await asOrdinaryUser(() => call("edit", { path: "f", old_text: "one", new_text: "two" })));
      const { uid, gid, mode } = statSync(path);
      expect([readFileSync(path, "utf8"), uid, gid, mode & 0o777]).toEqual(["two\n", 12_345, 12_346, given]);
    },
  );
});
