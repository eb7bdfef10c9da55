// What a process leaves behind that is killed: no command, no guard, and no folder for good.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startOf } from "../../../../src/hosts/node/processes/group.js";
import { ProcessGuard } from "../../../../src/hosts/node/processes/guard.js";
import { NamedPipes } from "../../../../src/hosts/node/processes/pipes.js";
import { poll } from "../../../harness/poll.js";
import { builtCli } from "../../cli/built.js";
import { tempFolder } from "../../../unit/tools/workspace.js";

const onLinux = describe.skipIf(process.platform !== "linux");

const cli = builtCli();
let host = "";
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolhost-guard-"));
  host = join(folder, "host.cjs");
  await build({
    entryPoints: [fileURLToPath(new URL("host.ts", import.meta.url))],
    outfile: host,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
  });
  return () => rm(folder, { recursive: true, force: true });
});

interface Seen {
  pid: number;
  parent: number;
  args: string;
}

/** All that runs, but what has ended and nobody has waited for. */
function running(): Seen[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const stat = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/stat`, "latin1") : "";
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return stat === "" || state === "Z" || state === "X"
        ? []
        : [{ pid: Number(name), parent: Number(parent), args: readFileSync(`/proc/${name}/cmdline`, "utf8") }];
    } catch {
      return [];
    }
  });
}

/** A number of seconds that no other sleeps. */
let seconds = 100_000 + Math.floor(Math.random() * 800_000);
const sleepers = (): Seen[] => running().filter(({ args }) => args === `sleep\0${seconds}\0`);
const guardsOf = (pid: number): Seen[] =>
  running().filter(({ parent, args }) => parent === pid && args.endsWith("\0toolhost-guard\0"));
const guardOf = (pid: number): Seen | undefined => guardsOf(pid)[0];

/** A process that runs commands through the spawner, each given as a line. */
function startHost(): { process: ChildProcess; run: (command: string) => void } {
  const child = spawn(process.execPath, [host], { stdio: ["pipe", "ignore", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { process: child, run: (command) => void child.stdin.write(`${command}\n`) };
}

/** A process in a group of its own. */
function startGroup(): number {
  const { pid = 0 } = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  onTestFinished(() => {
    if (isRunning(pid)) {
      process.kill(-pid, "SIGKILL");
    }
  });
  return pid;
}

/** HUP, INT, QUIT, PIPE and TERM, as proc(5) tells them. */
const ALL = 0x5007;

function ignoredSignals(pid: number): number {
  return Number.parseInt(/^SigIgn:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "", 16);
}

function isRunning(pid: number): boolean {
  return running().some((each) => each.pid === pid);
}

onLinux("a process that is killed", () => {
  it("leaves none of its commands running, nor what they started, nor the guard", async () => {
    seconds++;
    const { process: child, run } = startHost();
    run(`sleep ${seconds} & sleep ${seconds} | sleep ${seconds}`);
    run(`trap '' TERM HUP INT; (sleep ${seconds}; sleep ${seconds}); sleep ${seconds}`);
    // Left running by one that has ended.
    run(`sleep ${seconds} >/dev/null 2>&1 & sleep ${seconds} &`);
    await poll("all to run", () => sleepers().length === 6);
    const guard = await poll("the guard to run", () => guardOf(child.pid ?? 0));
    child.kill("SIGKILL");
    await poll("all to be gone", () => sleepers().length === 0 && !isRunning(guard.pid));
  });

  it("leaves nothing either when its guard was killed before", async () => {
    seconds++;
    const { process: child, run } = startHost();
    run(`sleep ${seconds}`);
    const guard = await poll("the guard to run", () => guardOf(child.pid ?? 0));
    process.kill(guard.pid, "SIGKILL");
    await poll("another guard", () => ![undefined, guard.pid].includes(guardOf(child.pid ?? 0)?.pid));
    run(`sleep ${seconds}`);
    await poll("both to run", () => sleepers().length === 2);
    child.kill("SIGKILL");
    await poll("all to be gone", () => sleepers().length === 0);
  });

  it("as the command line leaves nothing either", async () => {
    seconds++;
    const child = cli.start(["exec", `sleep ${seconds} & sleep ${seconds}`], {
      cwd: await tempFolder(),
      stdio: "ignore",
    });
    await poll("both to run", () => sleepers().length === 2);
    child.kill("SIGKILL");
    await poll("all to be gone", () => sleepers().length === 0);
  });

  it("that ends in order has no guard any more either", async () => {
    seconds++;
    const { process: child, run } = startHost();
    run(`sleep ${seconds}`);
    await poll("it to run", () => sleepers().length === 1);
    const guard = await poll("the guard to run", () => guardOf(child.pid ?? 0));
    child.stdin?.end();
    await poll("all to be gone", () => sleepers().length === 0 && !isRunning(guard.pid));
  });
});

/**
 * Tells a guard of a command's mark, starts the command or not, and is killed, before it tells its number. Arguments: the
 * mark, and the command.
 */
const KILLED_BETWEEN = `
const [mark, command] = process.argv.slice(2);
const guard = new ProcessGuard();
guard.start();
guard.expect(mark);
if (command !== undefined) {
  spawn("/bin/sh", ["-c", command], { detached: true, stdio: "ignore", env: { ...process.env, TOOLHOST_COMMAND: mark } });
}
process.kill(process.pid, "SIGKILL");
`;

onLinux("a process that is killed between a command's start and its report", () => {
  let script = "";
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "toolhost-guard-"));
    script = join(folder, "killed.cjs");
    const guard = fileURLToPath(new URL("../../../../src/hosts/node/processes/guard.ts", import.meta.url));
    const imports = `import { spawn } from "node:child_process"; import { ProcessGuard } from ${JSON.stringify(guard)};`;
    await build({
      stdin: { contents: imports + KILLED_BETWEEN, resolveDir: folder },
      outfile: script,
      bundle: true,
      platform: "node",
      format: "cjs",
    });
    return () => rm(folder, { recursive: true, force: true });
  });

  /** Whether a guard of this session waits for a mark: its own number is not known, for its parent is gone. */
  const killedWith = async (...args: string[]): Promise<void> => {
    const child = spawn(process.execPath, [script, ...args], { stdio: "inherit" });
    await new Promise((resolve) => child.once("exit", resolve));
    expect(child.signalCode).toBe("SIGKILL");
  };

  it.each([
    ["", (sleep: string) => `exec ${sleep}`],
    [" which ignores SIGTERM", (sleep: string) => `trap '' TERM; ${sleep}; ${sleep}`],
    [" which has children", (sleep: string) => `${sleep} & ${sleep}; ${sleep}`],
  ])("leaves no command%s", async (_what, command) => {
    seconds++;
    for (let time = 0; time < 5; time++) {
      await killedWith(`mark-${seconds}-${time}`, command(`sleep ${seconds}`));
    }
    await poll("all to be gone", () => running().filter(({ args }) => args.includes(`sleep ${seconds}`)).length === 0);
    await poll("all to be gone", () => sleepers().length === 0);
  });

  it("leaves no guard, and no other command, where none was started", async () => {
    seconds++;
    const other = spawn("sleep", [String(seconds)], {
      detached: true,
      stdio: "ignore",
      env: { ...process.env, TOOLHOST_COMMAND: `mark-${seconds}-another` },
    });
    onTestFinished(() => void other.kill("SIGKILL"));
    const guards = new Set(
      running()
        .filter(({ args }) => args.endsWith("\0toolhost-guard\0"))
        .map(({ pid }) => pid),
    );
    await killedWith(`mark-${seconds}`);
    const left = running().filter(({ pid, args }) => args.endsWith("\0toolhost-guard\0") && !guards.has(pid));
    await poll("the guard to go", () => !left.some(({ pid }) => isRunning(pid)));
    expect(sleepers()).toHaveLength(1);
  });
});

onLinux("the guard", () => {
  it("hears no signal but SIGKILL, and ends what it watches when its input ends", async () => {
    const pid = startGroup();
    // Those of other test files in this process.
    const others = guardsOf(process.pid).map((other) => other.pid);
    const guard = new ProcessGuard();
    guard.watch(pid);
    const { pid: shell } = await poll("the guard to run", () =>
      guardsOf(process.pid).find((found) => !others.includes(found.pid)),
    );
    await poll("it to ignore them", () => (ignoredSignals(shell) & ALL) === ALL);
    for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const) {
      process.kill(shell, signal);
    }
    expect(isRunning(shell)).toBe(true);
    guard.end();
    await poll("its end", () => !isRunning(pid) && !isRunning(shell));
  });

  it("leaves alone what it was told to forget, and whoever has a number now", async () => {
    const [forgotten, another, watched] = [startGroup(), startGroup(), startGroup()];
    // Those of other test files in this process.
    const others = guardsOf(process.pid).map((other) => other.pid);
    const guard = new ProcessGuard();
    guard.watch(forgotten);
    guard.watch(another, undefined, String(Number(startOf(another)) - 1));
    guard.watch(watched);
    guard.forget(forgotten);
    const { pid: shell } = await poll("the guard to run", () =>
      guardsOf(process.pid).find((found) => !others.includes(found.pid)),
    );
    guard.end();
    await poll("its end", () => !isRunning(shell));
    expect([forgotten, another, watched].map(isRunning)).toEqual([true, true, false]);
  });
});

onLinux("folders of pipes", () => {
  async function inTemporary(names: readonly string[]): Promise<string> {
    const folder = await tempFolder();
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = folder;
    onTestFinished(() => {
      if (before === undefined) {
        delete process.env["TMPDIR"];
      } else {
        process.env["TMPDIR"] = before;
      }
    });
    for (const name of names) {
      await mkdir(join(folder, name), { mode: 0o700 });
      await writeFile(join(folder, name, "0"), "");
    }
    return folder;
  }

  it("that a killed process left are removed, and no others", async () => {
    const self = startOf(process.pid) ?? "";
    const gone = [`toolhost-pipes-99999999-5-abcdef`, `toolhost-pipes-${process.pid}-1-abcdef`];
    const kept = [
      `toolhost-pipes-${process.pid}-${self}-abcdef`,
      "toolhost-pipes-99999999-5-opened",
      "toolhost-pipes-99999999-5",
      "else",
    ];
    const folder = await inTemporary([...gone, ...kept]);
    await chmod(join(folder, "toolhost-pipes-99999999-5-opened"), 0o755);
    await symlink(join(folder, "else"), join(folder, "toolhost-pipes-99999999-5-linked"));
    const pipes = new NamedPipes();
    expect(await pipes.take(2)).toHaveLength(2);
    await poll("them to go", () => !gone.some((name) => existsSync(join(folder, name))));
    pipes.removeAll();
    expect(readdirSync(folder).sort()).toEqual([...kept, "toolhost-pipes-99999999-5-linked"].sort());
    expect(readdirSync(join(folder, "else"))).toEqual(["0"]);
  });

  it("that somebody removed are made again", async () => {
    const folder = await inTemporary([]);
    const pipes = new NamedPipes();
    onTestFinished(() => pipes.removeAll());
    for (const count of [2, 40]) {
      const [first = ""] = (await pipes.take(count)) ?? [];
      // At once: in the background more of them may just be made.
      await rename(dirname(first), join(folder, `gone-${count}`));
      pipes.lost(first);
      const [next = ""] = (await pipes.take(2)) ?? [];
      expect(existsSync(next)).toBe(true);
    }
  });
});
