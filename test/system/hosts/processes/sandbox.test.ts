// Contained commands, with bubblewrap: hostile ones have no effect, ordinary ones work as otherwise.
import { execFileSync, spawn } from "node:child_process";
import { createServer } from "node:net";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ProcessTable } from "../../../../src/features/processes/processTable.js";
import { Sandbox } from "../../../../src/hosts/node/processes/sandbox.js";
import { NodeSpawner } from "../../../../src/hosts/node/processes/spawner.js";
import type { GatedPath } from "../../../../src/ports/files.js";
import type { CommandEnd, ManagedProcess } from "../../../../src/ports/processes.js";
import { tempFolder } from "../../../unit/tools/workspace.js";
import { treeOf } from "../../faults/tree.js";
import { missingSandbox } from "./missingSandbox.js";

const whyMissing = missingSandbox();
const CALL = { session: "s", turn: "t", callId: "c", tool: "exec", door: "cli", summary: "Run it" };

interface Place {
  folder: string;
  home: string;
  start: (command: string, options?: Options) => Promise<ManagedProcess>;
  run: (command: string, options?: Options) => Promise<{ text: string; end: CommandEnd }>;
}

interface Options {
  workdir?: string;
  interactive?: boolean;
  /** Whether secrets are hidden. Default true. */
  hidesSecrets?: boolean;
  /** Whether it may change the workspace. Default false. */
  writes?: boolean;
}

async function place({
  isOn = true,
  folder = "",
  guarded = [".vscode"],
  blind = "",
  state: stateFolder = "",
} = {}): Promise<Place> {
  const state = stateFolder === "" ? await tempFolder() : stateFolder;
  const home = await tempFolder({ ".ssh/id_rsa": "the key\n", ".bashrc": "mine\n", ".nvm/node": "a program\n" });
  const root =
    folder === "" ? await tempFolder({ "a.txt": "one\ntwo\n", ".env": "KEY=value\n", "d/b.txt": "b\n" }) : folder;
  const sandbox = new Sandbox({
    isOn: () => isOn,
    folders: () => [root],
    others: () => [],
    specialPlaces: async () => ({
      secrets: [join(root, ".env"), join(root, "gone.pem")],
      guarded: guarded.map((path) => join(root, path)),
    }),
    stateFolder: () => state,
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
  const start: Place["start"] = (
    command,
    { workdir = root, interactive = false, hidesSecrets = true, writes = false } = {},
  ) => {
    const at = { path: "w", realPath: "w", lexical: workdir, absolute: workdir, root: undefined };
    return table.start(
      {
        ...{ command, workdir: at as unknown as GatedPath, env: { HOME: home }, interactive, title: "test" },
        ...{ unasked: true, watched: CALL, contained: { hidesSecrets, writes } },
      },
      false,
      { session: "s", callId: "c" },
    );
  };
  return {
    ...{ folder: root, home, start },
    run: async (command, options) => {
      const process = await start(command, options);
      const end = await process.ended;
      return { end, text: process.summary(100_000).text };
    },
  };
}

describe.skipIf(whyMissing !== undefined)("a contained command", () => {
  test.each<[string, string]>([
    ["overwrites a file", "echo x > a.txt"],
    ["appends to a file", "echo x >> d/b.txt"],
    ["creates a file", "touch new"],
    ["deletes all", "rm -rf ./* .env"],
    ["moves a file", "mv a.txt b.txt"],
    ["changes a mode", "chmod 777 a.txt"],
    ["makes a link", "ln a.txt c.txt; ln -s /etc c"],
    ["truncates through a descriptor", "exec 9<>a.txt; : > /proc/self/fd/9"],
    ["writes through the root of another process", 'echo x > "/proc/1/root$PWD/a.txt"'],
    ["mounts it writable", "mount -o remount,rw . ; mount -o remount,bind,rw / ; echo x > a.txt"],
    ["takes the mount away", "umount . ; umount -l / ; echo x > a.txt"],
    ["is its own root in another namespace", `unshare -Urm sh -c 'mount -o remount,bind,rw / ; echo x > a.txt'`],
    ["mounts it again in another namespace", `unshare -Urm sh -c 'mount --bind . /mnt ; echo x > /mnt/a.txt'`],
    ["changes Git's settings", "git init . ; git config --global user.name x"],
    ["changes the home", "echo x >> ~/.bashrc; touch ~/new; rm -rf ~/.ssh ~/.nvm"],
  ])("that %s changes nothing", async (_, command) => {
    const { folder, home, run } = await place();
    const before = [await treeOf(folder), await treeOf(home)];
    await run(command);
    expect([await treeOf(folder), await treeOf(home)]).toEqual(before);
  });

  test("reads no secret of the workspace, nor of the home", async () => {
    const { home, run } = await place();
    const { text } = await run(
      `cat .env ~/.ssh/id_rsa "${home}/.ssh/id_rsa"; cat < .env; cat ${homedir()}/.* ; cp .env /tmp/x; cat /tmp/x; cat ~/.nvm/node`,
    );
    expect(text).not.toMatch(/KEY|the key/);
    expect(text).toContain("Permission denied");
    expect(text).toContain("a program");
    // Git compares files with what it knows of them.
    expect((await run("cat .env", { hidesSecrets: false })).text).toBe("KEY=value\n");
  });

  test("sees no process of others, and ends none", async () => {
    const { run } = await place();
    const other = spawn("sleep", ["300"], { env: { ...process.env, SECRET: "of another process" } });
    onTestFinished(() => void other.kill("SIGKILL"));
    const { text } = await run(
      `ls /proc | grep -c '^${other.pid}$'; cat /proc/*/environ | tr '\\0' '\\n' | grep SECRET`,
    );
    expect(text).toBe("0\n");
    await run(`kill -9 ${other.pid}; kill -9 ${process.pid}; kill -9 -- -1`);
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
  });

  test.each<[string, (folder: string) => string | { port: number }, (at: string) => string]>([
    ["a server of the machine", () => ({ port: 0 }), (port) => `exec 3<>/dev/tcp/127.0.0.1/${port} && echo hi >&3`],
    ["a socket in the workspace's parent", (folder) => `${folder}-socket`, (at) => talkTo(at)],
    ["an abstract socket", (folder) => `\0${folder}`, (at) => talkTo(`\\0${at.slice(1)}`)],
  ])("does not reach %s", async (_, where, command) => {
    const { folder, run } = await place();
    let calls = 0;
    const server = createServer((socket) => {
      calls++;
      socket.destroy();
    });
    const at = where(folder);
    await new Promise<void>((resolve) =>
      typeof at === "string" ? server.listen(at, resolve) : server.listen(0, "127.0.0.1", resolve),
    );
    onTestFinished(() => void server.close());
    const address = server.address();
    const name = typeof address === "object" && address !== null ? String(address.port) : `${address}`;
    const { end } = await run(command(name));
    expect(end.exitCode).not.toBe(0);
    expect(calls).toBe(0);
  });

  test("leaves nothing running", async () => {
    const { run } = await place();
    const { end } = await run(`(setsid sleep 3017 &) ; nohup sleep 3017 > /dev/null 2>&1 & echo started`);
    expect(end).toMatchObject({ status: "exited", exitCode: 0, leftRunning: false });
    expect(() => execFileSync("pgrep", ["-f", "sleep 3017"])).toThrow();
  });

  test("gets no descriptor that others do not get", async () => {
    const command = "ls /proc/self/fd | sort -n | tr '\\n' ' '";
    const [contained, other] = [await place(), await place({ isOn: false })];
    expect(await contained.run(command)).toMatchObject({ text: (await other.run(command)).text });
  });

  test.each<[string, string, string]>([
    ["a file", "cat a.txt", "one\ntwo\n"],
    ["a pipe", "cat a.txt | sort -r | head -1", "two\n"],
    ["a stream by its name", "cat a.txt | cat /dev/stdin > /dev/stdout; echo e > /dev/stderr", "one\ntwo\ne\n"],
    ["a here-document", "cat <<'X'\nline\nX", "line\n"],
    ["a temporary file", 't=$(mktemp); echo x > "$t"; cat "$t"', "x\n"],
    ["a long script", `x=${"a".repeat(200_000)}; echo \${#x}`, "200000\n"],
    ["a folder of its own", "cd d && cat b.txt", "b\n"],
  ])("reads %s as otherwise", async (_, command, text) => {
    const { run } = await place();
    expect(await run(command)).toMatchObject({ text, end: { status: "exited", exitCode: 0 } });
  });

  test("ends as otherwise: with its code, by a signal, at its limit, and its pipe's parts are known", async () => {
    const { run, start } = await place();
    expect((await run("exit 7")).end).toMatchObject({ status: "exited", exitCode: 7 });
    expect((await run("exit 143")).end).toMatchObject({ status: "exited", exitCode: 143 });
    expect((await run("false | true")).end).toMatchObject({ exitCode: 0, pipeExitCodes: [1, 0] });
    for (const command of ["sleep 300", "trap 'echo ended; exit 3' TERM; sleep 300 & wait"]) {
      const process = await start(`echo begun; ${command}`);
      await expect.poll(() => process.summary(100).text).toContain("begun");
      await process.stop("cancelled");
      expect(process.end?.status).toBe("cancelled");
      expect(process.summary(100).text.includes("ended")).toBe(command.startsWith("trap"));
    }
    const stubborn = await start("trap '' TERM INT; echo begun; while :; do sleep 1; done");
    await expect.poll(() => stubborn.summary(100).text).toContain("begun");
    await stubborn.stop("timeout");
    expect(stubborn.end).toMatchObject({ status: "timeout" });
  });

  test("reads what is typed", async () => {
    const { start } = await place();
    const process = await start('read -r line; echo "got $line"', { interactive: true });
    await process.write("hello\n");
    expect(await process.ended).toMatchObject({ exitCode: 0 });
    expect(process.summary(100).text).toBe("got hello\n");
  });

  test("sees its repository, wherever that is", async () => {
    const base = await tempFolder({ "repo/sub/a.txt": "a\n", "repo/b.txt": "b\n" });
    const git = (...args: string[]): void =>
      void execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", ...args], {
        cwd: join(base, "repo"),
        stdio: "ignore",
      });
    git("init");
    git("add", ".");
    git("commit", "-m", "first");
    git("worktree", "add", join(base, "tree"));
    const inside = await place({ folder: join(base, "repo/sub") });
    expect((await inside.run("git status --short; git log --format=%s")).text).toBe("first\n");
    const tree = await place({ folder: join(base, "tree") });
    await writeFile(join(base, "tree/b.txt"), "c\n");
    expect((await tree.run("git status --short; git log --format=%s")).text).toBe(" M b.txt\nfirst\n");
  });

  test("is told of a folder that is gone as any other", async () => {
    const { folder, run } = await place();
    await mkdir(join(folder, "gone"));
    await rm(join(folder, "gone"), { recursive: true });
    await expect(run("ls", { workdir: join(folder, "gone") })).rejects.toThrow("there is no such folder any more");
  });

  test("follows a link to its workspace", async () => {
    const base = await tempFolder({ "real/a.txt": "a\n" });
    await symlink(join(base, "real"), join(base, "link"));
    const { run } = await place({ folder: join(base, "link") });
    expect((await run("cat a.txt; touch b.txt; ls")).text).toContain("a\n");
    await expect(readFile(join(base, "real/b.txt"))).rejects.toThrow("ENOENT");
  });

  test("runs as any other where the user does not want it contained", async () => {
    const { folder, run } = await place({ isOn: false });
    await run("echo x > a.txt");
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("x\n");
  });
});

describe.skipIf(whyMissing !== undefined)("a contained command that works on the project", () => {
  const FILES = {
    "a.txt": "one\n",
    ".vscode/tasks.json": "{}\n",
    "sub/.husky/pre-commit": "true\n",
    "sub/b.txt": "b\n",
  };

  test("changes ordinary files, and keeps caches for the next one", async () => {
    const { folder, home, run } = await place({ folder: await tempFolder(FILES) });
    const before = await treeOf(home);
    const command = "echo two >> a.txt && mkdir -p dist && echo x > dist/x && rm sub/b.txt && chmod 600 a.txt";
    expect(await run(command, { writes: true })).toMatchObject({ text: "", end: { exitCode: 0 } });
    expect(await treeOf(folder)).toMatchObject({ "a.txt": "one\ntwo\n 600", "dist/x": "x\n" });
    expect(await treeOf(folder)).not.toHaveProperty("sub/b.txt");
    await run("echo kept > ~/.cache/mine; echo lost > ~/mine", { writes: true });
    expect((await run("cat ~/.cache/mine; ls ~/mine", { writes: true })).text).toMatch(/^kept\n.*No such file/);
    expect(await treeOf(home)).toEqual(before);
  });

  test.each<[string, string]>([
    ["its protected files", "echo x > .vscode/tasks.json; rm -rf .vscode sub/.husky; echo x > sub/.husky/pre-commit"],
    ["new files in protected folders", "touch .vscode/settings.json sub/.husky/post-commit"],
    [
      "its repository",
      "echo x >> .git/config; touch .git/hooks/pre-commit; git commit --allow-empty -m x; rm -rf .git",
    ],
    [
      "by moving what is around them",
      "mv .vscode other; mv sub elsewhere; mkdir -p sub/.husky; mv .git git; rmdir sub",
    ],
    ["by links", "ln -s .vscode v; echo x > v/tasks.json; rm v; ln .vscode/tasks.json t; echo x > t"],
    ["by a mount", "umount .vscode; mount -o remount,bind,rw .vscode; echo x > .vscode/tasks.json"],
    ["by another namespace", "unshare -Urm sh -c 'umount -l .vscode; echo x > .vscode/tasks.json'"],
    ["what lies around it", "echo x > ../x; echo x > /x; echo x > /etc/x; echo x > /tmp/x"],
  ])("does not change %s", async (_, command) => {
    const base = await tempFolder({ "beside.txt": "b\n" });
    await mkdir(join(base, "w"));
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(base, "w", path)), { recursive: true });
      await writeFile(join(base, "w", path), text);
    }
    execFileSync("git", ["init", "-q"], { cwd: join(base, "w") });
    const { run } = await place({ folder: join(base, "w"), guarded: [".vscode", "sub/.husky"] });
    const before = await treeOf(base);
    await run(command, { writes: true });
    const after = await treeOf(base);
    for (const path of Object.keys(before)) {
      expect([path, after[path]]).toEqual([path, before[path]]);
    }
    expect(Object.keys(after).filter((path) => !(path in before) && /vscode|husky|\.git|^x/.test(path))).toEqual([]);
  });

  test("does not run where the state or the home is in the workspace, and no command sees the state", async () => {
    const folder = await tempFolder({ "a.txt": "one\n", "state/journal": "whole texts" });
    const around = await place({ folder, state: join(folder, "state") });
    await expect(around.run("echo x > a.txt", { writes: true })).rejects.toThrow("it can no longer be contained");
    expect((await around.run("cat a.txt; cat state/journal")).text).toMatch(/^one\n.*No such file/);
    const ofHome = await place({ folder: dirname(homedir()) });
    await expect(ofHome.run("true", { writes: true })).rejects.toThrow("it can no longer be contained");
  });

  test("does not run where it cannot be contained, or its changes are not recorded", async () => {
    const free = await place({ isOn: false });
    await expect(free.run("echo x > a.txt", { writes: true })).rejects.toThrow("it can no longer be contained");
    expect(await readFile(join(free.folder, "a.txt"), "utf8")).toBe("one\ntwo\n");
    const blind = await place({ blind: "the folder could not be looked at" });
    await expect(blind.run("echo x > a.txt", { writes: true })).rejects.toThrow(
      "undo could not take its changes back now (the folder could not be looked at)",
    );
    expect(await readFile(join(blind.folder, "a.txt"), "utf8")).toBe("one\ntwo\n");
  });
});

function talkTo(at: string): string {
  return `${process.execPath} -e 'require("net").connect({path: "${at}"}, () => process.exit(0)).on("error", () => process.exit(9))'`;
}
