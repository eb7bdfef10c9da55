// Contained commands that change files: they do so in a view, and what may be changed unasked is published afterwards.
import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, readlink, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ProcessTable } from "../../../../src/features/processes/processTable.js";
import { Sandbox } from "../../../../src/hosts/node/processes/sandbox.js";
import { NodeSpawner } from "../../../../src/hosts/node/processes/spawner.js";
import type { GatedPath } from "../../../../src/ports/files.js";
import type { CommandEnd, ManagedProcess } from "../../../../src/ports/processes.js";
import { poll } from "../../../harness/poll.js";
import { tempFolder } from "../../../unit/tools/workspace.js";
import { treeOf } from "../../faults/tree.js";
import { missingSandbox } from "./missingSandbox.js";

const FILES = {
  "a.txt": "one\n",
  ".env": "KEY=value\n",
  ".vscode/tasks.json": "{}\n",
  "sub/.husky/pre-commit": "true\n",
  "sub/b.txt": "b\n",
  "d/x/1.txt": "1\n",
  "d/x/2.txt": "2\n",
};

const CALL = { session: "s", turn: "t", callId: "c", tool: "exec", door: "cli", summary: "Run it" };

interface Place {
  folder: string;
  state: string;
  sandbox: Sandbox;
  start: (command: string) => Promise<ManagedProcess>;
  run: (command: string) => Promise<{ text: string; end: CommandEnd }>;
}

async function place({ folder = "", state = "", isOn = true, blind = "" } = {}): Promise<Place> {
  const home = await tempFolder();
  const root = folder === "" ? await tempFolder(FILES) : folder;
  const stateFolder = state === "" ? await tempFolder() : state;
  const sandbox = new Sandbox({
    mode: () => (isOn ? "work" : "off"),
    folders: () => [root],
    secretFiles: async () => [join(root, ".env")],
    stateFolder: () => stateFolder,
    onMissing: (why) => expect.unreachable(why),
  });
  const spawner = new NodeSpawner(sandbox);
  // What it changes is watched elsewhere.
  const effects = {
    start: async () => ({ end: async () => ({ unknown: "not looked at" }), ...(blind !== "" && { blind }) }),
  };
  const table = new ProcessTable({ spawner, effects, times: { kill: 2_000, closing: 300 } });
  onTestFinished(async () => {
    await table.closeAll();
    spawner.dispose();
  });
  const start: Place["start"] = (command) => {
    const at = { path: "w", realPath: "w", lexical: root, absolute: root, root: undefined };
    return table.start(
      {
        ...{ command, workdir: at as unknown as GatedPath, env: { HOME: home }, interactive: false, title: "test" },
        ...{ unasked: true, watched: CALL, contained: { hidesSecrets: true, writes: true } },
      },
      false,
      { session: "s", callId: "c" },
    );
  };
  return {
    ...{ folder: root, state: stateFolder, sandbox, start },
    run: async (command) => {
      const process = await start(command);
      const end = await process.ended;
      return { end, text: process.summary(100_000).text };
    },
  };
}

describe.skipIf(missingSandbox() !== undefined)("a contained command that changes files", () => {
  test("has its changes made once it has ended, and leaves nothing else", async () => {
    const { folder, state, run } = await place();
    const { end } = await run(
      "echo two >> a.txt; mkdir -p dist/deep; echo x > dist/deep/x; rm sub/b.txt; chmod 755 d/x/1.txt; ln -s a.txt link; ln -s ../../sub/b.txt d/x/up; ln -s ./../x d/x/self; mv d/x/2.txt d/y.txt; printf 'n' > 'odd\nname'",
    );
    expect(end).toMatchObject({ exitCode: 0 });
    expect(end.unpublished).toBeUndefined();
    const after = await treeOf(folder);
    expect(after).toMatchObject({ "a.txt": "one\ntwo\n", "dist/deep/x": "x\n", "d/y.txt": "2\n", "odd\nname": "n" });
    expect(await Promise.all(["link", "d/x/up", "d/x/self"].map((path) => readlink(join(folder, path))))).toEqual([
      "a.txt",
      "../../sub/b.txt",
      "./../x",
    ]);
    expect((await stat(join(folder, "d/x/1.txt"))).mode & 0o777).toBe(0o755);
    for (const gone of ["sub/b.txt", "d/x/2.txt"]) {
      expect(after).not.toHaveProperty([gone]);
    }
    expect(await readdir(join(state, "views"))).toEqual([]);
    // Nothing of what the kernel notes stays on files.
    expect(
      execFileSync("tar", ["-c", "--xattrs", "--xattrs-include=*", "-C", folder, "."], { encoding: "latin1" }),
    ).not.toContain("overlay");
  });

  test("has a folder exchanged for another, for a file and for a link, and a file for a folder", async () => {
    const { folder, run } = await place();
    await run("rm -r d; mkdir d; echo new > d/only.txt; rm a.txt; mkdir a.txt; echo in > a.txt/in; rm sub/b.txt");
    const after = await treeOf(folder);
    expect(Object.keys(after).filter((path) => path.startsWith("d/"))).toEqual(["d/", "d/only.txt"]);
    expect(after["a.txt/in"]).toBe("in\n");
    const { end } = await run("rm -r d; echo file > d; rm -r a.txt; ln -s d a.txt");
    expect(end.unpublished).toBeUndefined();
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("file\n");
  });

  test("changes nothing while it runs, and nothing at all when this process is killed", async () => {
    const { folder, start } = await place();
    const before = await treeOf(folder);
    const process = await start("echo x > a.txt; rm -rf d; echo ready; exec sleep 600");
    await poll("the command to be ready", () => process.summary(100).text.includes("ready"));
    expect(await treeOf(folder)).toEqual(before);
    process.kill("SIGKILL");
    expect((await process.ended).signal).toBe("SIGKILL");
  });

  test("has what it changed until it was ended", async () => {
    const { folder, start } = await place();
    const process = await start("echo x > a.txt; echo ready; exec sleep 600");
    await poll("the command to be ready", () => process.summary(100).text.includes("ready"));
    await process.stop("cancelled");
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("x\n");
  });

  test("does not change what the user has saved meanwhile", async () => {
    const { folder, start } = await place();
    const process = await start(
      "trap 'echo more > c.txt; exit' USR1; echo its > a.txt; rm sub/b.txt; rm -r d; echo ready; while :; do sleep 0.1; done",
    );
    await poll("the command to be ready", () => process.summary(100).text.includes("ready"));
    await writeFile(join(folder, "a.txt"), "user's\n");
    await writeFile(join(folder, "sub/b.txt"), "user's b\n");
    await writeFile(join(folder, "d/x/2.txt"), "user's 2\n");
    process.kill("SIGUSR1");
    const end = await process.ended;
    const why = "somebody else has changed it while the command ran";
    expect(end.unpublished).toEqual(["a.txt", "d/x/2.txt", "sub/b.txt"].map((path) => ({ path, why })));
    expect(await treeOf(folder)).toMatchObject({
      "a.txt": "user's\n",
      "sub/b.txt": "user's b\n",
      "d/x/2.txt": "user's 2\n",
      "c.txt": "more\n",
    });
  });

  test.each<[string, string]>([
    ["its protected files", "echo x > .vscode/tasks.json; rm -rf .vscode sub/.husky; echo x > sub/.husky/pre-commit"],
    [
      "new files in protected folders",
      "touch .vscode/settings.json sub/.husky/post-commit .mcp.json; mkdir -p n/.vscode; touch n/.vscode/tasks.json",
    ],
    [
      "its repository",
      "echo x >> .git/config; touch .git/hooks/pre-commit; git commit --allow-empty -m x; rm -rf .git; mv .git g",
    ],
    ["nor makes a repository", "git init sub; mkdir e; echo 'gitdir: /tmp' > e/.git; ln -s /tmp e2.git"],
    [
      "by moving what is around them",
      "mv .vscode other; mv sub elsewhere; mkdir -p sub/.husky; echo x > sub/.husky/pre-commit; rmdir sub",
    ],
    ["by links", "ln -s .vscode v; echo x > v/tasks.json; rm v; ln .vscode/tasks.json t; echo x > t"],
    ["by mounts", "umount .vscode; umount .; mount -o remount,bind,rw .vscode; echo x > .vscode/tasks.json"],
    ["by another namespace", "unshare -Urm sh -c 'umount -l .; echo x > .vscode/tasks.json'"],
    ["secrets", "rm .env; echo x > .env; cp .env copy; mv .env e; echo x > new.pem; cat .env"],
    [
      "what lies around it",
      "echo x > ../x; echo x > /x; echo x > /etc/x; echo x > /tmp/x; ln -s /etc out; ln -s ../.. up; ln -s sub/../../z z; ln -s .. d/x/l; ln -s l/../../.. d/x/m; ln -s ../../.. d/x/o",
    ],
    [
      "to what is no file",
      "mkfifo p; mknod n c 1 3; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"s\")'",
    ],
    ["rights of others", "cp /bin/true t; chmod 6755 t a.txt"],
  ])("does not change %s", async (_, command) => {
    const base = await tempFolder({ "beside.txt": "b\n" });
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(base, "w", path)), { recursive: true });
      await writeFile(join(base, "w", path), text);
    }
    execFileSync("git", ["init", "-q"], { cwd: join(base, "w") });
    const { run } = await place({ folder: join(base, "w") });
    const before = await treeOf(base);
    const { text } = await run(command);
    expect(text).not.toContain("KEY=value");
    const after = await treeOf(base);
    const kept = Object.keys(before).filter((path) => /vscode|husky|\.git|\.env|beside/.test(path));
    for (const path of kept) {
      expect([path, after[path]]).toEqual([path, before[path]]);
    }
    const added = Object.keys(after).filter((path) => !(path in before));
    expect(
      added.filter((path) => /vscode|husky|\.git|mcp|pem|\.env|^x|^w\/(?:out|up|z|p|n|s|d\/x\/[mo])$/.test(path)),
    ).toEqual([]);
    for (const path of Object.keys(after)) {
      expect((await stat(join(base, path)).catch(() => ({ mode: 0 }))).mode & 0o6000).toBe(0);
    }
  });

  test("keeps its hands off what a link of the workspace leads to", async () => {
    const outside = await tempFolder({ "o.txt": "outside\n" });
    const { folder, run } = await place();
    await symlink(outside, join(folder, "out"));
    const { text } = await run("echo x > out/o.txt; rm -rf out/; echo y > sub/b.txt");
    expect(await treeOf(outside)).toEqual({ "o.txt": "outside\n" });
    expect(text).toContain("No such file");
    expect(await readFile(join(folder, "sub/b.txt"), "utf8")).toBe("y\n");
  });

  test("keeps the time that it gives a file, and the place on disk of one that it does not change", async () => {
    const { folder, run } = await place();
    const { ino } = await stat(join(folder, "a.txt"));
    await utimes(join(folder, "a.txt"), 1_000, 1_000);
    await run("touch -d @2000 a.txt; cat a.txt > t && cat t > a.txt; touch -d @3000 a.txt");
    expect(await stat(join(folder, "a.txt"))).toMatchObject({ ino, mtimeMs: 3_000_000 });
  });

  test("does not run where the state or the home is in the workspace, or the kernel cannot name it", async () => {
    const folder = await tempFolder({ "a.txt": "one\n", "state/journal": "whole texts", "b,c/a.txt": "" });
    for (const each of [
      { folder, state: join(folder, "state") },
      { folder: dirname(homedir()) },
      { folder: join(folder, "b,c") },
    ]) {
      const { sandbox, run } = await place(each);
      expect(await sandbox.contains()).toBe(false);
      await expect(run("true")).rejects.toThrow("it can no longer be contained");
    }
  });

  test("does not run where it cannot be contained, or its changes are not recorded", async () => {
    const free = await place({ isOn: false });
    await expect(free.run("echo x > a.txt")).rejects.toThrow("it can no longer be contained");
    const blind = await place({ blind: "the folder could not be looked at" });
    await expect(blind.run("echo x > a.txt")).rejects.toThrow(
      "undo could not take its changes back now (the folder could not be looked at)",
    );
    for (const { folder } of [free, blind]) {
      expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("one\n");
    }
  });
});
