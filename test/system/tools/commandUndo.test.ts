// What a command changed and its undo, on real repositories, where others change files meanwhile or Git has nothing.
import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { result } from "../../unit/tools/workspace.js";
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
    expect(text).toContain("undo does not cover: 6000 new ignored files (they stay)");
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

  it("in another program cannot be told apart after some seconds, which the result and the undo say", async () => {
    let late = 0;
    const { changes, folder, held } = await gitProject({ now: () => Date.now() + late });
    const { go } = await held("rm notes.md");
    put(folder, "src/a.ts", "mine\n");
    late = 7_000;
    const { text, data } = await go();
    expect(text).toContain("; changes by others in this time may be among them]");
    expect(data.changed).toMatchObject({ may_be_others: true });
    const [turn] = (await changes.journal()).turns(1);
    expect(turn?.calls[0]?.notes).toEqual([
      expect.stringMatching(
        /^It ran for \d+ s: what others changed outside of Toolhost meanwhile counts as its changes/,
      ),
    ]);
  });
});

describe.skipIf(process.platform === "win32")("what undo leaves", () => {
  it("is named: empty folders, modes of folders and files", async () => {
    const { changes, folder, run } = await gitProject();
    mkdirSync(join(folder, "empty/deep"), { recursive: true });
    chmodSync(join(folder, "docs"), 0o755);
    chmodSync(join(folder, "src/a.ts"), 0o644);
    const { data } = await run("rm -r empty; mkdir fresh; chmod 700 docs; echo x >> src/a.ts; chmod 600 src/a.ts");
    const named = [
      "src/a.ts (its new mode, which stays)",
      "docs/ (only its mode changed)",
      "fresh/ (a new empty folder, which stays)",
      "empty/ (an empty folder)",
    ];
    expect(data.changed?.not_undone).toEqual(named);
    const [turn] = (await changes.journal()).turns(1);
    expect(turn?.calls[0]?.notes).toEqual([`Not covered by undo: ${named.join(", ")}.`]);
    expect(existsSync(join(folder, "fresh"))).toBe(true);
  });
});
