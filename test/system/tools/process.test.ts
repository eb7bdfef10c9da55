import { describe, expect, it, test } from "vitest";
import { poll } from "../../harness/poll.js";
import {
  failed,
  openWorkspace,
  result,
  type CallOptions,
  type TestWorkspace,
  type WorkspaceOptions,
} from "../../unit/tools/workspace.js";

interface State {
  status: string;
  exit_code: number | null;
  signal: string | null;
  process_id?: string;
  omitted: number;
  result_id?: string;
  left_running: boolean | null;
}

interface ProcessData {
  processes?: (State & { command: string; workdir: string })[];
  process?: State;
  output?: string;
  next_cursor?: number;
  missed?: number;
  matched?: boolean | null;
}

const onPosix = describe.skipIf(process.platform === "win32");
const timeless = (text: string): string => text.replaceAll(/for \d+(\.\d)? s/g, "for T");

/** Writes what it reads, with a mark before it, until its input ends. */
const ECHO = 'echo ready; while read -r line; do echo "got $line"; done; echo end';

async function open(options?: WorkspaceOptions): Promise<{
  workspace: TestWorkspace;
  start: (command: string, more?: object) => Promise<{ text: string; data: State; id: string }>;
  call: (input: object, options?: CallOptions) => Promise<{ text: string; data: ProcessData }>;
  fails: (input: object) => Promise<{ type: string; message: string; hint?: string }>;
}> {
  const workspace = await openWorkspace({ "sub/a": "" }, options);
  return {
    workspace,
    start: async (command, more = {}) => {
      const { text, data } = result<State>(await workspace.call("exec", { command, background: true, ...more }));
      return { text: timeless(text), data, id: data.process_id ?? "" };
    },
    call: async (input, callOptions) => {
      const { text, data } = result<ProcessData>(await workspace.call("process", input, callOptions));
      return { text: timeless(text), data };
    },
    fails: async (input) => failed(await workspace.call("process", input)),
  };
}

onPosix("a background command", () => {
  it("is named at once, with what it has written", async () => {
    const { start } = await open();
    const { text, data } = await start("echo listening; exec sleep 1000");
    expect(text).toBe("[Running in the background as p1 for T.]\nlistening");
    expect(data).toMatchObject({
      status: "background",
      exit_code: null,
      signal: null,
      process_id: "p1",
      left_running: false,
    });
  });

  it("that fails at once says so", async () => {
    const { start } = await open();
    const { text, data } = await start("echo 'port in use' >&2; exit 1");
    expect(text).toMatch(/^\[Exit code 1 after .* \(p1\)\]\nport in use$/);
    expect(data).toMatchObject({ status: "exited", exit_code: 1, process_id: "p1" });
  });

  it("goes on when the call that started it is over, and when that is cancelled", async () => {
    const { workspace, call } = await open();
    const abort = new AbortController();
    const { data } = result<State>(
      await workspace.call("exec", { command: ECHO, background: true }, { signal: abort.signal }),
    );
    abort.abort();
    expect((await call({ action: "status", process_id: data.process_id })).data.process?.status).toBe("background");
  });

  it("has no time limit, so none is raised", async () => {
    const { start } = await open();
    expect((await start("exec sleep 1000", { timeout: 1 })).text).toBe(
      "[Running in the background as p1 for T.]\n(no output)",
    );
  });
});

onPosix("list", () => {
  it("has background commands, running and ended, and no others", async () => {
    const { workspace, start, call } = await open();
    expect((await call({ action: "list" })).text).toBe("No background processes.");
    await start("exec sleep 1000");
    await workspace.call("exec", { command: "true" });
    await start("exit 4", { workdir: "sub" });
    const { text, data } = await call({ action: "list" });
    expect(text).toMatch(/^p1 \(exec sleep 1000, in \.\): running for T\np3 \(exit 4, in sub\): Exit code 4 after .*$/);
    expect(data.processes).toMatchObject([
      { process_id: "p1", command: "exec sleep 1000", workdir: ".", status: "background" },
      { process_id: "p3", command: "exit 4", workdir: "sub", status: "exited", exit_code: 4 },
    ]);
  });

  it("shows a long command in one line, and tells the whole of it as data", async () => {
    const { start, call } = await open();
    const command = `: '${"x".repeat(1_000)}\n'\nexec sleep 1000`;
    await start(command);
    const { text, data } = await call({ action: "list" });
    expect(text.split("\n")).toHaveLength(1);
    expect(text.length).toBeLessThan(200);
    expect(data.processes?.[0]?.command).toBe(command);
  });
});

onPosix("poll", () => {
  it("gives only what is new behind a cursor", async () => {
    const { start, call } = await open();
    const { id } = await start(ECHO);
    const first = await call({ action: "poll", process_id: id, wait_for: "ready" });
    expect(first.data).toMatchObject({ output: "ready\n", next_cursor: 6, missed: 0, matched: true });
    const nothing = await call({ action: "poll", process_id: id, cursor: first.data.next_cursor });
    expect(nothing.text).toBe(
      `${id} (echo ready; while read -r line; do echo "got $line"; done; echo end, in .): Running. next_cursor=6\n(nothing new)`,
    );
    expect(nothing.data).toMatchObject({ output: "", next_cursor: 6, matched: null });
    await call({ action: "input", process_id: id, input: "one\n", wait_for: "got one" });
    expect((await call({ action: "poll", process_id: id, cursor: 6 })).data).toMatchObject({
      output: "got one\n",
      next_cursor: 14,
    });
    expect((await call({ action: "poll", process_id: id })).data.output).toBe("ready\ngot one\n");
  });

  it("shows a line before it has ended", async () => {
    const { start, call } = await open();
    const { id } = await start("printf 'password: '; exec sleep 1000");
    expect((await call({ action: "poll", process_id: id, wait_for: "password:" })).data).toMatchObject({
      output: "password: ",
      matched: true,
    });
  });

  it("of a long output gives the end of it, says what is not there, and names where the whole is", async () => {
    const { start, call } = await open();
    const { id } = await start("seq 60000; echo done; exec sleep 1000");
    const { text, data } = await call({ action: "poll", process_id: id, wait_for: "done" });
    const whole = `${Array.from({ length: 60_000 }, (_, index) => `${index + 1}\n`).join("")}done\n`;
    expect(data.next_cursor).toBe(whole.length);
    expect(data.output).toBe(whole.slice(data.missed));
    expect(whole[(data.missed ?? 0) - 1]).toBe("\n");
    expect(text).toContain(
      `[${data.missed} characters before this are not shown. read_result ${data.process?.result_id} has its output.]`,
    );
  });

  it("of a command that has failed gives each failure, and no more than exec does", async () => {
    const { start, call } = await open();
    const { id } = await start("seq 30000; echo 'src/a.c:3:4: error: no such thing'; seq 30000; exit 1");
    const { text, data } = await call({ action: "poll", process_id: id, wait_for: "exit" });
    expect(data.output).toContain("\nsrc/a.c:3:4: error: no such thing\n");
    expect(data.output?.length).toBeLessThan(7_000);
    expect(text).toContain("Every line with the name, message or place of a failure (gcc or clang) is shown.");
    expect(text).toContain(`read_result ${data.process?.result_id} has its output.`);
  });

  it("of a failed command whose start is no longer held gives the failures of all of it, or no promise", async () => {
    const { start, call } = await open();
    const { id } = await start("echo 'src/a.c:3:4: error: no such thing'; seq 50000; echo 'b.c:1:2: error: x'; exit 1");
    const { text, data } = await call({ action: "poll", process_id: id, wait_for: "exit" });
    expect(data.output).toContain("src/a.c:3:4: error: no such thing\n");
    expect(data.output).toContain("b.c:1:2: error: x");
    expect(text).toContain("Every line with the name, message or place of a failure (gcc or clang) is shown.");
    const later = await call({ action: "poll", process_id: id, cursor: 1 });
    expect(later.data.output).toContain("b.c:1:2: error: x");
    expect(later.text).not.toContain("Every line");
  });

  it("of a cursor past the end gives the end", async () => {
    const { start, call } = await open();
    const { id } = await start("echo a; exec sleep 1000");
    await call({ action: "poll", process_id: id, wait_for: "a" });
    expect((await call({ action: "poll", process_id: id, cursor: 1_000_000 })).data).toMatchObject({
      output: "",
      next_cursor: 2,
      missed: 0,
    });
  });

  it("is no longer than an answer", async () => {
    const { start, call } = await open();
    const { id } = await start("head -c 150000 /dev/zero | tr '\\0' x; echo; echo done; exec sleep 1000");
    const { data } = await call({ action: "poll", process_id: id, wait_for: "done" });
    expect(data.output).toHaveLength(23_500);
    expect(data.missed).toBe(150_006 - 23_500);
  });
});

onPosix("wait_for", () => {
  const patterns: { name: string; command: string; wait_for: string; matched: boolean; output: RegExp }[] = [
    {
      name: "an expression that comes later",
      command: "sleep 0.3; echo 'Listening on http://localhost:5173'; exec sleep 1000",
      wait_for: "https?://localhost:\\d+",
      matched: true,
      output: /5173/,
    },
    {
      name: "one in what is there already",
      command: "echo ready; exec sleep 1000",
      wait_for: "^ready$",
      matched: true,
      output: /ready/,
    },
    {
      name: "either of two",
      command: "echo Failed; exec sleep 1000",
      wait_for: "(?i)ready|failed",
      matched: true,
      output: /Failed/,
    },
    {
      name: "one in what it wrote last",
      command: "sleep 0.1; echo last",
      wait_for: "last",
      matched: true,
      output: /last/,
    },
    {
      name: "one that does not come before its end",
      command: "sleep 0.1; echo other",
      wait_for: "last",
      matched: false,
      output: /other/,
    },
    { name: "the end", command: "sleep 0.1; echo bye", wait_for: "exit", matched: true, output: /bye/ },
    { name: "the end of one that has ended", command: "true", wait_for: "exit", matched: true, output: /^$/ },
    {
      name: "one that begins in what came before",
      command: "printf 'Listen'; sleep 0.8; echo 'ing'; exec sleep 1000",
      wait_for: "Listening",
      matched: true,
      output: /Listening/,
    },
    {
      name: "one that would hang JavaScript",
      command: `echo ${"a".repeat(5_000)}; echo done; exec sleep 1000`,
      wait_for: "^(a+)+$|done",
      matched: true,
      output: /done/,
    },
  ];
  test.each(patterns)("$name", async ({ command, wait_for, matched, output }) => {
    const { start, call } = await open();
    const { id } = await start(command);
    const { data } = await call({ action: "poll", process_id: id, wait_for });
    expect(data.matched).toBe(matched);
    expect(data.output).toMatch(output);
  });

  it("waits no longer than it is told, and says so", async () => {
    const { start, call } = await open();
    const { id } = await start("echo a; exec sleep 1000");
    for (const wait_for of ["never", "exit"]) {
      const { text, data } = await call({ action: "poll", process_id: id, wait_for, timeout: 0 });
      expect(text).toMatch(/Running\. wait_for was not met within 0 s\. next_cursor=2\na\n$/);
      expect(data).toMatchObject({ matched: false, process: { status: "background" } });
    }
  });

  it("of one that ended without it names no time", async () => {
    const { start, call } = await open();
    const { id } = await start("echo a; exit 2");
    expect((await call({ action: "poll", process_id: id, wait_for: "never" })).text).toMatch(
      /Exit code 2 after .*\. wait_for was not met\. next_cursor=2/,
    );
    expect((await call({ action: "poll", process_id: id, wait_for: "/a/i" })).text).toMatch(
      /wait_for was not met\. \/…\/i is matched as it is: write \(\?i\)a\. next_cursor=2/,
    );
  });

  it("ends when the call is cancelled, and the process goes on", async () => {
    const { workspace, start, call } = await open();
    const { id } = await start("exec sleep 1000");
    const abort = new AbortController();
    const waiting = workspace.call(
      "process",
      { action: "poll", process_id: id, wait_for: "never", timeout: 600 },
      { signal: abort.signal },
    );
    abort.abort();
    await waiting.catch(() => undefined);
    expect((await call({ action: "status", process_id: id })).data.process?.status).toBe("background");
  });

  it("looks only behind the cursor", async () => {
    const { start, call } = await open();
    const { id } = await start(ECHO);
    const { data } = await call({ action: "poll", process_id: id, wait_for: "ready" });
    expect(
      (await call({ action: "poll", process_id: id, cursor: data.next_cursor, wait_for: "ready", timeout: 0 })).data
        .matched,
    ).toBe(false);
  });
});

onPosix("input", () => {
  it("goes to a command that reads, as it is", async () => {
    const { start, call } = await open();
    const { id } = await start("exec cat");
    const first = await call({ action: "input", process_id: id, input: "é 😀 'quoted' $HOME\n", wait_for: "HOME" });
    expect(first.data).toMatchObject({ output: "é 😀 'quoted' $HOME\n", matched: true });
    const second = await call({ action: "input", process_id: id, input: "two\nthree\n", wait_for: "three" });
    expect(second.data.output).toBe("two\nthree\n");
  });

  it("is not a line before its line end", async () => {
    const { start, call } = await open();
    const { id } = await start(ECHO);
    await call({ action: "input", process_id: id, input: "half" });
    expect((await call({ action: "input", process_id: id, input: " whole\n", wait_for: "got" })).data.output).toBe(
      "got half whole\n",
    );
  });

  it("asks each time, with the text exactly and what it is typed into", async () => {
    const { workspace, start } = await open();
    const { id } = await start(ECHO);
    const input = "rm -rf .\n\u0003";
    for (const answer of [true, false]) {
      await workspace.call("process", { action: "input", process_id: id, input }, { as: "model", answer });
    }
    const question = {
      tool: "process",
      reasons: ["Types into a running process."],
      detail: { language: "json", text: JSON.stringify({ input, process_id: id, command: ECHO }, undefined, 2) },
    };
    expect(workspace.asked).toMatchObject([question, question]);
    await poll(
      "the one that was allowed to come, and no other",
      () =>
        workspace.processes.find(id)?.output(0).text === "ready\ngot rm -rf .\n\u0003" ||
        workspace.processes.find(id)?.output(0).text === "ready\ngot rm -rf .\n",
    );
  });

  it("of no process is told without a question", async () => {
    const { workspace } = await open();
    expect(
      failed(
        await workspace.call(
          "process",
          { action: "input", process_id: "p9", input: "x" },
          { as: "model", answer: true },
        ),
      ).type,
    ).toBe("unknown_id");
    expect(workspace.asked).toEqual([]);
  });

  it("is the only action that asks", async () => {
    const { workspace, start } = await open();
    const { id } = await start("exec sleep 1000");
    for (const input of [
      { action: "list" },
      { action: "status", process_id: id },
      { action: "poll", process_id: id },
      { action: "signal", process_id: id },
    ]) {
      expect((await workspace.call("process", input, { as: "model", answer: false })).ok).toBe(true);
    }
    expect(workspace.asked).toEqual([]);
  });

  const closed: { name: string; command: string; background: boolean; message: RegExp }[] = [
    {
      name: "one that has ended",
      command: "true",
      background: true,
      message: /^p1 has ended and no longer reads input\.$/,
    },
    {
      name: "one that closed its input",
      command: "exec <&-; echo closed; exec sleep 1000",
      background: true,
      message: /^p1: its standard input is closed\.$/,
    },
  ];
  test.each(closed)("to $name is an error", async ({ command, message }) => {
    const { start, call, fails } = await open();
    const { id } = await start(command);
    await call({ action: "poll", process_id: id, wait_for: "closed|exit", timeout: 5 });
    // What was already under way when the reader closed may still be taken.
    const error = await poll("the write to fail", () => fails({ action: "input", process_id: id, input: "x\n" }));
    expect(error).toMatchObject({ type: "unavailable" });
    expect(error.message).toMatch(message);
  });
});

onPosix("signal", () => {
  it("reaches all that was started, and its end is told as the caller's", async () => {
    const { start, call } = await open();
    const { id } = await start("sleep 1000 & sleep 1000 & echo up; wait");
    expect((await call({ action: "signal", process_id: id })).text).toBe(
      `Sent SIGTERM to ${id} (sleep 1000 & sleep 1000 & echo up; wait, in .) and everything it started. Poll with wait_for=exit to see it end.`,
    );
    const { data } = await call({ action: "poll", process_id: id, wait_for: "exit" });
    expect(data).toMatchObject({
      matched: true,
      process: { status: "cancelled", signal: "SIGTERM", left_running: false },
    });
  });

  it("SIGINT stops a server that tidies up", async () => {
    const { start, call } = await open();
    const { id } = await start("trap 'echo bye; exit 0' INT; echo up; while :; do sleep 0.05; done");
    await call({ action: "poll", process_id: id, wait_for: "up" });
    await call({ action: "signal", process_id: id, signal: "SIGINT" });
    const { data } = await call({ action: "poll", process_id: id, wait_for: "exit" });
    expect(data).toMatchObject({ output: "up\nbye\n", process: { status: "exited", exit_code: 0 } });
  });

  it("to one that has ended says how", async () => {
    const { start, fails } = await open();
    const { id } = await start("exit 3");
    expect(await fails({ action: "signal", process_id: id })).toMatchObject({
      type: "unavailable",
      message: expect.stringMatching(/^p1 has already ended: Exit code 3 after/) as string,
    });
  });

  it("reaches what an ended one left running", async () => {
    const { start, call } = await open();
    const { id } = await start("sleep 1000 & echo left");
    const ended = await call({ action: "poll", process_id: id, wait_for: "exit" });
    expect(ended.data.process).toMatchObject({ status: "exited", left_running: true });
    await call({ action: "signal", process_id: id, signal: "SIGKILL" });
    await poll("the rest to go", async () => !(await isAlive(id)));

    async function isAlive(process_id: string): Promise<boolean> {
      return call({ action: "signal", process_id, signal: "SIGCONT" }).then(
        () => true,
        () => false,
      );
    }
  });
});

onPosix("status", () => {
  it("of one that has ended is how and what, the answer of exec once more", async () => {
    const { start, call } = await open();
    const { id } = await start("echo out; exit 5");
    const { text, data } = await call({ action: "status", process_id: id });
    expect(text).toMatch(/^p1 \(echo out; exit 5, in \.\)\n\[Exit code 5 after .* \(p1\)\]\nout$/);
    expect(data.process).toMatchObject({ status: "exited", exit_code: 5, process_id: "p1" });
  });

  it("of one that wrote much is head and tail, and the whole is in the result store while it runs", async () => {
    const { workspace, start, call } = await open();
    const { id } = await start("seq 10000; echo done; exec sleep 1000");
    await call({ action: "poll", process_id: id, wait_for: "done" });
    const { text, data } = await call({ action: "status", process_id: id });
    expect(text.length).toBeLessThan(10_500);
    expect(text).toMatch(/\]\n1\n2\n/);
    expect(text).toContain("\n10000\ndone\n");
    expect(text).toContain(`${data.process?.omitted} characters`);
    const page = result<{ content: string; complete: boolean }>(
      await workspace.call("read_result", { id: data.process?.result_id }),
    ).data;
    expect(page).toMatchObject({ complete: false });
    expect(page.content).toMatch(/^1\n2\n3\n/);
  });
});

describe("a process that cannot be had", () => {
  const cases: { name: string; input: object; type: string; message: RegExp; hint?: RegExp }[] = [
    { name: "no id", input: { action: "status" }, type: "invalid_input", message: /process_id: required/ },
    {
      name: "an id nobody has",
      input: { action: "status", process_id: "p99" },
      type: "unknown_id",
      message: /^p99: there is no such process\.$/,
    },
    {
      name: "an id that is none",
      input: { action: "poll", process_id: "../etc\n" },
      type: "unknown_id",
      message: /there is no such process/,
    },
    {
      name: "an id of the system",
      input: { action: "signal", pid: "1" },
      type: "unknown_id",
      message: /^1: there is no such process\.$/,
    },
    {
      name: "an action there is not",
      input: { action: "restart", process_id: "p1" },
      type: "invalid_input",
      message: /action/,
    },
    { name: "no action", input: { process_id: "p1" }, type: "invalid_input", message: /action/ },
    {
      name: "a signal there is not",
      input: { action: "signal", process_id: "p1", signal: "SIGNONE" },
      type: "invalid_input",
      message: /signal/,
    },
    {
      name: "a cursor below nothing",
      input: { action: "poll", process_id: "p1", cursor: -1 },
      type: "invalid_input",
      message: /cursor/,
    },
    {
      name: "a bad expression",
      input: { action: "poll", process_id: "p1", wait_for: "(a|b" },
      type: "invalid_input",
      message: /\(/,
    },
    {
      name: "an expression that is too long",
      input: { action: "poll", process_id: "p1", wait_for: "x".repeat(1_001) },
      type: "invalid_input",
      message: /wait_for/,
    },
    {
      name: "input without a text",
      input: { action: "input", process_id: "p1" },
      type: "invalid_input",
      message: /input: required/,
    },
  ];
  onPosix("of an id that nobody has", () => {
    it("is answered with those that run, and not with those that have ended", async () => {
      const { start, fails, workspace } = await open();
      await workspace.call("exec", { command: "true" });
      const given = { action: "status", process_id: "server" };
      expect((await fails(given)).hint).toBe("None is running; action=list lists those that have ended.");
      await start("exec sleep 1000");
      expect((await fails(given)).hint).toBe("p2 is running; action=list lists all.");
    });
  });

  test.skipIf(process.platform === "win32").each(cases)("$name", async ({ input, type, message }) => {
    const { start, fails } = await open();
    await start("exec sleep 1000");
    const error = await fails(input);
    expect(error.type).toBe(type);
    expect(error.message).toMatch(message);
  });

  it.skipIf(process.platform === "win32")(
    "one that ended too long ago says so, and its id is not given again",
    async () => {
      const { start, call, fails } = await open({ times: { keep: -1 } });
      const { id } = await start("true");
      expect(await fails({ action: "status", process_id: id })).toMatchObject({
        type: "unknown_id",
        message: "p1 ended too long ago; its result was discarded.",
      });
      expect((await call({ action: "list" })).text).toBe("No background processes.");
      expect((await start("exec sleep 1000")).id).toBe("p2");
    },
  );
});
