// What a command changed and its undo, on real repositories, where others change files meanwhile or Git has nothing.
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RecentActivity } from "../../../src/core/pipeline/activity.js";
import { undoFromCommandLine } from "../../../src/doors/cli/undo.js";
import { undo } from "../../../src/views/undo/undo.js";
import { failed, result } from "../../unit/tools/workspace.js";
import { gitProject, MODEL, put } from "./gitProject.js";

describe.skipIf(process.platform === "win32")("ignored files", () => {
  it("come back where a command changes nothing else, however many they are", async () => {
    const { run, state, undo } = await gitProject();
    const before = state();
    const { text, data } = await run("rm -rf dist .env.local");
    expect(text).toContain("[Changed: 9 ignored files]");
    expect(data.changed).toMatchObject({ ignored: 9, not_undone: [] });
    await undo();
    expect(state()).toEqual(before);
  });

  it("come back beside thousands of new ones, of which the result says that they stay", async () => {
    const { run, state, undo } = await gitProject();
    const before = state();
    const { text } = await run("mkdir node_modules; touch node_modules/{1..6000}; rm -rf src dist");
    expect(text).toContain("undo does not cover: 6000 new ignored files (kept)");
    await undo();
    const after = state();
    expect(Object.keys(after).filter((path) => path.startsWith("node_modules/"))).toHaveLength(6_000);
    expect(Object.fromEntries(Object.entries(after).filter(([path]) => !path.startsWith("node_modules/")))).toEqual(
      before,
    );
  });
});

describe.skipIf(process.platform === "win32")("a file that others changed while a command ran", () => {
  it.each<[what: string, command: string]>([
    ["deleted", "rm -rf src"],
    ["overwritten", "echo command > src/a.ts; rm src/deep/b.ts"],
    ["reset", "git checkout -q src"],
    ["moved", "mv src lib"],
    ["kept", "rm -rf src/deep"],
  ])("by an edit of ours, and that it then %s, comes back with one undo of both", async (_what, command) => {
    const { call, held, state, undo } = await gitProject();
    const before = state();
    const { go } = await held(command);
    result(await call("edit", { path: "src/a.ts", old_text: "two", new_text: "2" }, MODEL));
    result(await call("write", { path: "src/made.ts", content: "made\n" }, MODEL));
    await go();
    await undo();
    expect(state()).toEqual(before);
  });

  it("by an edit of ours comes back as the edit left it, where only the command is undone", async () => {
    const { call, held, folder, state, undo } = await gitProject();
    const { go } = await held("rm -rf src; git checkout -q src");
    result(await call("edit", { path: "src/a.ts", old_text: "two", new_text: "2" }, { ...MODEL, turn: "other" }));
    const edited = state();
    await go();
    expect(readFileSync(join(folder, "src/a.ts"), "utf8")).toBe("one\ntwo\nthree\nfour\nfive\n");
    await undo();
    expect(state()).toEqual(edited);
  });

  it("by an edit of ours, which the command had changed before, comes back with one undo of both", async () => {
    const { call, folder, held, state, undo, saved } = await gitProject();
    const before = state();
    const { go } = await held("rm src/a.ts");
    // As the command does before the edit.
    put(folder, "src/a.ts", "1\ntwo\nthree\nfour\nfive\n");
    result(await call("edit", { path: "src/a.ts", old_text: "four", new_text: "4" }, MODEL));
    saved("notes.md");
    await go();
    await undo();
    expect(state()).toEqual(before);
  });

  it("by moving it with a tool, and that it then deleted, comes back", async () => {
    const { call, held, state, undo } = await gitProject();
    const before = state();
    const { go } = await held("rm -f src/z.ts");
    const patch = "*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/z.ts\n@@\n-two\n+2\n*** End Patch";
    result(await call("apply_patch", { patch }, MODEL));
    await go();
    await undo();
    expect(state()).toEqual(before);
  });

  it("by saving it comes back as it was saved", async () => {
    const { folder, held, saved, state, undo } = await gitProject();
    const { go } = await held("rm -rf src notes.md");
    put(folder, "src/a.ts", "mine\n");
    saved("src/a.ts");
    const mine = state();
    const { text } = await go();
    expect(text).not.toContain("meanwhile");
    await undo();
    expect(state()).toEqual(mine);
  });

  it("by saving it is theirs, if the command left it", async () => {
    const { folder, held, saved, state, undo } = await gitProject();
    const { go } = await held("rm notes.md");
    put(folder, "src/a.ts", "mine\n");
    saved("src/a.ts");
    const mine = state();
    const { text } = await go();
    expect(text).toContain("[Changed: D notes.md −1; also edited or saved meanwhile: M src/a.ts]");
    await undo();
    expect(state()).toEqual(mine);
  });

  it("in another program is left by an undo of the turn if it was late, and taken back by one that names it", async () => {
    let early = 70_000;
    const { changes, files, folder, held, undo } = await gitProject({ now: () => Date.now() - early });
    const { go } = await held("echo built > dist/out0.js");
    put(folder, "src/a.ts", "mine\n");
    early = 0;
    const { text, data } = await go();
    expect(text).toContain(
      "[Changed: M dist/out0.js +1 −1 (ignored); while it ran, perhaps by others (undo leaves these): M src/a.ts +1 −5]",
    );
    expect(data.changed).toMatchObject({
      may_be_others: true,
      files: [{ path: "src/a.ts", perhaps_others: true }, { path: "dist/out0.js" }],
    });
    expect((await undo()).perhapsOthers).toMatchObject([{ path: "src/a.ts" }]);
    expect(readFileSync(join(folder, "dist/out0.js"), "utf8")).toBe("built 0\n");
    expect(readFileSync(join(folder, "src/a.ts"), "utf8")).toBe("mine\n");
    const { signal } = new AbortController();
    const named = { session: "s", turn: "t", files: ["src/a.ts"] };
    await changes.undo({ session: "s", turn: "v", callId: "v", door: "api", summary: "Undo" }, named, files, signal);
    expect(readFileSync(join(folder, "src/a.ts"), "utf8")).toBe("one\ntwo\nthree\nfour\nfive\n");
  });

  it("in another program counts as the command's in its first seconds", async () => {
    let early = 0;
    const { folder, held, state, undo } = await gitProject({ now: () => Date.now() - early });
    const before = state();
    const { go } = await held("true");
    put(folder, "src/a.ts", "changed\n");
    early = -70_000;
    expect((await go()).text).toContain("[Changed: M src/a.ts +1 −5]");
    await undo();
    expect(state()).toEqual(before);
  });
});

describe.skipIf(process.platform === "win32")("a command that a person runs", () => {
  it("is undone like a model's, without a question", async () => {
    const { call, changes, files, state } = await gitProject();
    const before = state();
    const { text } = result(
      await call("exec", { command: "rm -rf src; echo new > made" }, { as: "owner", turn: "own" }),
    );
    expect(text).toContain("A made +1");
    const last = (await changes.journal()).lastTurn();
    const by = { session: "s", turn: "u", callId: "u", door: "api", summary: "Undo" } as const;
    await changes.undo(by, last ?? { calls: [] }, files, new AbortController().signal);
    expect(state()).toEqual(before);
  });
});

describe.skipIf(process.platform === "win32")("what changes while a command runs in the background", () => {
  it("is left by an undo of the turn, but for what tools changed and the output of programs", async () => {
    const { call, folder, inBackground, undo } = await gitProject();
    const { go } = await inBackground("echo built > dist/out0.js");
    result(await call("edit", { path: "src/a.ts", old_text: "two", new_text: "2" }, MODEL));
    put(folder, "src/a.ts", "one\n2\nthree\nfour\nfive\nmine\n");
    put(folder, "src/deep/b.ts", "mine\n");
    put(folder, ".env.local", "KEY=mine\n");
    rmSync(join(folder, "notes.md"));
    const { text } = await go();
    expect(text).toContain(
      "M dist/out0.js +1 −1 (ignored), D notes.md −1; while it ran, perhaps by others (undo leaves these): ",
    );
    const { files } = await undo();
    expect(files.map(({ path }) => path).toSorted()).toEqual(["dist/out0.js", "notes.md", "src/a.ts"]);
    const texts = ["dist/out0.js", "src/a.ts", "src/deep/b.ts", ".env.local", "notes.md"].map((path) =>
      readFileSync(join(folder, path), "utf8"),
    );
    expect(texts).toEqual(["built 0\n", "one\ntwo\nthree\nfour\nfive\nmine\n", "mine\n", "KEY=mine\n", "untracked\n"]);
  });

  it("is not undone at all if nothing else is left of the turn, and comes back with its call", async () => {
    const { changes, files, folder, inBackground, state, undo } = await gitProject();
    const before = state();
    const { go } = await inBackground("echo more >> notes.md");
    put(folder, "src/a.ts", "mine\n");
    await go();
    const journal = await changes.journal();
    const [call] = journal.calls({ session: "s", turn: "t" });
    await expect(undo()).rejects.toMatchObject({
      type: "not_found",
      message: expect.stringContaining("perhaps by others: notes.md, src/a.ts.") as string,
      hint: expect.stringContaining(`toolhost undo --id ${call?.id}`) as string,
    });
    expect(readFileSync(join(folder, "src/a.ts"), "utf8")).toBe("mine\n");
    const by = { session: "s", turn: "v", callId: "v", door: "api", summary: "Undo" } as const;
    await changes.undo(by, { calls: [call?.id ?? 0] }, files, new AbortController().signal);
    expect(state()).toEqual(before);
  });

  it("leaves what others may have made of a file that is named, where a tool changed it, too", async () => {
    const { call, changes, files, folder, inBackground } = await gitProject();
    const { go } = await inBackground("true");
    put(folder, "src/a.ts", "one\ntwo\nthree\nfour\nmine\n");
    result(await call("edit", { path: "src/a.ts", old_text: "two", new_text: "2" }, MODEL));
    await go();
    const by = { session: "s", turn: "v", callId: "v", door: "api", summary: "Undo" } as const;
    const named = { session: "s", turn: "t", files: ["src/a.ts"] };
    await changes.undo(by, named, files, new AbortController().signal);
    expect(readFileSync(join(folder, "src/a.ts"), "utf8")).toBe("one\ntwo\nthree\nfour\nmine\n");
  });
});

/** The project with links, empty folders and modes of all kinds. */
async function linkedProject() {
  const opened = await gitProject();
  const at = (path: string): string => join(opened.folder, path);
  mkdirSync(at("empty/deep"), { recursive: true });
  mkdirSync(at("dist/tmp"));
  symlinkSync("src/a.ts", at("link"));
  symlinkSync("../src", at("docs/folder"));
  symlinkSync("/nowhere/at all", at("broken"));
  symlinkSync("../out0.js", at("dist/tmp/ignored"));
  chmodSync(at("docs"), 0o700);
  chmodSync(at("notes.md"), 0o600);
  return { ...opened, at };
}

describe.skipIf(process.platform === "win32")("folders, links and modes", () => {
  it.each([
    "mkdir -p fresh/a fresh/b/c",
    "rm -rf empty docs dist link broken",
    `rm link broken; ln -s b.ts src/deep/new; python3 -c 'import os; os.symlink("/etc/passwd", "outside")'`,
    "ln -sfn src/deep/b.ts link; ln -sfn nowhere docs/folder",
    "rm link; echo file > link; rm notes.md; ln -s package.json notes.md",
    "mv src/a.ts moved.ts; ln -s ../moved.ts src/a.ts",
    "mv link other; mv docs manual; mv empty full; touch full/now",
    "rm -r empty/deep; echo file > empty/deep; rm broken; mkdir broken",
    "chmod -R a+rwX .; chmod 711 docs src",
    "echo x >> src/a.ts; chmod 4755 src/a.ts; mv notes.md renamed.md; chmod 444 renamed.md; chmod 400 dist/out1.js",
    "chmod 600 bin/run.sh; rm bin/run.sh; chmod 755 docs; rm -r docs",
    "git clean -fdxq; git stash -q",
  ])("are as before after an undo, and changed again after its undo: %s", async (command) => {
    const { run, state, undo } = await linkedProject();
    const before = state();
    const { text } = await run(command);
    expect(text).toContain("Exit code 0");
    expect(text).not.toContain("undo does not cover");
    const after = state();
    expect(after).not.toEqual(before);
    await undo();
    expect(state()).toEqual(before);
    await undo("u", "v");
    expect(state()).toEqual(after);
    await undo("v", "w");
    expect(state()).toEqual(before);
  });

  it("come back with the edits of the same turn, in one step", async () => {
    const { call, run, state, undo } = await linkedProject();
    const before = state();
    await run("mkdir lib; chmod +x src/a.ts");
    result(await call("edit", { path: "src/a.ts", old_text: "two", new_text: "2" }, MODEL));
    await run("mv src/a.ts lib/; ln -s ../lib/a.ts src/a.ts; chmod 500 lib/a.ts");
    await run("rm lib/a.ts");
    await undo();
    expect(state()).toEqual(before);
  });

  it("keep what the user did since: files in a new folder, other bits of a mode, later text", async () => {
    const { at, folder, run, undo } = await linkedProject();
    await run("mkdir fresh; chmod 755 notes.md");
    put(folder, "fresh/mine.txt", "mine\n");
    put(folder, "notes.md", "mine\n");
    chmodSync(at("notes.md"), 0o775);
    await undo();
    expect(readFileSync(at("fresh/mine.txt"), "utf8")).toBe("mine\n");
    expect(readFileSync(at("notes.md"), "utf8")).toBe("mine\n");
    // Of 600 → 755 nothing is left, and the user's own bit stays.
    expect(lstatSync(at("notes.md")).mode & 0o777).toBe(0o620);
  });

  it.each<[what: string, command: string, path: string, mine: (at: string) => void]>([
    ["a link that it changed", "ln -sfn elsewhere link", "link", (at) => symlinkSync("mine", at)],
    ["a link that it made", "ln -s a.ts made", "made", (at) => writeFileSync(at, "mine")],
    ["a link that it deleted", "rm link", "link", (at) => writeFileSync(at, "mine")],
    ["a folder that it deleted", "rm -r empty", "empty", (at) => symlinkSync("mine", at)],
    ["a file with another mode", "chmod 700 notes.md", "notes.md", (at) => symlinkSync("mine", at)],
  ])("are left, whole, where the user has something else in the place of %s", async (_what, command, path, mine) => {
    const { at, run, state, undo } = await linkedProject();
    await run(`${command}; rm debug.log`);
    rmSync(at(path), { recursive: true, force: true });
    mine(at(path));
    const there = state();
    await expect(undo()).rejects.toMatchObject({ type: "conflict", message: expect.stringContaining(path) as string });
    expect(state()).toEqual(there);
  });

  it("are listed with the call, each once", async () => {
    const { changes, run } = await linkedProject();
    await run("mkdir fresh; chmod 755 docs; ln -sfn b link; echo x >> src/a.ts; chmod +x src/a.ts");
    const [turn] = (await changes.journal()).turns(1);
    expect(turn?.files.map(({ path, kind, after }) => [path, kind, after?.form]).sort()).toEqual([
      ["docs", "replace", "mode"],
      ["fresh", "create", "folder"],
      ["link", "replace", "link"],
      ["src/a.ts", "replace", "utf8"],
    ]);
    expect(turn?.calls[0]?.notes).toBeUndefined();
  });

  it("that are none of these are named as not covered", async () => {
    const { run } = await linkedProject();
    const { data } = await run("mkfifo pipe");
    expect(data.changed?.not_undone).toEqual(["pipe (not a regular file, link or folder)"]);
  });
});

describe.skipIf(process.platform === "win32")("what an undo says of commands", () => {
  it("is of those it takes back, and of what Git did alone since", async () => {
    const { changes, files, run, workspaceUndo } = await told();
    await run("mkfifo pipe; echo 1 > first");
    const first = await workspaceUndo();
    expect(first.remarks).toEqual([expect.stringContaining("Not covered by undo: pipe (")]);
    await run("echo 2 > second");
    await run("git tag v1");
    const second = await workspaceUndo();
    expect(second.steps).toMatchObject([{ path: "second", did: "deleted" }]);
    expect(second.remarks).toEqual([expect.stringContaining("tag v1 is new (git tag -d v1 takes that back)")]);
    const host = { changes, files, activity: new RecentActivity(), isTrusted: () => true, now: Date.now };
    const { signal } = new AbortController();
    const listed = await undoFromCommandLine(host, { kind: "list" }, "toolhost undo", signal);
    expect(listed.ok && listed.text).toMatch(/^ +4 {2}exec {2}no file that undo takes back\n.*tag v1 is new/m);
    const alone = await undoFromCommandLine(host, { kind: "call", id: 4 }, "toolhost undo", signal);
    expect(alone).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("(git tag -d v1 takes that back)") as string },
    });
  });

  it("is of what Git did alone before the first change, too, once", async () => {
    const { run, workspaceUndo } = await told();
    await run("git checkout -q -b other");
    await run("echo 1 > first");
    expect((await workspaceUndo()).remarks?.join()).toContain("HEAD moved from");
    await run("echo 2 > second");
    expect((await workspaceUndo()).remarks ?? []).toEqual([]);
  });

  it("names what Git did later, in another turn, which stays", async () => {
    const { call, changes, files } = await gitProject();
    result(await call("exec", { command: "echo 1 > first" }, MODEL));
    result(await call("exec", { command: "git branch other" }, { ...MODEL, turn: "later" }));
    const host = { changes, files, activity: new RecentActivity(), isTrusted: () => true, now: Date.now };
    const { signal } = new AbortController();
    const undone = await undoFromCommandLine(host, { kind: "last" }, "toolhost undo", signal);
    expect(undone.ok && undone.text).toMatch(/first: deleted again\nCall 2 \(exec, .*\) stays\. .*git branch -D other/);
  });
});

/** The project with undo as a door does it, which tells people about it. */
async function told() {
  const opened = await gitProject();
  const { changes, files, processes } = opened;
  const host = {
    ...{ changes, files, activity: new RecentActivity(), isTrusted: () => true, now: Date.now },
    running: () => processes.list().filter(({ end }) => end === undefined),
  };
  const { signal } = new AbortController();
  const by = { door: "cli", session: "u", signal } as const;
  return { ...opened, workspaceUndo: () => undo(host, by, { session: "s", turn: "t" }, "undo") };
}

describe.skipIf(process.platform === "win32")("an undo while a command of the turn runs in the background", () => {
  it("names that command, and no longer once it has ended", async () => {
    const { call, changes, workspaceUndo, folder } = await told();
    const command = "rm notes.md; read; rm debug.log";
    const background = async (line: string, turn: string): Promise<string> => {
      const caller = { ...MODEL, turn };
      return result<{ process_id: string }>(await call("exec", { command: line, background: true }, caller)).data
        .process_id;
    };
    const id = await background(command, "t");
    const other = await background("read", "other");
    await expect.poll(() => existsSync(join(folder, "notes.md"))).toBe(false);
    // A look at the process records what it has changed so far.
    result(await call("process", { action: "poll", process_id: id }, MODEL));
    expect((await changes.journal()).calls({ session: "s", turn: "t" })).toHaveLength(1);
    expect((await workspaceUndo()).remarks).toContain(
      `The command ${command} (${id}) is still running and may change files again.`,
    );
    expect(existsSync(join(folder, "notes.md"))).toBe(true);
    await call("process", { action: "input", process_id: id, input: "\n", wait_for: "exit" }, MODEL);
    expect((await workspaceUndo()).remarks.join("\n")).not.toContain("still running");
    expect(existsSync(join(folder, "debug.log"))).toBe(true);
    result(await call("process", { action: "signal", process_id: other }, MODEL));
  });
});

describe.skipIf(process.platform === "win32")("an edit of what a command of the same session changed", () => {
  const reader = { ...MODEL, reads: "must" } as const;
  const edit = (old_text: string, new_text: string) => ({ path: "src/a.ts", old_text, new_text });

  it("needs no second look at the file if it quotes the new text", async () => {
    const { call, folder } = await gitProject();
    result(await call("read", { path: "src/a.ts" }, reader));
    result(await call("exec", { command: "sed -i s/two/2/ src/a.ts" }, reader));
    result(await call("exec", { command: "sed -i s/four/4/ src/a.ts" }, reader));
    result(await call("edit", edit("2", "zwei"), reader));
    expect(readFileSync(join(folder, "src/a.ts"), "utf8")).toBe("one\nzwei\nthree\n4\nfive\n");
  });

  it("is stale if others have changed the file, too", async () => {
    const { call, folder } = await gitProject();
    result(await call("read", { path: "src/a.ts" }, reader));
    result(await call("exec", { command: "sed -i s/two/2/ src/a.ts" }, reader));
    put(folder, "src/a.ts", "one\n2\n3\nfour\nfive\n");
    expect(failed(await call("edit", edit("2", "zwei"), reader)).type).toBe("stale");
    put(folder, "src/deep/b.ts", "mine\n");
    result(await call("read", { path: "src/deep/b.ts" }, reader));
    put(folder, "src/deep/b.ts", "mine too\n");
    result(await call("exec", { command: "sed -i s/mine/yours/ src/deep/b.ts" }, reader));
    const other = { path: "src/deep/b.ts", old_text: "yours too", new_text: "x" };
    expect(failed(await call("edit", other, reader)).type).toBe("stale");
  });
});
