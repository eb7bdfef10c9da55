import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ProcessTimes } from "../../../../src/features/processes/limits.js";
import { ProcessTable } from "../../../../src/features/processes/processTable.js";
import { NodeSpawner } from "../../../../src/hosts/node/processes/spawner.js";
import { ResultFiles } from "../../../../src/hosts/node/state/results.js";
import type { GatedPath } from "../../../../src/ports/files.js";
import type { CommandEnd, ManagedProcess } from "../../../../src/ports/processes.js";
import { RESULT_PAGE, type Results, type StoredResult } from "../../../../src/ports/results.js";
import { poll } from "../../../harness/poll.js";
import { tempFolder } from "../../../unit/tools/workspace.js";

const onPosix = describe.skipIf(process.platform === "win32");
const onLinux = it.skipIf(process.platform !== "linux");
const never = new AbortController().signal;
const owner = { session: "s1", callId: "c1" };

/** The gate's own business is tested with the gate. */
function gated(folder: string): GatedPath {
  return { path: "work", realPath: "work", lexical: folder, absolute: folder, root: undefined } as unknown as GatedPath;
}

interface Bench {
  table: ProcessTable;
  folder: string;
  start: (
    command: string,
    options?: { background?: boolean; interactive?: boolean; env?: Record<string, string>; folder?: string },
  ) => Promise<ManagedProcess>;
  run: (
    command: string,
    options?: { env?: Record<string, string> },
  ) => Promise<{ end: CommandEnd; text: string; process: ManagedProcess }>;
}

async function bench(
  options: { times?: Partial<ProcessTimes>; results?: Pick<Results, "open">; onChange?: () => void } = {},
): Promise<Bench> {
  const folder = await tempFolder();
  const spawner = new NodeSpawner();
  const table = new ProcessTable({ spawner, ...options, times: { kill: 300, closing: 300, ...options.times } });
  onTestFinished(async () => {
    await table.closeAll();
    spawner.dispose();
  });
  const start: Bench["start"] = (
    command,
    { background = false, interactive = false, env = {}, folder: other = folder } = {},
  ) => table.start({ command, workdir: gated(other), env, interactive, title: "test" }, background, owner);
  return {
    table,
    folder,
    start,
    run: async (command, request) => {
      const process = await start(command, request);
      const end = await process.ended;
      return { end, text: process.summary(100_000).text, process };
    },
  };
}

/** Resolves when the output matches. */
async function says(process: ManagedProcess, pattern: RegExp): Promise<string> {
  return poll(`${process.command} to say ${String(pattern)}`, () => pattern.exec(process.output(0).text)?.[0]);
}

/** Processes whose environment holds a text; those that nobody has waited for yet have none. */
function withMarker(marker: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "latin1").includes(marker);
    } catch {
      return false;
    }
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

onPosix("a command", () => {
  for (const [command, end, text] of [
    ["echo out; echo err >&2", { status: "exited", exitCode: 0, signal: undefined, leftRunning: false }, "out\nerr\n"],
    ["exit 3", { status: "exited", exitCode: 3 }, ""],
    ["no-such-command-here", { status: "exited", exitCode: 127 }, /not found/],
    ["kill -SEGV $$", { status: "signaled", exitCode: undefined, signal: "SIGSEGV" }, ""],
    ["kill -9 $$", { status: "signaled", signal: "SIGKILL" }, ""],
    [
      "cat <<'END'\n$HOME `id` \\\nline\nEND\nfor i in 1 2; do\n  echo $i\ndone",
      { exitCode: 0 },
      "$HOME `id` \\\nline\n1\n2\n",
    ],
    ["-not-an-option", { exitCode: 127 }, /-not-an-option/],
    ["echo 'unclosed", { exitCode: 2 }, /unexpected EOF|[Uu]nterminated/],
    ['cat; echo "at its end: $?"', { exitCode: 0 }, "at its end: 0\n"],
    ["read -r line; echo $?", { exitCode: 0 }, "1\n"],
    ["tty", { exitCode: 1 }, "not a tty\n"],
    ["printf 'a\\377b\\303'; printf '\\0\\001\\033[31mred\\033[0m'", { exitCode: 0 }, "a\uFFFDb\uFFFD␀␁red"],
    ["printf '\\360\\237'; sleep 0.05; printf '\\230\\200'; printf x >&2", { exitCode: 0 }, "😀x"],
    ['for i in 1 2 3; do printf "$i%%\\r"; done; echo', { exitCode: 0 }, "3%\n"],
    ["exec >&- 2>&-; exit 4", { exitCode: 4 }, ""],
    // Needs real pipes: a socket cannot be opened by name.
    ["echo a >/dev/stderr; echo b | tee /dev/stderr >/dev/null; echo c >/dev/stdout", { exitCode: 0 }, "a\nb\nc\n"],
    ["cat /dev/stdin; echo end", { exitCode: 0 }, "end\n"],
  ] as const) {
    it(JSON.stringify(command), async () => {
      const { run } = await bench();
      const result = await run(command);
      expect(result.end).toMatchObject(end);
      if (typeof text === "string") {
        expect(result.text).toBe(text);
      } else {
        expect(result.text).toMatch(text);
      }
    });
  }

  it("has its output in the order in which it came", async () => {
    const { run } = await bench();
    expect((await run("for i in 1 2 3; do echo $i; sleep 0.05; echo e$i >&2; sleep 0.05; done")).text).toBe(
      "1\ne1\n2\ne2\n3\ne3\n",
    );
  });

  it("may be one megabyte long", async () => {
    const { run } = await bench();
    const long = "x".repeat(1_000_000);
    const { text, end } = await run(`cat <<'END' | wc -c\n${long}\nEND\nread -r a; exit 7`);
    expect(text.trim()).toBe("1000001");
    expect(end.exitCode).toBe(7);
    expect((await run(`: '${"😀".repeat(100_000)}'; echo $0`)).text).toMatch(/sh\n$/);
  });

  onLinux("has no file of ours open, short or long", async () => {
    const list = "ls /proc/self/fd | wc -l";
    const { run } = await bench();
    const expected = execFileSync("/bin/sh", ["-c", list], { encoding: "utf8" });
    expect((await run(list)).text).toBe(expected);
    expect((await run(`: ${"x".repeat(200_000)}\n${list}`)).text).toBe(expected);
  });

  it.each([
    ["command", { command: "echo a\0b" }],
    ["a value of env", { command: "true", env: { A: "\0" } }],
    ["a name in env", { command: "true", env: { "A=B": "" } }],
  ])(
    "with what no process can be given in %s is refused",
    async (_where, { command, env = {} }: { command: string; env?: Record<string, string> }) => {
      const { start } = await bench();
      await expect(start(command, { env })).rejects.toMatchObject({ type: "invalid_input" });
    },
  );

  it("with an environment that is too large is refused", async () => {
    const { start } = await bench();
    await expect(start("true", { env: { A: "x".repeat(10_000_000) } })).rejects.toMatchObject({
      type: "invalid_input",
    });
  });

  it("in a folder that is gone is refused", async () => {
    const { start, folder, table } = await bench();
    await mkdir(join(folder, "gone"));
    await rm(join(folder, "gone"), { recursive: true });
    await expect(start("true", { folder: join(folder, "gone") })).rejects.toMatchObject({ type: "not_found" });
    expect(table.list()).toEqual([]);
    expect((await start("pwd")).id).toBe("p1");
  });

  it("whose folder goes away while it runs goes on", async () => {
    const { start, folder } = await bench();
    await mkdir(join(folder, "sub"));
    const process = await start("echo up; read -r line; echo $line", {
      folder: join(folder, "sub"),
      interactive: true,
    });
    await says(process, /up/);
    await rm(join(folder, "sub"), { recursive: true });
    await process.write("done\n");
    expect(await process.ended).toMatchObject({ exitCode: 0 });
    expect(process.summary(1_000).text).toBe("up\ndone\n");
  });
});

onPosix("ending", () => {
  it("in time keeps what came before, and tells SIGTERM", async () => {
    const { start } = await bench();
    const process = await start("echo before; sleep 1000");
    await says(process, /before/);
    expect(await process.stop("timeout")).toMatchObject({
      status: "timeout",
      exitCode: undefined,
      signal: "SIGTERM",
      leftRunning: false,
    });
    expect(process.summary(1_000).text).toBe("before\n");
  });

  it("is SIGKILL for who ignores SIGTERM", async () => {
    const { start } = await bench();
    const process = await start("trap '' TERM; echo up; while :; do sleep 1000; done");
    await says(process, /up/);
    expect(await process.stop("cancelled")).toMatchObject({
      status: "cancelled",
      signal: "SIGKILL",
      leftRunning: false,
    });
  });

  it("reaches the children that ignore SIGTERM, too", async () => {
    const { start } = await bench();
    const process = await start("(trap '' TERM; while :; do sleep 1000; done) & echo child $!; wait");
    const child = Number((await says(process, /child \d+\n/)).slice(6));
    expect(await process.stop("cancelled")).toMatchObject({
      status: "cancelled",
      signal: "SIGTERM",
      leftRunning: false,
    });
    expect(isRunning(child)).toBe(false);
  });

  it("reaches one that was stopped with SIGSTOP", async () => {
    const { start } = await bench({ times: { kill: 60_000 } });
    const process = await start("echo up; sleep 1000");
    await says(process, /up/);
    process.kill("SIGSTOP");
    expect(await process.stop("cancelled")).toMatchObject({ status: "cancelled", signal: "SIGTERM" });
  });

  it("lets a process clean up", async () => {
    const { start } = await bench({ times: { kill: 60_000 } });
    const process = await start("trap 'echo cleaned; exit 5' TERM; echo up; while :; do sleep 0.05; done");
    await says(process, /up/);
    expect(await process.stop("timeout")).toMatchObject({ status: "timeout", exitCode: 5 });
    expect(process.summary(1_000).text).toMatch(/cleaned\n$/);
  });

  it("by a signal on request is the caller's", async () => {
    const { start } = await bench();
    const process = await start("echo up; sleep 1000", { background: true });
    await says(process, /up/);
    process.kill("SIGINT");
    expect(await process.ended).toMatchObject({ status: "cancelled", signal: "SIGINT" });
    expect(() => process.kill("SIGTERM")).toThrow("p1 has ended already.");
    expect(() => process.kill("SIGNOPE")).toThrow();
  });

  it("twice is ending once, and of what has ended changes nothing", async () => {
    const { start } = await bench();
    const process = await start("sleep 1000");
    const [first, second] = await Promise.all([process.stop("timeout"), process.stop("cancelled")]);
    expect(first).toBe(second);
    expect(first.status).toBe("timeout");
    const done = await start("true");
    await done.ended;
    expect(await done.stop("timeout")).toMatchObject({ status: "exited", exitCode: 0 });
  });

  it("refuses a signal there is not", async () => {
    const { start } = await bench();
    const process = await start("sleep 1000");
    expect(() => process.kill("SIGNOPE")).toThrow("SIGNOPE: there is no such signal on this system.");
  });
});

onPosix("what is left running", () => {
  it("by a command that ends is told, goes on, is heard, and ends with the window", async () => {
    const { table, start } = await bench();
    const process = await start("(while :; do echo tick; sleep 0.02; done) & echo child $!");
    const end = await process.ended;
    expect(end).toMatchObject({ status: "exited", exitCode: 0, leftRunning: true });
    const child = Number(/child (\d+)/.exec(process.summary(1_000_000).text)?.[1]);
    const summary = process.summary(100_000).text;
    const { next } = process.output(0);
    await poll("more output", () => process.output(next).text.includes("tick"));
    expect(process.summary(100_000).text).toBe(summary);
    expect(isRunning(child)).toBe(true);
    await table.closeAll();
    expect(isRunning(child)).toBe(false);
  });

  it("can be sent a signal", async () => {
    const { start } = await bench();
    const process = await start("sleep 1000 & echo $!");
    expect((await process.ended).leftRunning).toBe(true);
    process.kill("SIGTERM");
    const child = Number(process.summary(100).text);
    await poll("its end", () => !isRunning(child));
    expect(() => process.kill("SIGTERM")).toThrow("nothing of it is still running");
  });

  it("without output is told, too", async () => {
    const { start } = await bench();
    const process = await start("sleep 1000 >/dev/null 2>&1 & echo $!");
    expect(await process.ended).toMatchObject({ exitCode: 0, leftRunning: true });
  });

  it.skipIf(process.platform !== "linux")("as a daemon that holds the output is told and not killed", async () => {
    const { start, table } = await bench();
    const process = await start(
      "setsid sh -c 'echo daemon $$; sleep 0.6; echo alive; exec sleep 1000' & wait $! 2>/dev/null & sleep 0.2",
    );
    const end = await process.ended;
    expect(end).toMatchObject({ status: "exited", exitCode: 0, leftRunning: true });
    const pid = Number((await says(process, /daemon \d+\n/)).slice(7));
    onTestFinished(() => {
      if (isRunning(pid)) {
        globalThis.process.kill(pid, "SIGKILL");
      }
    });
    await says(process, /alive/);
    await table.closeAll();
    expect(isRunning(pid)).toBe(true);
  });

  const quiet = ">/dev/null 2>&1 </dev/null";
  onLinux.each([
    ["setsid in the background", (sleep: string) => `setsid ${sleep} ${quiet} &`, [true]],
    ["setsid --fork", (sleep: string) => `setsid -f ${sleep} ${quiet}`, [true]],
    ["a job with a group of its own", (sleep: string) => `set -m; ${sleep} ${quiet} &`, [true]],
    ["a daemon that forks twice", (sleep: string) => `( ( setsid ${sleep} ${quiet} & ) & )`, [true]],
    ["a daemon of a daemon", (sleep: string) => `setsid -f bash -c 'setsid -f ${sleep} & wait' ${quiet}`, [true]],
    ["nohup and disown", (sleep: string) => `nohup ${sleep} ${quiet} & disown -a`, [true]],
    ["a daemon without the environment", (sleep: string) => `env -i setsid -f ${sleep} ${quiet}`, [true, undefined]],
  ])("as a daemon is never told as nothing: %s", async (_what, command, expected) => {
    const { run } = await bench();
    // In no other process's arguments.
    const sleep = `sleep 1000.${Math.random().toString().slice(2)}`;
    const running = (): string[] =>
      readdirSync("/proc").filter((name) => {
        try {
          return (
            /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim() === sleep
          );
        } catch {
          return false;
        }
      });
    onTestFinished(() => running().forEach((pid) => globalThis.process.kill(Number(pid), "SIGKILL")));
    const { end } = await run(`${command(sleep)}\nexit 3`);
    expect(end).toMatchObject({ status: "exited", exitCode: 3 });
    expect(expected).toContain(end.leftRunning);
    await poll("the daemon", () => running().length === 1);
  });

  onLinux("as a daemon of another command is not this one's", async () => {
    const { run, start } = await bench();
    const marker = `TOOLHOST_MARKER_${Math.random()}`;
    onTestFinished(() => withMarker(marker).forEach((pid) => globalThis.process.kill(Number(pid), "SIGKILL")));
    const waiting = await start("read -r line", { interactive: true });
    await run(`setsid -f sleep 1000 ${quiet}`, { env: { M: marker } });
    await waiting.write("go on\n");
    expect(await waiting.ended).toMatchObject({ exitCode: 0, leftRunning: false });
  });

  onLinux("by 500 processes that are started and cancelled is nothing", async () => {
    const { start, table } = await bench({ times: { kill: 2_000 } });
    const marker = `TOOLHOST_MARKER_${Math.random()}`;
    const processes: ManagedProcess[] = [];
    const batch = 25;
    for (let count = 0; count < 500; count += batch) {
      const some = await Promise.all(
        Array.from({ length: batch }, (_, index) =>
          start(index % 2 === 0 ? "sleep 1000" : "sleep 1000 & sleep 1000", { env: { M: marker } }),
        ),
      );
      processes.push(...some);
      if (count === 100) {
        expect(withMarker(marker).length).toBeGreaterThanOrEqual(batch);
      }
      await Promise.all(some.map((process) => process.stop("cancelled")));
    }
    expect(processes.map(({ end }) => end?.status).every((status) => status === "cancelled")).toBe(true);
    expect(withMarker(marker)).toEqual([]);
    expect(table.list()).toHaveLength(50);
  });

  onLinux("by a window that closes is nothing", async () => {
    const { start, table } = await bench();
    const marker = `TOOLHOST_MARKER_${Math.random()}`;
    const env = { M: marker };
    await Promise.all([
      start("sleep 1000", { env }),
      start("trap '' TERM; sleep 1000; sleep 1000", { env }),
      start("sleep 1000 & true", { env }),
      start("sleep 1000", { background: true, env }),
    ]);
    const late = start("sleep 1000", { env });
    await Promise.all([table.closeAll(), late]);
    expect(withMarker(marker)).toEqual([]);
    await expect(start("true")).rejects.toMatchObject({ type: "unavailable" });
  });
});

onPosix("standard input", () => {
  it("of an interactive process can be written to and ended", async () => {
    const { start } = await bench();
    const process = await start("printf 'name? '; read -r name; echo hello $name; cat /dev/stdin; echo over", {
      background: true,
      interactive: true,
    });
    await says(process, /name\? /);
    await process.write("wörld\n");
    await says(process, /hello wörld/);
    await process.write("rest\n");
    await process.closeInput();
    expect(await process.ended).toMatchObject({ exitCode: 0 });
    expect(process.summary(1_000).text).toBe("name? hello wörld\nrest\nover\n");
    await expect(process.write("more")).rejects.toMatchObject({ type: "unavailable" });
  });

  it("that has ended can still be opened by name", async () => {
    const { start, folder } = await bench();
    const process = await start(
      "echo up; until [ -e go ]; do sleep 0.02; done; cat /dev/stdin; cat /dev/stdin; echo over",
      {
        background: true,
        interactive: true,
      },
    );
    await says(process, /up/);
    await process.write("rest\n");
    await process.closeInput();
    await writeFile(join(folder, "go"), "");
    expect(await process.ended).toMatchObject({ exitCode: 0 });
    expect(process.summary(1_000).text).toBe("up\nrest\nover\n");
  });

  it("of any other is closed", async () => {
    const { start } = await bench();
    const process = await start("sleep 1000");
    await expect(process.write("x")).rejects.toMatchObject({ type: "unavailable" });
  });

  it("that nobody reads any more says so", async () => {
    const { start } = await bench();
    const process = await start("exec <&-; echo closed; sleep 1000", { interactive: true });
    await says(process, /closed/);
    await expect(process.write("x")).rejects.toMatchObject({ type: "unavailable" });
  });
});

onPosix("output", () => {
  it("can be followed by a cursor", async () => {
    const { start } = await bench();
    const process = await start("echo one; read -r a; echo two; read -r a; printf 'three'; read -r a", {
      interactive: true,
    });
    let seen = "";
    let cursor = 0;
    for (const expected of ["one\n", "one\ntwo\n", "one\ntwo\nthree"]) {
      while (seen !== expected) {
        await process.changed(cursor, AbortSignal.timeout(20_000));
        const part = process.output(cursor);
        expect([part.from, part.missed]).toEqual([cursor, 0]);
        seen += part.text;
        cursor = part.next;
      }
      await process.write("\n");
    }
    await process.ended;
    await process.changed(cursor, never);
    expect(process.output(cursor)).toEqual({ text: "", from: cursor, next: cursor, missed: 0 });
  });

  it("of 300,000 lines is told as head, tail and exact counts, and kept as a whole", async () => {
    const folder = await tempFolder();
    const results = new ResultFiles(() => Promise.resolve(folder));
    const { run } = await bench({ results });
    const { process } = await run("seq 1 300000");
    const whole = `${Array.from({ length: 300_000 }, (_, index) => index + 1).join("\n")}\n`;
    const { text, omitted } = process.summary(10_000);
    const [head = "", tail = ""] = text.split(/\[….*…\]\n/);
    expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
    expect(text.length).toBeLessThanOrEqual(10_000);
    expect(omitted).toEqual({
      from: head.length,
      characters: whole.length - head.length - tail.length,
      lines: 300_000 - head.split("\n").length - tail.split("\n").length + 2,
    });
    expect(process.stored).toMatchObject({ characters: whole.length, dropped: 0, id: process.resultId });
    const { pages } = process.stored ?? { pages: 0 };
    const parts = await Promise.all(
      Array.from({ length: pages }, async (_, index) => (await results.page(process.resultId ?? "", index + 1)).text),
    );
    expect(parts.join("")).toBe(whole);
    expect(parts.every((part) => part.endsWith("\n") && part.length <= RESULT_PAGE)).toBe(true);
    expect(process.output(0)).toMatchObject({
      next: whole.length,
      missed: whole.length - process.output(0).text.length,
    });
  });

  it("of 600 MB stays in bounded memory, while a slow store holds it back", async () => {
    let kept = 0;
    const results: Pick<Results, "open"> = {
      open: () =>
        Promise.resolve({
          id: "rslow",
          // Slow, as a disk is: a turn of the event loop for each write.
          write: (...parts) =>
            new Promise<void>((resolve) =>
              setImmediate(() =>
                setImmediate(() => resolve(void (kept += parts.reduce((sum, { length }) => sum + length, 0)))),
              ),
            ),
          close: (): Promise<StoredResult> => Promise.resolve({ id: "rslow", characters: kept, pages: 1, dropped: 0 }),
          discard: () => Promise.resolve(),
        }),
    };
    const { start } = await bench({ results });
    const before = process.memoryUsage().rss;
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
    onTestFinished(() => clearInterval(timer));
    const running = await start(`head -c 600000000 /dev/zero | tr '\\0' 'x' | fold -w 99`);
    const end = await running.ended;
    expect(end).toMatchObject({ exitCode: 0 });
    const characters = 600_000_000 + Math.ceil(600_000_000 / 99) - 1;
    expect(kept).toBe(characters);
    expect(running.stored?.characters).toBe(characters);
    const { omitted, text } = running.summary(100_000);
    const marker = /\[….*…\]\n/.exec(text)?.[0] ?? "";
    expect(omitted?.characters).toBe(characters - text.length + marker.length);
    expect(most - before).toBeLessThan(400_000_000);
  }, 300_000);

  it("of a store that fails is still told", async () => {
    const results: Pick<Results, "open"> = { open: () => Promise.reject(new Error("disk full")) };
    const { run } = await bench({ results });
    const { process, end } = await run("seq 1 300000");
    expect(end).toMatchObject({ exitCode: 0 });
    expect(process.resultId).toBeUndefined();
    expect(process.summary(1_000).text).toMatch(/^1\n2\n[^]*\n300000\n$/);
  });

  it("that fits an answer is not stored", async () => {
    const results: Pick<Results, "open"> = { open: () => Promise.reject(new Error("asked for")) };
    const { run } = await bench({ results });
    const { process, text } = await run("seq 1 1000");
    expect([process.resultId, process.stored, text.length]).toEqual([undefined, undefined, 3_893]);
  });
});

onPosix("the table", () => {
  it("keeps the last that ended, then only knows that there was one", async () => {
    const { run, table } = await bench();
    for (let count = 0; count < 55; count++) {
      await run("true");
    }
    expect(table.list().map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, index) => `p${index + 6}`));
    expect([table.find("p5"), table.wasKnown("p5"), table.wasKnown("p56"), table.wasKnown("px")]).toEqual([
      undefined,
      true,
      false,
      false,
    ]);
  });

  it("forgets what ended too long ago, but nothing that runs", async () => {
    const { run, start, table } = await bench({ times: { keep: -1 } });
    await start("sleep 1000");
    await run("true");
    expect(table.list().map(({ id }) => id)).toEqual(["p1"]);
  });

  it("tells of starts and ends", async () => {
    let changes = 0;
    const { run } = await bench({ onChange: () => changes++ });
    await run("true");
    expect(changes).toBe(2);
  });
});
