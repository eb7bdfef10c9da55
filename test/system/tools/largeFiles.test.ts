// Large files that commands change: undone where the disk shares the contents of copies, named as not covered elsewhere.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ownSnapshots } from "../../../src/hosts/node/effects/leftSnapshots.js";
import { ThreadSnapshots } from "../../../src/hosts/node/effects/threadSnapshots.js";
import { temporaryTag } from "../../../src/hosts/node/state/owner.js";
import { effectsFolder, PATIENT } from "../features/effects/worker.js";
import { openWorkspace, result, type TestWorkspace } from "../../unit/tools/workspace.js";

const session = { as: "model", answer: true, session: "s", turn: "t" } as const;
const EDIT = { tool: "edit", input: { path: "data/long.txt", old_string: "first", new_string: "1st" } };
const COMMAND = { tool: "exec", input: { command: "echo last >> data/long.txt" } };
const SIZE = 13 * 1024 * 1024;

/** Makes a file system of this kind in a file, if this machine has the programs and lets us mount it. */
function mounted(kind: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), `toolhost-${kind}-`));
  const disk = `${folder}.img`;
  const run = (program: string, ...args: string[]): void => void execFileSync(program, args, { stdio: "pipe" });
  afterAll(() => {
    try {
      run("umount", folder);
    } catch {
      // It was not mounted.
    }
    [folder, disk].forEach((path) => rmSync(path, { recursive: true, force: true }));
  });
  try {
    run("truncate", "-s", "1G", disk);
    run(`mkfs.${kind}`, "-q", disk);
    run("mount", "-o", "loop", disk, folder);
    return [folder];
  } catch {
    return [];
  }
}

/** Whether the disk of a folder shares the contents of copies, as another program finds it. */
function sharesContents(folder: string): boolean {
  const probe = join(folder, "probe");
  writeFileSync(probe, "x".repeat(100_000));
  try {
    execFileSync("cp", ["--reflink=always", probe, `${probe}-copy`], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  } finally {
    [probe, `${probe}-copy`].forEach((path) => rmSync(path, { force: true }));
  }
}

/** What each place is: disks of our own where we may make them, and in any case the one that has temporary files. */
const PLACES = [...mounted("xfs"), ...mounted("btrfs"), tmpdir()].map((place) => ({
  place,
  isCovered: sharesContents(place),
}));

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** All files and links of a folder: with modes and hashes, or targets. */
function filesIn(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) {
      found[path] = `${(statSync(path).mode & 0o777).toString(8)} ${hashOf(path)}`;
    } else if (entry.isSymbolicLink()) {
      found[path] = readlinkSync(path);
    }
  }
  return found;
}

/** The state of workspaces, in a folder. */
function stateIn(place: string): { state: string; snapshots: ThreadSnapshots } {
  const state = mkdtempSync(join(place, "toolhost-state-"));
  afterAll(() => rmSync(state, { recursive: true, force: true }));
  return { state, snapshots: new ThreadSnapshots(effectsFolder, () => join(state, "commands"), PATIENT) };
}

/** A workspace with a large file. */
async function project(place: string, snapshots: ThreadSnapshots): Promise<TestWorkspace & { big: string }> {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = place;
  const workspace = await openWorkspace({ "a.txt": "a\n" }, { snapshots });
  if (before === undefined) {
    delete process.env["TMPDIR"];
  } else {
    process.env["TMPDIR"] = before;
  }
  const big = join(workspace.folder, "data/big.bin");
  mkdirSync(join(workspace.folder, "data"));
  writeFileSync(big, Buffer.alloc(SIZE, "contents of a large file "));
  chmodSync(big, 0o640);
  return { ...workspace, big };
}

/** The name of the folder of a process of this machine that has ended. */
function endedTag(): string {
  const { pid = 0 } = spawnSync("true");
  return temporaryTag().replace(/^\d+-\d+/, `${pid}-1`);
}

function undo(
  { changes, files }: TestWorkspace,
  turn: string,
  by: string,
  only?: readonly string[],
): ReturnType<typeof changes.undo> {
  const call = { session: "s", turn: by, callId: by, door: "api", summary: "Undo" } as const;
  const what = { session: "s", turn, ...(only !== undefined && { files: only }) };
  return changes.undo(call, what, files, new AbortController().signal);
}

describe.each(PLACES)("in $place, large files covered: $isCovered", ({ place, isCovered }) => {
  const { state, snapshots } = stateIn(place);

  it.each([
    "rm -r data",
    "echo small > data/big.bin",
    "yes | head -c 14000000 > data/big.bin",
    "printf x | dd of=data/big.bin conv=notrunc status=none",
    "mv data/big.bin data/other.bin",
    "chmod 600 data/big.bin && rm data/big.bin",
    "rm data/big.bin && ln -s ../a.txt data/big.bin",
  ])("%s", async (command) => {
    const workspace = await project(place, snapshots);
    const { call, folder } = workspace;
    const before = filesIn(folder);
    const { text } = result(await call("exec", { command }, session));
    expect(text).toContain("Exit code 0");
    const after = filesIn(folder);
    expect(after).not.toEqual(before);
    if (!isCovered) {
      expect(text).toMatch(/undo does not cover: data\/\w+\.bin \(too large\)/);
      return;
    }
    expect(text).not.toContain("undo does not cover");
    await undo(workspace, "t", "u");
    expect(filesIn(folder)).toEqual(before);
    await undo(workspace, "u", "v");
    expect(filesIn(folder)).toEqual(after);
    await undo(workspace, "v", "w");
    expect(filesIn(folder)).toEqual(before);
  });

  it("keeps what somebody wrote into the file since", async () => {
    const workspace = await project(place, snapshots);
    const { big, call } = workspace;
    const { text } = result(
      await call("exec", { command: "printf x | dd of=data/big.bin conv=notrunc status=none" }, session),
    );
    writeFileSync(big, Buffer.alloc(SIZE, "the user's "));
    const users = hashOf(big);
    const isUndone = await undo(workspace, "t", "u").then(
      () => true,
      (error: Error) => error.message,
    );
    expect(isUndone).toMatch(isCovered ? /has been changed since/ : /Nothing to undo|no call/i);
    expect(hashOf(big)).toBe(users);
    expect(text.includes("undo does not cover")).toBe(!isCovered);
  });

  it("gives back what a command changed whose Toolhost was killed", async () => {
    const { big, folder } = await project(place, snapshots);
    const before = hashOf(big);
    const roots = [{ folder, prefix: "" }];
    const call = { session: "s", turn: "t", callId: "c", tool: "exec", door: "api", summary: "exec" };
    await snapshots.take({ call, started: Date.now(), roots }, [big]);
    // As its folder looks to the next process.
    renameSync(ownSnapshots(join(state, "commands")), join(state, "commands", endedTag()));
    rmSync(big);
    const next = new ThreadSnapshots(effectsFolder, () => join(state, "commands"), PATIENT);
    const [left] = await next.left();
    await next.compare(left?.id ?? 0, Date.now(), true);
    const [contents] = (await next.contents(left?.id ?? 0)) ?? [];
    next.done(left?.id ?? 0);
    const large = { sha256: before, size: SIZE, mode: 0o640, copy: join(state, "commands/large", before) };
    expect(contents).toMatchObject(
      isCovered
        ? { files: [{ path: "data/big.bin", before: { large } }], left: [] }
        : { files: [], left: [{ path: "data/big.bin", why: "too large" }] },
    );
  });
});

describe.each(PLACES.filter(({ isCovered }) => isCovered))(
  "in $place, whose copies share their contents,",
  ({ place }) => {
    const { state, snapshots } = stateIn(place);

    it("leaves a file alone that somebody made huge since", async () => {
      const workspace = await project(place, snapshots);
      await workspace.call("exec", { command: "rm data/big.bin" }, session);
      writeFileSync(workspace.big, "the user's ");
      truncateSync(workspace.big, 1024 ** 4);
      await expect(undo(workspace, "t", "u")).rejects.toThrow(/another file is there now/);
      expect(statSync(workspace.big).size).toBe(1024 ** 4);
    });

    it("says what is not kept any more, and undoes the rest alone", async () => {
      const workspace = await project(place, snapshots);
      await workspace.call("exec", { command: "rm data/big.bin a.txt" }, session);
      const kept = readdirSync(join(state, "commands/large"));
      expect(kept.length).toBeGreaterThan(0);
      expect(kept.map((name) => statSync(join(state, "commands/large", name)).mode & 0o777)).toEqual(
        kept.map(() => 0o600),
      );
      expect(statSync(join(state, "commands/large")).mode & 0o777).toBe(0o700);
      rmSync(join(state, "commands/large"), { recursive: true });
      await expect(undo(workspace, "t", "u")).rejects.toMatchObject({
        message:
          "data/big.bin: its earlier contents are no longer kept, to make room for later ones. Nothing was undone.",
        hint: "Undo the other files alone.",
      });
      expect(readdirSync(workspace.folder)).toEqual(["data"]);
      await undo(workspace, "t", "u", ["a.txt"]);
      expect(readdirSync(workspace.folder)).toEqual(["a.txt", "data"]);
    });

    it.each([
      ["an edit and a command", [EDIT, COMMAND]],
      [
        "a command between edits",
        [EDIT, COMMAND, { ...EDIT, input: { ...EDIT.input, old_string: "1st", new_string: "1." } }],
      ],
      ["an edit and a command that deletes it", [EDIT, { tool: "exec", input: { command: "rm data/long.txt" } }]],
    ])("undoes %s of one file", async (_what, calls) => {
      const workspace = await project(place, snapshots);
      const { folder } = workspace;
      writeFileSync(join(folder, "data/long.txt"), `first\n${"a line of a long text\n".repeat(SIZE / 20)}`);
      const before = filesIn(folder);
      for (const { tool, input } of calls) {
        result(await workspace.call(tool, input, session));
      }
      const after = filesIn(folder);
      expect(after).not.toEqual(before);
      await undo(workspace, "t", "u");
      expect(filesIn(folder)).toEqual(before);
      await undo(workspace, "u", "v");
      expect(filesIn(folder)).toEqual(after);
    });
  },
);

describe.each(PLACES.filter(({ place }) => place.includes("btrfs")))("in $place", ({ place }) => {
  const { snapshots } = stateIn(place);

  it("covers other files beside one that the disk writes in place", async () => {
    const workspace = await project(place, snapshots);
    const inPlace = join(workspace.folder, "data/a.img");
    execFileSync("touch", [inPlace]);
    execFileSync("chattr", ["+C", inPlace]);
    appendFileSync(inPlace, Buffer.alloc(SIZE, "image "));
    const before = hashOf(workspace.big);
    const { text } = result(await workspace.call("exec", { command: "rm data/big.bin data/a.img" }, session));
    expect(text).toContain("undo does not cover: data/a.img (its earlier contents were not kept)");
    await undo(workspace, "t", "u");
    expect(hashOf(workspace.big)).toBe(before);
  });
});

it("says that large files are not covered where the state is on another disk", async () => {
  const workspace = await project(tmpdir(), stateIn("/dev/shm").snapshots);
  const { text } = result(await workspace.call("exec", { command: "rm data/big.bin" }, session));
  expect(text).toMatch(/undo does not cover: data\/big\.bin \(too large\)/);
  expect(existsSync(workspace.big)).toBe(false);
  expect(lstatSync(workspace.folder).isDirectory()).toBe(true);
});
