// Commands that do a great deal, or odd things, without a sandbox: what they did is told, what undo does not cover is said,
// and undo does just that.
import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempFolder } from "../../unit/tools/workspace.js";
import { gitProject } from "./gitProject.js";

/** Runs it in a way that no parser sees through. */
const hidden = (script: string): string =>
  `python3 -c 'import subprocess, sys; sys.exit(subprocess.call(["bash", "-c", sys.stdin.read()]))' <<'END'\n${script}\nEND`;

/** What Git had of the files is gone with its own folder; the others were copied. */
const KEPT = [".env.local", "debug.log", "notes.md", "package.json", "new/deep/c.ts", "dist/out0.js"];
const GONE =
  /Git: the repository's own files \(\.git\) are gone; undo does not cover: .*src\/a\.ts \(its earlier contents were not kept\)/;

describe.skipIf(process.platform === "win32")("without a sandbox", () => {
  it("100,000 changes are counted, and those named that undo does not cover", { timeout: 300_000 }, async () => {
    const { folder, run, state, undo } = await gitProject();
    const before = state();
    const { text, data } = await run("mkdir many; cd many; seq 100000 | xargs touch; rm ../src/a.ts");
    expect(text).toContain("[Changed: A many/ (100000 files), D src/a.ts −5");
    expect(text).toMatch(/undo does not cover: many\/\d+ \(too many changes\), .* and \d+ more\]/);
    expect(data.changed?.files).toHaveLength(2);
    await undo();
    // 5,000 changes are covered, of which the deletion is one.
    rmSync(join(folder, "many"), { recursive: true });
    expect(state()).toEqual(before);
  });

  it.each<[what: string, script: string]>([
    ["moved away, and another made", 'd=$PWD; cd ..; mv "$d" "$d.away"; mkdir "$d"; echo new > "$d/new.txt"'],
    ["deleted and made anew", 'd=$PWD; cd ..; rm -rf "$d"; mkdir "$d"; echo new > "$d/new.txt"'],
  ])("the workspace's own folder is %s: all is told, and what was copied comes back", async (_what, script) => {
    const { folder, run, state, undo } = await gitProject();
    onTestFinished(() => rmSync(`${folder}.away`, { recursive: true, force: true }));
    const before = state();
    const { text } = await run(hidden(script));
    expect(text).toContain(
      "[Changed: A new.txt +1, D .gitignore, D logo.png, D notes.md −1, D package.json −1, D bin/run.sh",
    );
    expect(text).toMatch(GONE);
    await undo();
    const after = state();
    expect(KEPT.map((path) => after[path])).toEqual(KEPT.map((path) => before[path]));
    expect(after["new.txt"]).toBeUndefined();
  });

  it("a link in the place of the workspace's own folder is not followed by an undo", async () => {
    const { folder, run, undo } = await gitProject();
    const outside = await tempFolder({ "src/a.ts": "outside\n" });
    onTestFinished(() => rmSync(`${folder}.away`, { recursive: true, force: true }));
    const { text } = await run(hidden(`d=$PWD; cd ..; mv "$d" "$d.away"; ln -s ${outside} "$d"`));
    expect(text).toContain("M src/a.ts");
    expect(text).toMatch(/undo does not cover: .*\(its path leads elsewhere now\)/);
    await expect(undo()).rejects.toMatchObject({ type: "not_found" });
    expect(execFileSync("find", [outside, "-type", "f"], { encoding: "utf8" })).toBe(`${outside}/src/a.ts\n`);
    expect(readFileSync(join(outside, "src/a.ts"), "utf8")).toBe("outside\n");
  });

  it("the repository moves away, and comes back with what moved beside it", async () => {
    const { run, state, undo } = await gitProject();
    const before = state();
    const { text } = await run(hidden("mv .git g; mv src lib"));
    expect(text).toContain("R src/ → lib/ (3 files)");
    expect(text).toContain("Git: the repository's own files (.git) are gone");
    await undo();
    expect(state()).toEqual(before);
  });

  it("links that leave the workspace are undone, and nothing behind them is touched", async () => {
    const { run, state, undo } = await gitProject();
    const outside = await tempFolder({ "keep.ts": "outside\n" });
    const before = state();
    const { text } = await run(
      hidden(`ln -s /etc out; rm notes.md; ln -s ${outside}/keep.ts notes.md; ln -s ${outside} new/deep/d`),
    );
    expect(text).toContain("A out");
    await undo();
    expect(state()).toEqual(before);
    expect(readFileSync(join(outside, "keep.ts"), "utf8")).toBe("outside\n");
  });

  it("pipes, sockets and devices are named, never opened, and stay", async () => {
    const { folder, run, state, undo } = await gitProject();
    const before = state();
    // To make a device takes rights that an ordinary user does not have.
    const { text } = await run(
      hidden(
        `mkfifo p; mknod n c 1 3; rm notes.md package.json; mkfifo notes.md; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("s")'; true`,
      ),
    );
    expect(text).toContain("A notes.md, ");
    for (const path of ["notes.md", "p", "s"]) {
      expect(text).toContain(`${path} (not a regular file, link or folder)`);
    }
    await expect(undo()).rejects.toMatchObject({
      type: "conflict",
      message: expect.stringContaining("notes.md is not a regular file") as string,
    });
    rmSync(join(folder, "notes.md"));
    await undo("t", "again");
    expect(state()).toEqual(before);
    expect(["p", "s"].map((path) => lstatSync(join(folder, path)).isFile())).toEqual([false, false]);
  });

  it("names that are no UTF-8 are shown and left, and the rest is undone", async () => {
    const { folder, run, state, undo } = await gitProject();
    const before = state();
    const { text } = await run(
      hidden(`mkdir $'d\\xff'; printf x > $'d\\xff/x'; printf x > $'n\\xe9'; ln -s $'t\\xff' l; rm -r src`),
    );
    expect(text).toContain("A d\\xFF/x, A l, A n\\xE9, D src/a.ts −5");
    expect(text).toMatch(/undo does not cover: .*l \(its target is not UTF-8\), n\\xE9 \(its name is not UTF-8\)/);
    await undo();
    execFileSync("bash", ["-c", `rm -r $'d\\xff' $'n\\xe9' l`], { cwd: folder });
    expect(state()).toEqual(before);
  });
});
