// Contained commands, with bubblewrap: hostile ones have no effect, ordinary ones work as otherwise.
import { execFileSync, spawn } from "node:child_process";
import { createServer } from "node:net";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ProcessTable } from "../../../../src/features/processes/processTable.js";
import { Sandbox } from "../../../../src/hosts/node/processes/sandbox.js";
import { NodeSpawner } from "../../../../src/hosts/node/processes/spawner.js";
import type { GatedPath } from "../../../../src/ports/files.js";
import type { CommandEnd, ManagedProcess } from "../../../../src/ports/processes.js";
import { tempFolder } from "../../../unit/tools/workspace.js";
import { treeOf } from "../../faults/tree.js";
import { poll } from "../../../harness/poll.js";
import { missingSandbox } from "./missingSandbox.js";

const whyMissing = missingSandbox();

const GIT = { hidesSecrets: false };

/** The exit code of whoever does not reach a socket. A program that is not even started proves nothing. */
const REFUSED = 9;

/** Listens at a socket and says who calls. */
const SERVER = `net.createServer((socket) => { console.log("called"); socket.pipe(process.stdout, { end: false }); socket.resume(); }).listen(process.argv[1], () => console.log("listens"))`;

interface Place {
  folder: string;
  home: string;
  state: string;
  start: (command: string, options?: Options) => Promise<ManagedProcess>;
  run: (command: string, options?: Options) => Promise<{ text: string; end: CommandEnd }>;
}

interface Options {
  workdir?: string;
  interactive?: boolean;
  /** Whether secrets are hidden. Default true. */
  hidesSecrets?: boolean;
}

async function place({ isOn = true, folder = "", secrets = 0 } = {}): Promise<Place> {
  const home = await tempFolder({ ".ssh/id_rsa": "the key\n", ".bashrc": "mine\n", ".nvm/node": "a program\n" });
  const root =
    folder === "" ? await tempFolder({ "a.txt": "one\ntwo\n", ".env": "KEY=value\n", "d/b.txt": "b\n" }) : folder;
  const state = await tempFolder({ journal: "whole texts" });
  const sandbox = new Sandbox({
    isOn: () => isOn,
    folders: () => [root],
    secretFiles: async () => {
      const names = [".env", "gone.pem", ...Array.from({ length: secrets }, (_, index) => `k${index}.pem`)];
      await Promise.all(names.slice(2).map((name) => writeFile(join(root, name), "")));
      return names.map((name) => join(root, name));
    },
    stateFolder: () => state,
    onMissing: (why) => expect.unreachable(why),
  });
  const spawner = new NodeSpawner(sandbox);
  const table = new ProcessTable({ spawner, times: { kill: 2_000, closing: 300 } });
  onTestFinished(async () => {
    await table.closeAll();
    spawner.dispose();
  });
  const start: Place["start"] = (command, { workdir = root, interactive = false, hidesSecrets = true } = {}) => {
    const at = { path: "w", realPath: "w", lexical: workdir, absolute: workdir, root: undefined };
    return table.start(
      {
        ...{ command, workdir: at as unknown as GatedPath, env: { HOME: home }, interactive, title: "test" },
        ...{ unasked: true, contained: { hidesSecrets } },
      },
      false,
      { session: "s", callId: "c" },
    );
  };
  return {
    ...{ folder: root, home, state, start },
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

  test("reads nothing else that a repository or its files lead to", async () => {
    const base = await tempFolder({
      "outside/HEAD.txt": "out of reach\n",
      "outside/secret": "out of reach\n",
      "repo/.env": "KEY=value\n",
      "repo/.git/config": "[remote] url = https://token@example.com\n",
      "repo/.git/HEAD": "ref: x\n",
      "repo/w/a.txt": "a\n",
      "repo/w/forged/.git/HEAD": "x\n",
      "repo/w/forged/.git/commondir": "../../../../outside\n",
      "repo/w/file/.git": "gitdir: ../../../outside\n",
    });
    await symlink("../../outside/secret", join(base, "repo/w/.env"));
    const { run, state } = await place({ folder: join(base, "repo/w") });
    const { text } = await run(
      `cat ${base}/outside/* ${base}/repo/.env ${base}/repo/.git/config .env ${state}/journal /etc/shadow; echo done`,
    );
    expect(text).not.toMatch(/out of reach|KEY=|token|whole texts|root:/);
    for (const workdir of ["forged", "file"]) {
      const there = await run(`cat ${base}/outside/*; ls`, { workdir: join(base, "repo/w", workdir) });
      expect(there.text).not.toContain("out of reach");
    }
    // Git needs what is above: then it is not contained.
    expect((await run("git --version; cat ../.env", GIT)).text).toContain("KEY=value");
  });

  test("runs Git where the repository's settings hold nothing secret, and sees none that do", async () => {
    const { folder, run } = await place();
    const git = (...args: string[]): void => void execFileSync("git", ["-C", folder, ...args], { stdio: "pipe" });
    git("init", "-q");
    git("remote", "add", "origin", "https://github.com/owner/name.git");
    expect((await run("git status --short && cat .git/config")).text).toMatch(/\?\? a\.txt[^]*owner\/name/);
    git("remote", "set-url", "origin", "https://me:hunter2@github.com/owner/name.git");
    const { text } = await run("git status --short; cat .git/config; cat < .git/config");
    expect(text).toContain("unable to access '.git/config': Permission denied");
    expect(text).not.toMatch(/hunter2|a\.txt/);
  });

  test("does not see what others trust, and reports to its own file alone", async () => {
    const { run } = await place();
    const { text } = await run("ls -A /tmp/*; echo x > /tmp/toolhost-pipes-*/pipe-status; cat a.txt | tail -1");
    expect(text).toMatch(/pipe-status: (?:Read-only file system|No such file)/);
    expect(text).not.toMatch(/unreadable|^\d+$/m);
    const { end } = await run("yes 1 2 | head -c 100000 > /tmp/toolhost-pipes-*/[0-9]*-*; false | true");
    expect(end).toMatchObject({ status: "exited", exitCode: 0 });
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

  test("changes no setting of the kernel, also as root", async () => {
    const { run } = await place();
    const { text } = await run("exec 3<>/proc/sys/kernel/core_pattern; for f in /proc/sys*; do echo $f; done");
    expect(text).toMatch(/core_pattern: (?:Read-only file system|Permission denied)/);
  });

  test.each<[string, (folder: string, home: string) => string | { port: number }, (at: string) => string]>([
    ["a server of the machine", () => ({ port: 0 }), (port) => `exec 3<>/dev/tcp/127.0.0.1/${port} && echo hi >&3`],
    ["a socket in the workspace's parent", (folder) => `${folder}-socket`, (at) => talkTo(at)],
    ["a socket of a service", (folder) => `/opt/${folder.split("/").at(-1)}`, (at) => talkTo(at)],
    ["a socket in a part of the home that it sees", (_, home) => `${home}/.nvm/socket`, (at) => talkTo(at)],
    ["an abstract socket", (folder) => `\0${folder}`, (at) => talkTo(`\\0${at.slice(1)}`)],
  ])("does not reach %s", async (_, where, command) => {
    const { folder, home, run } = await place();
    let calls = 0;
    const server = createServer((socket) => {
      calls++;
      socket.destroy();
    });
    const at = where(folder, home);
    await new Promise<void>((resolve) =>
      typeof at === "string" ? server.listen(at, resolve) : server.listen(0, "127.0.0.1", resolve),
    );
    onTestFinished(() => void server.close());
    const address = server.address();
    const name = typeof address === "object" && address !== null ? String(address.port) : `${address}`;
    const { end } = await run(command(name));
    expect(end.exitCode).toBe(typeof at === "string" ? REFUSED : 1);
    expect(calls).toBe(0);
  });

  // As in a container, to which a socket of the machine around it is given.
  test.skipIf(process.getuid?.() !== 0).each(["mounted", "named by a variable"])(
    "does not reach a socket of another network namespace that is %s",
    async (how) => {
      const { run } = await place();
      const at = `/opt/toolhost-${process.pid}`;
      const server = spawn("unshare", ["--net", process.execPath, "-e", SERVER, `${at}.sock`], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      let told = "";
      server.stdout.on("data", (chunk: Buffer) => (told += chunk.toString()));
      onTestFinished(async () => {
        server.kill("SIGKILL");
        await Promise.all([`${at}.sock`, at].map((path) => rm(path, { force: true })));
      });
      await poll("the server", () => told.includes("listens"));
      if (how === "mounted") {
        await writeFile(at, "");
        execFileSync("mount", ["--bind", `${at}.sock`, at]);
        onTestFinished(() => void execFileSync("umount", [at]));
      } else {
        vi.stubEnv("X_AGENT", `unix:path=${at}.sock,guid=1`);
        onTestFinished(() => void vi.unstubAllEnvs());
      }
      const { end } = await run(talkTo(how === "mounted" ? at : `${at}.sock`));
      expect(end.exitCode).toBe(REFUSED);
      execFileSync(process.execPath, [
        "-e",
        `net.connect(process.argv[1]).end("from outside")`,
        at + (how === "mounted" ? "" : ".sock"),
      ]);
      await poll("a call", () => told.includes("from outside"));
      expect(told.match(/called/g)).toHaveLength(1);
    },
  );

  test("has neither odd kinds of sockets, by which one reaches the host of a virtual machine, nor the kernel's keys", async () => {
    const call = (number: number, ...args: number[]): string =>
      `perl -e '$! = 0; syscall(${[number, ...args].join(", ")}); print $!{ENOSYS} ? "absent" : $!{EAFNOSUPPORT} ? "no such kind" : "there", "\n"'`;
    const { socket, keys } = process.arch === "x64" ? { socket: 41, keys: 250 } : { socket: 198, keys: 219 };
    const VSOCK = 40;
    const PACKETS = 17;
    const { run } = await place();
    const kinds = [VSOCK, PACKETS, 1, 2, 10, 16].map((family) => call(socket, family, 1, 0));
    const others = [call(keys, 0, -3, 0), call(425, 1, 0)];
    expect((await run([...kinds, ...others].join("; "))).text).toBe(
      "no such kind\nno such kind\nthere\nthere\nthere\nthere\nabsent\nabsent\n",
    );
    // Also where the shell reads a script, whose descriptor is the one before the filter's.
    expect((await run(`: ${"a".repeat(200_000)}; ${kinds[0]}`)).text).toBe("no such kind\n");
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
    expect((await inside.run("git status --short; git log --format=%s", GIT)).text).toBe("first\n");
    const tree = await place({ folder: join(base, "tree") });
    await writeFile(join(base, "tree/b.txt"), "c\n");
    expect((await tree.run("git status --short; git log --format=%s; touch x", GIT)).text).toMatch(
      /^ M b\.txt\nfirst\n.*Read-only file system/,
    );
  });

  test("is told of a folder that is gone as any other", async () => {
    const { folder, run } = await place();
    await mkdir(join(folder, "gone"));
    await rm(join(folder, "gone"), { recursive: true });
    await expect(run("ls", { workdir: join(folder, "gone") })).rejects.toThrow("there is no such folder any more");
  });

  test("is started where .git leads to itself, or a thousand files have names of secrets", async () => {
    const { folder, run } = await place();
    await symlink(".git", join(folder, ".git"));
    expect((await run("cat a.txt; touch b.txt")).text).toMatch(/^one\ntwo\n.*Read-only/);
    const many = await place({ secrets: 4_000 });
    expect((await many.run("cat a.txt; touch b.txt")).text).toMatch(/^one\ntwo\n.*Read-only/);
  });

  test("follows a link to its workspace", async () => {
    const base = await tempFolder({ "real/a.txt": "a\n" });
    await symlink(join(base, "real"), join(base, "link"));
    const { run } = await place({ folder: join(base, "link") });
    await writeFile(join(base, "real/.env"), "KEY=value\n");
    const { text } = await run(`cat a.txt; touch b.txt; cat .env ${base}/*/.env`);
    expect(text).toContain("a\n");
    expect(text).not.toContain("KEY");
    await expect(readFile(join(base, "real/b.txt"))).rejects.toThrow("ENOENT");
  });

  test("runs as any other where the user does not want it contained", async () => {
    const { folder, run } = await place({ isOn: false });
    await run("echo x > a.txt");
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("x\n");
  });
});

function talkTo(at: string): string {
  return `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or exit 8; exit(connect(S, pack_sockaddr_un("${at}")) ? 0 : ${REFUSED})'`;
}
