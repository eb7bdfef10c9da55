// Commands that put a file or a link in place of a folder, or a folder in place of one of those: undo, and its undo.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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
});
