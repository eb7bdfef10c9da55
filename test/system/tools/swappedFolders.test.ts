// Commands that put a file or a link in place of a folder, or a folder in place of one of those: undo, and its undo.
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bringBack } from "../../../src/hosts/node/copies/bringBack.js";
import { FolderCopy } from "../../../src/hosts/node/copies/folderCopy.js";
import { openWorkspace, result } from "../../unit/tools/workspace.js";
import { gitProject, MODEL, put, snapshots, stateOf } from "./gitProject.js";

/** What a test needs of a project. */
type Project = Pick<Awaited<ReturnType<typeof gitProject>>, "changes" | "files" | "folder" | "run" | "state" | "undo">;

const never = new AbortController().signal;

/** A project with a folder that has all kinds of things in it: see `gitProject` for the rest. */
async function project(options: Parameters<typeof gitProject>[0] = {}): Promise<Project> {
  const made = await gitProject(options);
  fill(made.folder);
  return made;
}

function fill(folder: string): void {
  put(folder, "lib/a.ts", "a\n");
  put(folder, "lib/run.sh", "#!/bin/sh\n");
  put(folder, "lib/data.bin", Buffer.from([0, 1, 255]));
  put(folder, "lib/debug.log", "ignored\n");
  put(folder, "lib/sub/deep/b.ts", "b\n");
  mkdirSync(join(folder, "lib/empty"));
  mkdirSync(join(folder, "lib/closed"), { mode: 0o700 });
  symlinkSync("a.ts", join(folder, "lib/link"));
  symlinkSync("../docs", join(folder, "lib/sub/docs"));
}

const again = (changes: Project["changes"], files: Project["files"], turn: string, by: string) =>
  changes.undo({ session: "s", turn: by, callId: by, door: "api", summary: "" }, { session: "s", turn }, files, never);

const SWAPS: [what: string, command: string][] = [
  ["a folder by a file", "rm -rf lib && echo x > lib"],
  ["a folder by a file of another name", "rm -rf lib && mv notes.md lib"],
  ["a folder by a file that was in it", "mv lib/a.ts t && rm -rf lib && mv t lib"],
  ["a folder deep down by a file", "rm -rf lib/sub/deep && echo x > lib/sub/deep"],
  ["a file by a folder", "rm notes.md && mkdir notes.md && echo y > notes.md/a && chmod 755 notes.md/a"],
  ["a file by folders in folders", "rm notes.md && mkdir -p notes.md/x/y notes.md/none && echo y > notes.md/x/y/z"],
  ["a file by a folder with an ignored file", "rm notes.md && mkdir notes.md && echo y > notes.md/x.log"],
  ["a file by a folder of another name", "rm notes.md && mv lib notes.md"],
  ["a file by an empty folder", "rm notes.md && mkdir notes.md"],
  ["a folder by a link to another", "rm -rf lib && ln -s docs lib"],
  ["a folder by a link that leads nowhere", "rm -rf lib && ln -s nowhere lib"],
  ["a folder by a link out of the workspace", "rm -rf lib && ln -s /tmp lib"],
  ["a folder by a link to where it is now", "mv lib library && ln -s library lib"],
  ["a folder in a folder by a link to where it is now", "mv lib/sub lib/other && ln -s other lib/sub"],
  ["a link by a folder", "rm lib/sub/docs && mkdir lib/sub/docs && echo y > lib/sub/docs/a && ln -s a lib/sub/docs/b"],
  ["a folder by another", "rm -rf lib && mv src lib"],
  ["a folder and a file by each other", "mv lib t && mv notes.md lib && mv t notes.md"],
  ["two folders by files of each other", "mv src/a.ts t && mv lib/a.ts u && rm -rf lib src && mv t lib && mv u src"],
];

describe.skipIf(process.platform === "win32")("what a command replaced", () => {
  it.each(SWAPS)("%s comes back, goes again, and comes back", async (_what, command) => {
    const { run, state, undo, changes, files } = await project();
    const before = state();
    const { data } = await run(command);
    const after = state();
    expect(after).not.toEqual(before);
    expect(data.changed?.not_undone ?? []).toEqual([]);
    await undo();
    expect(state()).toEqual(before);
    await again(changes, files, "u", "redo");
    expect(state()).toEqual(after);
    await again(changes, files, "redo", "third");
    expect(state()).toEqual(before);
  });

  it.each(SWAPS.slice(0, 2).concat(SWAPS.slice(4, 5)))("%s comes back outside of Git", async (_what, command) => {
    const { folder, call, changes, files } = await openWorkspace({ "notes.md": "notes\n" }, { snapshots });
    fill(folder);
    const before = stateOf(folder);
    result(await call("exec", { command }, MODEL));
    await again(changes, files, "t", "u");
    expect(stateOf(folder)).toEqual(before);
  });

  it.each<[what: string, command: string, add: (folder: string) => void, conflict: string]>([
    [
      "a file in the folder that replaced a file",
      "rm notes.md && mkdir notes.md && echo y > notes.md/a",
      (folder) => put(folder, "notes.md/mine/text", "mine\n"),
      "notes.md is a folder now, and holds what the changes to undo did not put there: mine, mine/text.",
    ],
    [
      "an ignored file in the folder that replaced a file",
      "rm notes.md && mkdir notes.md && echo y > notes.md/a",
      (folder) => put(folder, "notes.md/mine.log", "mine\n"),
      "notes.md is a folder now, and holds what the changes to undo did not put there: mine.log.",
    ],
    [
      "an empty folder in the folder that replaced a file",
      "rm notes.md && mkdir notes.md && echo y > notes.md/a",
      (folder) => mkdirSync(join(folder, "notes.md/mine")),
      "notes.md is a folder now, and holds what the changes to undo did not put there: mine.",
    ],
    [
      "text in the file that replaced a folder",
      "rm -rf lib && echo x > lib",
      (folder) => put(folder, "lib", "mine\n"),
      "lib has been changed since, and is not text that could be merged.",
    ],
    [
      "another link in place of the one that replaced a folder",
      "rm -rf lib && ln -s docs lib",
      (folder) => {
        rmSync(join(folder, "lib"));
        symlinkSync("src", join(folder, "lib"));
      },
      "lib has been changed since, and is not text that could be merged.",
    ],
    [
      "a file in place of a folder that a command removed",
      "rm -rf lib",
      (folder) => put(folder, "lib", "mine\n"),
      "lib",
    ],
    [
      "a link in place of a folder that a command removed",
      "rm -rf lib",
      (folder) => symlinkSync("docs", join(folder, "lib")),
      "lib",
    ],
  ])("%s stays, and the undo says so", async (_what, command, add, conflict) => {
    const { folder, run, state, undo, changes, files } = await project();
    await run(`${command}; echo new > new.txt`);
    add(folder);
    const mine = state();
    const refused = await undo().then(
      () => expect.fail("nothing was in the way"),
      (error: unknown) => error as Error & { type: string },
    );
    expect(refused.message).toContain(conflict);
    expect(["conflict", "path_conflict"]).toContain(refused.type);
    expect(state()).toEqual(mine);
    await changes.undo(
      { session: "s", turn: "u2", callId: "u2", door: "api", summary: "" },
      { session: "s", turn: "t", files: ["new.txt"] },
      files,
      never,
    );
    expect(existsSync(join(folder, "new.txt"))).toBe(false);
  });

  it("comes back alone, by the name of the link that has its place, or of a file that was in it", async () => {
    for (const name of ["lib", "lib/a.ts"]) {
      const { folder, run, state, changes, files } = await project();
      const before = state();
      await run("rm -rf lib; ln -s docs lib; echo new > new.txt");
      await changes.undo(
        { session: "s", turn: "u", callId: "u", door: "api", summary: "" },
        { session: "s", turn: "t", files: [name] },
        files,
        never,
      );
      rmSync(join(folder, "new.txt"));
      expect(state()).toEqual(before);
    }
  });

  it("never comes back through a link that leads out of the workspace, or to another folder in it", async () => {
    const outside = mkdtempSync(join(tmpdir(), "toolhost-outside-"));
    put(outside, "a.ts", "a\n");
    mkdirSync(join(outside, "empty"));
    for (const target of [outside, "docs"]) {
      const { folder, run, state, undo } = await project();
      const before = state();
      put(folder, "docs/a.ts", "a\n");
      const docs = lstatSync(join(folder, "docs/a.ts")).ino;
      await run(`rm -rf lib; ln -s ${target} lib`);
      await undo();
      expect(lstatSync(join(folder, "docs/a.ts")).ino).toBe(docs);
      rmSync(join(folder, "docs/a.ts"));
      expect(state()).toEqual(before);
      expect(readdirSync(outside)).toEqual(["a.ts", "empty"]);
    }
    rmSync(outside, { recursive: true });
  });

  it("comes back with what was deleted where a move leads, and where it leads from", async () => {
    for (const command of [
      "mv src lib2 && rm lib2/a.ts && mv lib/a.ts lib2/a.ts",
      "mv lib other && rm -rf other/sub && mv src other/sub && rm docs/guide.md",
      "rm lib/link && mv notes.md lib/link && rm -rf docs src",
      "rm -rf lib/sub && mv docs/guide.md lib/sub",
    ]) {
      const { run, state, undo } = await project();
      const before = state();
      const { data } = await run(command);
      expect(data.changed?.not_undone ?? []).toEqual([]);
      await undo();
      expect(state()).toEqual(before);
    }
  });

  it.each(SWAPS)("in a task's copy, %s is brought to the workspace, and comes back", async (_what, command) => {
    const { folder, state, changes, files, undo } = await project();
    rmSync(join(folder, "lib/debug.log"));
    const before = state();
    const place = mkdtempSync(join(tmpdir(), "toolhost-copies-"));
    const copy = await FolderCopy.make(folder, place, never);
    execFileSync("bash", ["-c", command.replace("x.log", "x.txt")], { cwd: copy.folder });
    const call = { session: "s", turn: "t", callId: "c", tool: "exec", door: "api", summary: "" } as const;
    const { left } = await bringBack(
      copy,
      copy.changes().changes,
      files,
      (made, newFolder, untouched) => changes.publish(call, made, files, newFolder, untouched),
      never,
    );
    expect(left).toEqual([]);
    const ignored = Object.entries(before).filter(([path]) => /^(?:dist|node_modules|\.env|debug)/.test(path));
    expect(state()).toEqual({ ...stateOf(copy.folder), ...Object.fromEntries(ignored) });
    await undo();
    expect(state()).toEqual(before);
    rmSync(place, { recursive: true, force: true });
  });
});
