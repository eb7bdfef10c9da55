import { existsSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { poll } from "../../harness/poll.js";
import { isWellFormed } from "../../unit/text/isWellFormed.js";
import { failed, hosts, openWorkspace, result, type TestWorkspace } from "../../unit/tools/workspace.js";

interface ExecData {
  status: string;
  exit_code: number | null;
  signal: string | null;
  duration_ms: number;
  process_id?: string;
  omitted: number;
  result_id?: string;
  stdout?: string;
  stderr?: string;
  stderr_result_id?: string;
  pipe_exit_codes?: number[];
  left_running: boolean | null;
}

interface Page {
  total_pages: number;
  total_chars: number;
  complete: boolean;
  content: string;
}

const onPosix = describe.skipIf(process.platform === "win32");

/** How long something took is another number each time. */
const timeless = (text: string): string => text.replaceAll(/(after|for) \d+(\.\d)? s/g, "$1 T");

async function exec(
  workspace: TestWorkspace,
  input: string | object,
  as: "model" | "owner" = "owner",
): Promise<{ text: string; data: ExecData }> {
  const { text, data } = result<ExecData>(
    await workspace.call("exec", typeof input === "string" ? { command: input } : input, { as }),
  );
  return { text: timeless(text), data };
}

/** Whether a process runs; one that nobody has waited for yet does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Writes its own number to a file, so that a test can see it go. */
const pidTo = (file: string): string => `echo $$ > ${file}`;

async function pidIn(workspace: TestWorkspace, file: string): Promise<number> {
  const path = join(workspace.folder, file);
  return poll(`${file} to be written`, () => existsSync(path) && Number(readFileSync(path, "utf8")));
}

onPosix("a command whose data a program reads", () => {
  const run = async (workspace: TestWorkspace, command: string): Promise<{ text: string; data: ExecData }> => {
    const { text, data } = result<ExecData>(await workspace.call("exec", { command }, { readsData: true }));
    return { text: timeless(text), data };
  };

  test.each<{ name: string; command: string; text: string; stdout: string; stderr: string }>([
    {
      name: "has its streams apart",
      command: "echo 1; echo 2 >&2; echo 3; exit 3",
      text: "[Exit code 3 after T.]\n1\n3\nstderr:\n2",
      stdout: "1\n3\n",
      stderr: "2\n",
    },
    { name: "may write one only", command: "echo 1", text: "[Exit code 0 after T.]\n1", stdout: "1\n", stderr: "" },
    {
      name: "may write the other only",
      command: "echo 1 >/dev/stderr",
      text: "[Exit code 0 after T.]\nstderr:\n1",
      stdout: "",
      stderr: "1\n",
    },
    { name: "may write nothing", command: "true", text: "[Exit code 0 after T.]\n(no output)", stdout: "", stderr: "" },
    {
      name: "may be too long for an argument",
      command: `: ${"x".repeat(120_000)}\necho 1; echo 2 >&2`,
      text: "[Exit code 0 after T.]\n1\nstderr:\n2",
      stdout: "1\n",
      stderr: "2\n",
    },
  ])("$name", async ({ command, text, stdout, stderr }) => {
    const ran = await run(await openWorkspace(), command);
    expect(ran.text).toBe(text);
    expect(ran.data).toMatchObject({ stdout, stderr, omitted: 0 });
  });

  test.each([
    ["both are long", "seq 1 60000; seq 1 50000 >&2"],
    ["standard output is long", "seq 1 60000; echo 1 >&2"],
    ["standard error is long", "echo 1; seq 1 60000 >&2"],
  ])("has one budget for both streams where %s, and the rest is kept", async (_name, command) => {
    const workspace = await openWorkspace();
    const { text, data } = await run(workspace, command);
    expect(text.length).toBeLessThanOrEqual(24_000);
    expect(text.length).toBeGreaterThan(20_000);
    const { stdout = "", stderr = "", result_id: out, stderr_result_id: err } = data;
    expect(stdout.length + stderr.length).toBeLessThanOrEqual(23_500);
    for (const [shown, id] of [
      [stdout, out],
      [stderr, err],
    ] as const) {
      expect(id === undefined).toBe(shown.length < 10);
      if (id !== undefined) {
        expect(text).toContain(`read_result ${id}`);
        const last = result<Page>(await workspace.call("read_result", { id, page: -1 })).data.content;
        expect(shown.endsWith(last.slice(-100))).toBe(true);
      }
    }
  });

  test("keeps the order of both for a model, which reads the text", async () => {
    const { text, data } = await exec(await openWorkspace(), "echo 1; echo 2 >&2; echo 3");
    expect(text).toBe("[Exit code 0 after T.]\n1\n2\n3");
    expect(data).not.toHaveProperty("stdout");
  });

  test("is not slower to end because somebody else holds one of its streams", async () => {
    const workspace = await openWorkspace();
    const { data } = await run(workspace, "(exec >&-; exec sleep 300) & echo 1");
    expect(data).toMatchObject({ status: "exited", stdout: "1\n", left_running: true });
  });
});

onPosix("a command that ends", () => {
  const cases: { name: string; input: string | object; text: string; data?: Partial<ExecData> }[] = [
    {
      name: "gives what it wrote",
      input: "echo hi",
      text: "[Exit code 0 after T.]\nhi",
      data: { status: "exited", exit_code: 0, signal: null, omitted: 0, left_running: false },
    },
    {
      name: "keeps its exit code",
      input: "echo no; exit 3",
      text: "[Exit code 3 after T.]\nno",
      data: { status: "exited", exit_code: 3 },
    },
    { name: "says that it wrote nothing", input: "true", text: "[Exit code 0 after T.]\n(no output)" },
    { name: "that exits with 255", input: "exit 255", text: "[Exit code 255 after T.]\n(no output)" },
    { name: "loses only the last line end", input: "printf 'a\\n\\n\\n'", text: "[Exit code 0 after T.]\na\n\n" },
    { name: "needs no line end", input: "printf a", text: "[Exit code 0 after T.]\na" },
    {
      name: "shows what it wrote to standard error",
      input: "echo bad >&2; exit 1",
      text: "[Exit code 1 after T.]\nbad",
    },
    {
      name: "of several lines runs as written",
      input: "a=1\nif [ $a = 1 ]; then\n  echo one\nfi\n",
      text: "[Exit code 0 after T.]\none",
    },
    {
      name: "with a here-document",
      input: "cat <<'END'\n$HOME `x` \"y\"\n\\\nEND\necho behind",
      text: '[Exit code 0 after T.]\n$HOME `x` "y"\n\\\nbehind',
    },
    {
      name: "with a here-document that expands",
      input: { command: "cat <<END\n$A\nEND", env: { A: "value" } },
      text: "[Exit code 0 after T.]\nvalue",
    },
    { name: "that begins with a dash", input: "-x() { echo dash; }; -x", text: "[Exit code 0 after T.]\ndash" },
    { name: "that is a comment only", input: "# nothing", text: "[Exit code 0 after T.]\n(no output)" },
    { name: "of blanks only", input: "   \n  ", text: "[Exit code 0 after T.]\n(no output)" },
    {
      name: "says that the first command of its pipe failed",
      input: "sh -c 'echo 1 failed; exit 7' | tail -5",
      text: "[Exit code 0 after T. In its pipe, the first command ended with exit code 7.]\n1 failed",
      data: { exit_code: 0, pipe_exit_codes: [7, 0] },
    },
    {
      name: "says which commands of its pipe failed",
      input: "false | true | (exit 3) | true",
      text: "[Exit code 0 after T. In its pipe, the first command ended with exit code 1, command 3 ended with exit code 3.]\n(no output)",
    },
    { name: "stops what writes to it", input: "yes | head -1", text: "[Exit code 0 after T.]\ny" },
    {
      name: "fails in a pipeline where pipefail is set",
      input: "set -o pipefail; false | cat",
      text: "[Exit code 1 after T. In its pipe, the first command ended with exit code 1.]\n(no output)",
    },
    { name: "finds its standard input at its end", input: "cat; read x; echo $?", text: "[Exit code 0 after T.]\n1" },
    {
      name: "finds no terminal",
      input: "test -t 0 || test -t 1 || test -t 2 || echo none",
      text: "[Exit code 0 after T.]\nnone",
    },
    {
      name: "gets variables",
      input: { command: 'echo "$A|$B"', env: { A: "x  y", B: "'é\n\"" } },
      text: "[Exit code 0 after T.]\nx  y|'é\n\"",
    },
    {
      name: "gets no pager and no prompt",
      input: "echo $GIT_PAGER $PAGER $GIT_TERMINAL_PROMPT",
      text: "[Exit code 0 after T.]\ncat cat 0",
    },
    {
      name: "has no variable that null takes away",
      input: { command: "echo ${PAGER-none} ${TERM-none}", env: { PAGER: null } },
      text: "[Exit code 0 after T.]\nnone dumb",
    },
    {
      name: "may set what is set for it",
      input: { command: "echo $PAGER", env: { PAGER: "less" } },
      text: "[Exit code 0 after T.]\nless",
    },
    {
      name: "that a signal ends",
      input: "kill -SEGV $$",
      text: "[Ended by SIGSEGV after T; not sent by this tool.]\n(no output)",
      data: { status: "signaled", exit_code: null, signal: "SIGSEGV" },
    },
    {
      name: "says of bytes that are no UTF-8 that it cannot show them",
      input: "printf 'a\\xff\\xfeb\\xc3'",
      text: "[Exit code 0 after T.]\na\uFFFD\uFFFDb\uFFFD\n[\uFFFD stands for bytes that are not UTF-8, unless the program printed it itself. To read them, have the program print UTF-8 (on Windows: chcp.com 65001 before it, or its own option, such as PYTHONUTF8=1), or convert its output with iconv.]",
    },
    {
      name: "shows characters of several bytes",
      input: "printf 'é😀 \\xe2\\x82\\xac'",
      text: "[Exit code 0 after T.]\né😀 €",
    },
    {
      name: "shows no escape sequences",
      input: "printf '\\033[1;31mred\\033[0m \\033]0;title\\007\\033]8;;http://x\\033\\\\link\\033]8;;\\033\\\\'",
      text: "[Exit code 0 after T.]\nred link",
    },
    {
      name: "shows the last state of a progress line",
      input: "for i in 1 50 100; do printf '\\r%3d%%' $i; done; echo",
      text: "[Exit code 0 after T.]\n100%",
    },
    { name: "that closes its output", input: "exec >&- 2>&-; exit 4", text: "[Exit code 4 after T.]\n(no output)" },
    {
      name: "of a megabyte",
      input: `x='${"y".repeat(1_000_000)}'\necho \${#x}`,
      text: "[Exit code 0 after T.]\n1000000",
    },
    {
      name: "under the names of other systems",
      input: { cmd: "pwd -P | xargs basename", cwd: "sub" },
      text: "[Exit code 0 after T.]\nsub",
    },
    {
      name: "in a folder below",
      input: { command: "cat here.txt", workdir: "sub" },
      text: "[Exit code 0 after T.]\nbelow",
    },
    {
      name: "in the workspace by its own name for it",
      input: { command: "ls", workdir: "." },
      text: "[Exit code 0 after T.]\nsub",
    },
  ];
  test.each(cases)("$name", async ({ input, text, data = {} }) => {
    const told = await exec(await openWorkspace({ "sub/here.txt": "below\n" }), input);
    expect(told.text).toBe(text);
    expect(told.data).toMatchObject(data);
    expect(told.data).not.toHaveProperty("process_id");
  });

  const failures: { name: string; command: string; code: number; says: RegExp }[] = [
    {
      name: "a program that is not there",
      command: "no-such-program-here",
      code: 127,
      says: /no-such-program-here: command not found/,
    },
    { name: "a file that is no program", command: "./sub", code: 126, says: /Is a directory/ },
    { name: "a syntax error", command: "if then", code: 2, says: /syntax error/ },
    { name: "a quote that never ends", command: "echo 'a", code: 2, says: /unexpected EOF/ },
  ];
  test.each(failures)("$name is a result, not an error", async ({ command, code, says }) => {
    const { text, data } = await exec(await openWorkspace({ "sub/a": "" }), command);
    expect(data).toMatchObject({ status: "exited", exit_code: code });
    expect(text).toMatch(says);
  });

  it("gives both streams", async () => {
    const { text } = await exec(await openWorkspace(), "echo out; echo err >&2; echo out again; echo err again >&2");
    expect(text.split("\n").slice(1).sort()).toEqual(["err", "err again", "out", "out again"]);
  });

  it("does not hand on the tokens of this process", async () => {
    process.env["MY_API_TOKEN"] = "secret-value";
    onTestFinished(() => void delete process.env["MY_API_TOKEN"]);
    expect((await exec(await openWorkspace(), "env")).text).not.toContain("secret-value");
  });

  it("says that what it started goes on, and waits for none of it", async () => {
    const workspace = await openWorkspace();
    const { text, data } = await exec(
      workspace,
      `(${pidTo("pid").replace("$$", "$BASHPID")}; exec sleep 1000) & while [ ! -s pid ]; do :; done; echo started`,
    );
    expect(text).toBe("[Exit code 0 after T. Processes it started still run.]\nstarted");
    expect(data).toMatchObject({ status: "exited", exit_code: 0, left_running: true });
    const pid = await pidIn(workspace, "pid");
    expect(isRunning(pid)).toBe(true);
    await workspace.processes.closeAll();
    expect(isRunning(pid)).toBe(false);
  });

  it("runs beside others: each gets its own output", async () => {
    const workspace = await openWorkspace();
    const texts = await Promise.all(Array.from({ length: 20 }, (_, index) => exec(workspace, `echo ${index}`)));
    expect(texts.map(({ text }) => text.split("\n")[1])).toEqual(
      Array.from({ length: 20 }, (_, index) => String(index)),
    );
  });
});

describe("what cannot be started is an error", () => {
  const cases: { name: string; input: object; type: string; message: RegExp }[] = [
    { name: "no command", input: {}, type: "invalid_input", message: /command: required/ },
    { name: "an empty command", input: { command: "" }, type: "invalid_input", message: /command/ },
    { name: "a command that is no text", input: { command: { ls: true } }, type: "invalid_input", message: /command/ },
    { name: "a NUL", input: { command: "echo a\0b" }, type: "invalid_input", message: /NUL/ },
    {
      name: "a NUL in a variable",
      input: { command: "true", env: { A: "\0" } },
      type: "invalid_input",
      message: /env: "A"/,
    },
    {
      name: "a variable with = in its name",
      input: { command: "true", env: { "A=B": "c" } },
      type: "invalid_input",
      message: /env: "A=B"/,
    },
    {
      name: "a variable without a name",
      input: { command: "true", env: { "": "c" } },
      type: "invalid_input",
      message: /env: ""/,
    },
    {
      name: "a variable that is a number",
      input: { command: "true", env: { A: 1 } },
      type: "invalid_input",
      message: /env/,
    },
    {
      name: "a folder that is not there",
      input: { command: "true", workdir: "missing" },
      type: "not_found",
      message: /missing/,
    },
    {
      name: "a file as folder",
      input: { command: "true", workdir: "a.txt" },
      type: "invalid_input",
      message: /^a\.txt is a file; a command runs in a folder\.$/,
    },
    {
      name: "a folder outside",
      input: { command: "true", workdir: "../.." },
      type: "outside_workspace",
      message: /\.\./,
    },
    {
      name: "a time below nothing",
      input: { command: "true", timeout: -1 },
      type: "invalid_input",
      message: /timeout/,
    },
    {
      name: "a time of more than a day",
      input: { command: "true", timeout: 86_401_000 },
      type: "invalid_input",
      message: /timeout/,
    },
    { name: "a field there is not", input: { command: "true", shell: "zsh" }, type: "invalid_input", message: /shell/ },
    {
      name: "the user's shell, where there is none",
      input: { command: "true", terminal: true },
      type: "unavailable",
      message: /No user terminal is available/,
    },
  ];
  test.each(cases)("$name", async ({ input, type, message }) => {
    const workspace = await openWorkspace({ "a.txt": "a" });
    const error = failed(await workspace.call("exec", input));
    expect(error.type).toBe(type);
    expect(error.message).toMatch(message);
    expect(workspace.processes.list()).toEqual([]);
  });

  it("the top of a workspace with several folders, which has no folder", async () => {
    const workspace = await openWorkspace({ "a.txt": "a" }, { name: "one", outside: { "b.txt": "b" } });
    const several = await openWorkspace(
      { "a.txt": "a" },
      { name: "one", roots: [{ path: workspace.outside, name: "two" }] },
    );
    expect(failed(await several.call("exec", { command: "ls" }))).toMatchObject({
      type: "invalid_input",
      hint: "Name the folder to run in as workdir: one, two.",
    });
    expect((await exec(several, { command: "ls", workdir: "two" })).text).toBe("[Exit code 0 after T.]\nb.txt");
  });

  it("a folder on no disk", async () => {
    const workspace = await openWorkspace({ "a.txt": "a" }, { host: "memory" });
    expect(failed(await workspace.call("exec", { command: "ls" }))).toMatchObject({
      type: "unavailable",
      message: ". is not on a local disk, so no command can run there.",
    });
  });
});

onPosix("a tool typed as a command", () => {
  const PATCH = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch\n";

  test.each([
    { what: "as Codex does", command: `apply_patch <<'EOF'\n${PATCH}EOF` },
    { what: "in a folder", command: `cd src && apply_patch <<'EOF'\n${PATCH}EOF` },
    { what: "as an argument", command: `applypatch '${PATCH}'` },
  ])("a patch is answered with the tool, and nobody is asked, $what", async ({ command }) => {
    const workspace = await openWorkspace({});
    const { type, message } = failed(await workspace.call("exec", { command }, { as: "model" }));
    expect(type).toBe("invalid_input");
    expect(message).toContain("apply_patch is a tool, not a command: call it with the lines");
    expect(workspace.asked).toEqual([]);
  });

  test("text about a patch is none", async () => {
    const { text } = await exec(await openWorkspace({}), "echo 'apply_patch takes *** Begin Patch'", "model");
    expect(text).toContain("apply_patch takes *** Begin Patch");
  });

  test("programs that are not installed are answered with what does their work", async () => {
    const workspace = await openWorkspace({ "log.txt": "bash: line 1: rg: command not found\n" });
    const run = async (command: string): Promise<string> =>
      result(await workspace.call("exec", { command }, { as: "model", answer: true })).text;
    expect(await run("PATH=/nowhere; fd x; rg TODO")).toMatch(
      /^fd is not installed\. The tool glob finds files\. rg is not installed\. The tool grep searches as it does\.\n\[Exit code 127/,
    );
    expect(await run("PATH=/nowhere; no_such_program")).toMatch(/^\[Exit code 127/);
    expect(await run("cat log.txt")).toMatch(/^\[Exit code 0/);
  });
});

onPosix("a command that goes on", () => {
  it("is ended at the minimum where less was given, which is said, and what it had written is kept", async () => {
    const workspace = await openWorkspace();
    const { text, data } = await exec(workspace, {
      command: `${pidTo("pid")}; echo before; exec sleep 1000`,
      timeout: 0.5,
    });
    expect(text).toBe(
      "[timeout=0.5 was raised to the minimum of 10 s.]\n[Timed out after T: ended with SIGTERM. Its output until then is below.]\nbefore",
    );
    expect(data).toMatchObject({ status: "timeout", exit_code: null, signal: "SIGTERM", left_running: false });
    expect(isRunning(await pidIn(workspace, "pid"))).toBe(false);
  });

  it("is ended with all it started when the call is cancelled; what it had written is kept", async () => {
    const workspace = await openWorkspace();
    const abort = new AbortController();
    const call = workspace.call(
      "exec",
      { command: `sleep 1000 & echo before; ${pidTo("pid")}; wait` },
      { signal: abort.signal },
    );
    const pid = await pidIn(workspace, "pid");
    abort.abort();
    const { text, data } = result<ExecData>(await call);
    expect(timeless(text)).toBe("[Stopped after T with SIGTERM. Its output until then is below.]\nbefore");
    expect(data).toMatchObject({ status: "cancelled", left_running: false });
    expect(isRunning(pid)).toBe(false);
  });

  it("is killed where it does not listen", async () => {
    const workspace = await openWorkspace({}, { times: { kill: 100 } });
    const abort = new AbortController();
    const call = workspace.call(
      "exec",
      { command: `trap '' TERM; echo before; ${pidTo("pid")}; while :; do read -t 1000 <> <(:); done` },
      { signal: abort.signal },
    );
    await pidIn(workspace, "pid");
    abort.abort();
    const { text, data } = result<ExecData>(await call);
    expect(timeless(text)).toBe("[Stopped after T with SIGKILL. Its output until then is below.]\nbefore");
    expect(data).toMatchObject({ status: "cancelled", signal: "SIGKILL" });
  });

  it("keeps what it wrote when it is killed later than any other call is waited for", async () => {
    // Beyond the two seconds that other tools get.
    const workspace = await openWorkspace({}, { times: { kill: 3_000 } });
    const abort = new AbortController();
    const call = workspace.call(
      "exec",
      { command: `trap 'echo heard' TERM; echo before; ${pidTo("pid")}; while :; do sleep 0.1; done` },
      { signal: abort.signal },
    );
    const pid = await pidIn(workspace, "pid");
    abort.abort();
    const { text, data } = result<ExecData>(await call);
    expect(timeless(text)).toMatch(
      /^\[Stopped after T with SIGKILL\. Its output until then is below\.\]\nbefore\n(Terminated\n)?heard/,
    );
    expect(data).toMatchObject({ status: "cancelled", signal: "SIGKILL", left_running: false });
    expect(data.duration_ms).toBeGreaterThan(3_000);
    expect(isRunning(pid)).toBe(false);
  });

  it("tidies up when it is asked to end, and that is told, too", async () => {
    const workspace = await openWorkspace();
    const abort = new AbortController();
    const call = workspace.call(
      "exec",
      { command: `trap 'echo tidied; exit 7' TERM; ${pidTo("pid")}; sleep 1000 & wait` },
      { signal: abort.signal },
    );
    await pidIn(workspace, "pid");
    abort.abort();
    const { text, data } = result<ExecData>(await call);
    expect(text).toMatch(/^\[Stopped after .*\]\ntidied$/);
    expect(data).toMatchObject({ status: "cancelled", exit_code: 7, signal: null });
  });

  it("starts nothing when it was cancelled before", async () => {
    const workspace = await openWorkspace();
    await expect(workspace.call("exec", { command: "touch ran" }, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(await workspace.names()).toEqual([]);
  });
});

onPosix("long output", () => {
  const numbers = Array.from({ length: 60_000 }, (_, index) => `${index + 1}\n`).join("");
  const command = "seq 60000";

  async function pagesOf(workspace: TestWorkspace, id: string): Promise<Page[]> {
    const first = result<Page>(await workspace.call("read_result", { id })).data;
    const rest = Array.from({ length: first.total_pages - 1 }, (_, index) =>
      workspace.call("read_result", { id, page: index + 2 }),
    );
    return [first, ...(await Promise.all(rest)).map((outcome) => result<Page>(outcome).data)];
  }

  it("of a command that shows a text is head and tail of it, whatever the text says of errors", async () => {
    const lines = Array.from({ length: 3_000 }, (_, at) =>
      at % 40 === 7 ? `throw new Error("no ${at}")` : `line ${at}`,
    );
    const { text } = await exec(await openWorkspace({ "a.js": lines.join("\n") }), "cat a.js");
    expect(text.match(/^\[…/gm)).toHaveLength(1);
  });

  it("is shown as head and tail with what is left out in exact numbers, and read_result has the whole", async () => {
    const workspace = await openWorkspace();
    const { text, data } = await exec(workspace, command);
    // No cliff: what does not fit has as much of it as what just fits.
    expect(text.length).toBeGreaterThan(20_000);
    expect(text.length).toBeLessThanOrEqual(24_000);
    const [, head = "", characters, lines, tail = "", note = ""] =
      /^\[Exit code 0 after T\.\]\n([\s\S]*)\[… (\d+) characters in (\d+) lines omitted …\]\n([\s\S]*)\n(\[.*\])$/.exec(
        text,
      ) ?? [];
    expect(numbers.startsWith(head)).toBe(true);
    expect(numbers.endsWith(`${tail}\n`)).toBe(true);
    const left = numbers.slice(head.length, numbers.length - tail.length - 1);
    expect([Number(characters), Number(lines), data.omitted]).toEqual([
      left.length,
      left.split("\n").length - 1,
      left.length,
    ]);
    expect(note).toBe(
      `[${characters} characters in ${lines} lines omitted above. All of it: read_result ${data.result_id} (offset=${head.split("\n").length} continues there), with pattern to search it.]`,
    );
    const pages = await pagesOf(workspace, data.result_id ?? "");
    expect(pages.map(({ content }) => content).join("")).toBe(numbers);
    expect(
      pages.every(
        ({ content, total_chars, complete }) => content.length <= 8_000 && total_chars === numbers.length && complete,
      ),
    ).toBe(true);
  });

  it("is shown at more length if the command failed, or a line looks like an error", async () => {
    const workspace = await openWorkspace();
    for (const more of [`${command}; exit 1`, `${command}; echo 'cannot open x'`]) {
      const { text } = await exec(workspace, more);
      expect(text.length).toBeGreaterThan(8_000);
      expect(text.length).toBeLessThanOrEqual(24_000);
    }
  });

  it("keeps what a test runner reports as failed, wherever it is", async () => {
    const recorded = join(import.meta.dirname, "../../fixtures/output/vitest");
    const workspace = await openWorkspace({});
    const { text, data } = await exec(workspace, `gzip -dc '${recorded}.txt.gz'; exit 1`);
    expect(text.length).toBeLessThanOrEqual(24_000);
    const failures = JSON.parse(readFileSync(`${recorded}.json`, "utf8")) as Record<string, string>[];
    expect(failures.flatMap((failure) => Object.values(failure)).filter((part) => !text.includes(part))).toEqual([]);
    expect(text).toContain("Tests  15 failed | 2385 passed (2400)");
    expect(text).toMatch(
      new RegExp(
        `\\n\\[${data.omitted} characters in \\d+ lines omitted above\\. Every line with the name, message or place of a failure \\(vitest\\) is shown\\. ` +
          `All of it: read_result ${data.result_id}, with pattern to search it\\.\\]$`,
      ),
    );
  });

  it("that is a JSON report is shown as its failures, and read_result has the JSON", async () => {
    const recorded = join(import.meta.dirname, "../../fixtures/output/json/vitest");
    const workspace = await openWorkspace({});
    const { text, data } = await exec(workspace, `gzip -dc '${recorded}.txt.gz'; exit 1`);
    const failures = JSON.parse(readFileSync(`${recorded}.json`, "utf8")) as Record<string, string>[];
    expect(failures.flatMap((failure) => Object.values(failure)).filter((part) => !text.includes(part))).toEqual([]);
    expect(text.length).toBeLessThan(8_000);
    expect(text).toMatch(
      new RegExp(
        `\\n\\[Its JSON is shown as text\\. Every .* \\(JSON report\\) is shown .* ` +
          `All of it: read_result ${data.result_id}, with pattern to search it\\.\\]$`,
      ),
    );
    const page = result<Page>(await workspace.call("read_result", { id: data.result_id })).data;
    expect(page.content.startsWith('{"numTotalTestSuites"')).toBe(true);
    expect(data.omitted).toBe(page.total_chars - text.split("\n").slice(1, -1).join("\n").length);
  });

  describe("that would fit, with much that says nothing", () => {
    const steps = Array.from({ length: 200 }, (_, at) => `[${at + 1}/200] Building CXX object src/part${at}.cc.o`);
    const noise = Array.from({ length: 200 }, (_, at) => `some remark ${at} of a test that writes to its output`);
    const failure = ["src/b.cc:3:1: error: no such thing", "make: *** [Makefile:2: b.o] Error 1"];
    const cases: { name: string; lines: string[]; exit: number; shows: string[]; note: RegExp | undefined }[] = [
      {
        name: "steps that were done",
        lines: ["configured", ...steps, "all done"],
        exit: 0,
        shows: ["configured\n[… 200 lines …]\nall done"],
        note: /in 200 lines omitted above\. All of them say that a test passed or a step was done\. All of it: read_result r/,
      },
      {
        name: "output of tests besides a failure",
        lines: [...noise, ...failure, ...noise],
        exit: 2,
        shows: [...failure, noise[0] ?? "", noise.at(-1) ?? ""],
        note: /Every line with the name, message or place of a failure \(gcc or clang\) is shown\. All of it: read_result r/,
      },
      { name: "no failure that is known", lines: noise, exit: 1, shows: noise, note: undefined },
      {
        name: "a command that succeeded",
        lines: [...noise, ...failure, ...noise],
        exit: 0,
        shows: noise,
        note: undefined,
      },
      { name: "little", lines: steps.slice(0, 80), exit: 0, shows: steps.slice(0, 80), note: undefined },
    ];

    it.each(cases)("$name", async ({ lines, exit, shows, note }) => {
      const workspace = await openWorkspace({ "out.txt": `${lines.join("\n")}\n` });
      const { text, data } = await exec(workspace, `cat out.txt; exit ${exit}`);
      expect(shows.filter((part) => !text.includes(part))).toEqual([]);
      if (note === undefined) {
        expect(text.split("\n").slice(1)).toEqual(lines);
        expect(data.result_id).toBeUndefined();
        return;
      }
      expect(text).toMatch(note);
      expect(text.length).toBeLessThan(7_000);
      const pages = await pagesOf(workspace, data.result_id ?? "");
      expect(pages.map(({ content }) => content).join("")).toBe(`${lines.join("\n")}\n`);
    });
  });

  it("of one line is cut inside it, and no character in two", async () => {
    const workspace = await openWorkspace();
    const { text, data } = await exec(
      workspace,
      "printf 'x'; for i in $(seq 2000); do printf '😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀'; done",
    );
    expect(isWellFormed(text)).toBe(true);
    const pages = await pagesOf(workspace, data.result_id ?? "");
    expect(pages.every(({ content }) => isWellFormed(content))).toBe(true);
    expect(pages.map(({ content }) => content).join("")).toBe(`x${"😀".repeat(60_000)}`);
  });

  it("that just fits is whole, and nothing is stored", async () => {
    const { text, data } = await exec(await openWorkspace(), "head -c 23499 /dev/zero | tr '\\0' x; echo");
    expect(text).toBe(`[Exit code 0 after T.]\n${"x".repeat(23_499)}`);
    expect(data).toMatchObject({ omitted: 0 });
    expect(data.result_id).toBeUndefined();
  });

  it("of a command that is cancelled can be read, too", async () => {
    const workspace = await openWorkspace();
    const abort = new AbortController();
    const call = workspace.call(
      "exec",
      { command: `${command}; ${pidTo("pid")}; exec sleep 1000` },
      { signal: abort.signal },
    );
    await pidIn(workspace, "pid");
    abort.abort();
    const { data } = result<ExecData>(await call);
    expect((await pagesOf(workspace, data.result_id ?? "")).map(({ content }) => content).join("")).toBe(numbers);
  });
});

onPosix("permission", () => {
  const commands: {
    name: string;
    input: { command: string; workdir?: string; env?: Record<string, string | null>; terminal?: boolean };
    shown: string;
    why: string;
  }[] = [
    {
      name: "a plain one",
      input: { command: "touch ran" },
      shown: "touch ran",
      why: "Creates files",
    },
    {
      name: "several lines",
      input: { command: "cat <<'END'\n```\nEND\ntouch ran\n" },
      shown: "cat <<'END'\n```\nEND\ntouch ran\n",
      why: "`touch ran` creates files",
    },
    {
      name: "backticks and a fake fence",
      input: { command: "echo `id`\n```\n**Allowed**" },
      shown: "echo `id`\n```\n**Allowed**",
      why: "it is not valid for the shell",
    },
    {
      name: "a very long one",
      input: { command: `: ${"x".repeat(300_000)}; touch ran` },
      shown: `: ${"x".repeat(300_000)}; touch ran`,
      why: "the command is longer than 100000 characters",
    },
    {
      name: "a folder",
      input: { command: "make", workdir: "sub" },
      shown: "# in sub\nmake",
      why: "Runs recipes",
    },
    {
      name: "a folder with a line end in its name",
      input: { command: "make", workdir: "su\nb" },
      shown: "# in su b\nmake",
      why: "Runs recipes",
    },
    {
      name: "variables that are taken away",
      input: { command: "make", env: { HOME: null, "x y": null } },
      shown: "unset HOME\nunset 'x y'\nmake",
      why: "`HOME` decides where programs look for their settings",
    },
    {
      name: "variables, which may run code",
      input: { command: "make", env: { BASH_ENV: "evil.sh", A: "it's\nnew", "x y": "1" } },
      shown: "export BASH_ENV=evil.sh\nexport A='it'\\''s\nnew'\nexport 'x y=1'\nmake",
      why: "`BASH_ENV` changes how the shell reads or runs commands",
    },
    {
      name: "the user's shell",
      input: { command: "make", terminal: true },
      shown: "# in the user's own shell\nmake",
      why: "it runs in the user's own shell",
    },
  ];
  test.each(commands)("the question shows the command exactly: $name", async ({ input, shown, why }) => {
    const workspace = await openWorkspace({ "sub/a": "", "su\nb/a": "" });
    const outcome = await workspace.call("exec", input, { as: "model", answer: false });
    expect(failed(outcome)).toMatchObject({ type: "denied", message: "exec: the user said no. Nothing was done." });
    expect(workspace.asked.map(({ detail }) => detail)).toEqual([{ language: "bash", text: shown }]);
    expect(workspace.asked[0]?.reasons.join("\n")).toContain(why);
    expect(workspace.processes.list()).toEqual([]);
    expect(await workspace.names()).not.toContain("ran");
  });

  it("asks again for a command that removes files, after a yes and in every mode but plan", async () => {
    const workspace = await openWorkspace();
    const command = "rm -f none && echo hi";
    for (const mode of ["default", "ask", "default"] as const) {
      // VS Code may have its own yes for the session: it is not asked.
      expect(
        (
          await workspace.prepare(
            "exec",
            { command },
            { as: "model", answer: true, session: "s", inAdvance: true, mode },
          )
        ).question,
      ).toBeUndefined();
      expect(
        timeless(
          result(
            await workspace.call(
              "exec",
              { command },
              { as: "model", answer: true, session: "s", inAdvance: true, mode },
            ),
          ).text,
        ),
      ).toBe("[Exit code 0 after T.]\nhi");
    }
    expect(workspace.asked.map(({ detail }) => detail.text)).toEqual([command, command, command]);
  });

  it("is denied where nobody can be asked", async () => {
    const workspace = await openWorkspace();
    expect(failed(await workspace.call("exec", { command: "install -d ran" }, { as: "model" }))).toMatchObject({
      type: "denied",
      message: "exec needs the user's permission, and no one can be asked here.",
    });
    expect(await workspace.names()).toEqual([]);
  });

  const refusals = [
    { name: "plan mode", options: {}, mode: "plan", type: "denied" },
    { name: "Restricted Mode", options: { trusted: false }, mode: "default", type: "untrusted" },
  ] as const;
  test.each(refusals)("$name refuses without a question", async ({ options, mode, type }) => {
    const workspace = await openWorkspace({}, options);
    for (const [tool, input] of [
      ["exec", { command: "touch ran" }],
      ["exec", { command: "touch ran", background: true }],
      ["process", { action: "input", process_id: "p1", input: "touch ran\n" }],
    ] as const) {
      expect(failed(await workspace.call(tool, input, { as: "model", answer: true, mode })).type).toBe(type);
    }
    expect(workspace.asked).toEqual([]);
    expect(await workspace.names()).toEqual([]);
  });

  it("a secret folder to run in is named", async () => {
    const workspace = await openWorkspace({ ".ssh/config": "" });
    await workspace.call("exec", { command: "ls", workdir: ".ssh" }, { as: "model", answer: false });
    expect(workspace.asked[0]?.reasons.join(" ")).toMatch(/Reads \.ssh/);
  });
});

describe.each(hosts)("on the %s host", (host) => {
  it("read_result knows no result that is not there", async () => {
    const workspace = await openWorkspace({}, { host });
    expect(failed(await workspace.call("read_result", { id: "r0123456789ab" })).type).toBe("unknown_id");
  });
});

onPosix("a command that goes on", () => {
  /** Writers of pipes that commands read from until the test closes them. */
  const endOf = async (workspace: TestWorkspace, pipe = "pipe"): Promise<() => Promise<void>> => {
    const writer = await open(join(workspace.folder, pipe), "w");
    return () => writer.close();
  };

  test.each<{ what: string; input: object; times: { after: number; afterListening: number }; text: RegExp }>([
    {
      what: "for long",
      input: { command: "echo one; cat pipe" },
      times: { after: 0, afterListening: 100_000 },
      text: /^The command still runs after T, so it goes on in the background as p1, without a time limit\. .*process/,
    },
    {
      what: "silently after it said that it listens",
      input: { command: "echo 'Listening on http://localhost:3000'; cat pipe" },
      times: { after: 100_000, afterListening: 0 },
      text: /^The command listens, so it goes on in the background as p1/,
    },
    {
      what: "silently after it said that it listens, in spite of a time limit",
      input: { command: "echo '  Local:   http://localhost:5173/'; cat pipe", timeout: 600 },
      times: { after: 100_000, afterListening: 0 },
      text: /^The command listens, so it goes on in the background as p1/,
    },
  ])("$what is handed over as a process", async ({ input, times, text }) => {
    const workspace = await openWorkspace({}, { times });
    await workspace.makePipe("pipe");
    const ending = endOf(workspace);
    const { text: told, data } = await exec(workspace, input, "model");
    expect(told).toMatch(text);
    expect(data).toMatchObject({ status: "background", exit_code: null, process_id: "p1" });
    await (
      await ending
    )();
    const polled = result<{ process: ExecData }>(
      await workspace.call("process", { action: "poll", process_id: "p1", wait_for: "exit" }),
    );
    expect(polled.data.process).toMatchObject({ status: "exited", exit_code: 0, process_id: "p1" });
  });

  test("is shown with the failures that it reported until then, wherever they were", async () => {
    const passed = (at: number): string => `step ${at} of the run was done and there is nothing to say about it\n`;
    const lines = Array.from({ length: 6_000 }, (_, at) => passed(at));
    lines[3_000] = " FAIL  test/a.test.ts > adds up\nAssertionError: expected 3 to be 4\n ❯ test/a.test.ts:3:14\n\n";
    const workspace = await openWorkspace(
      { "long.txt": lines.join("") },
      { times: { after: 100_000, afterListening: 0 } },
    );
    await workspace.makePipe("pipe");
    const ending = endOf(workspace);
    const { text } = await exec(workspace, { command: "cat long.txt; echo 'Listening on :3000'; cat pipe" }, "model");
    expect(text).toContain(
      "\n FAIL  test/a.test.ts > adds up\nAssertionError: expected 3 to be 4\n ❯ test/a.test.ts:3:14\n",
    );
    expect(text).toContain("\nListening on :3000\n[Until now: ");
    expect(text).toMatch(
      / omitted above\. Every line with the name, message or place of a failure \(vitest\) is shown\./,
    );
    expect(text.length).toBeLessThan(7_000);
    await (
      await ending
    )();
  });

  test.each<{ what: string; input: object; as: "model" | "owner" }>([
    { what: "its caller gave it the time", input: { command: "cat pipe", timeout: 600 }, as: "model" },
    { what: "a person waits for it", input: { command: "echo listening on :80; cat pipe" }, as: "owner" },
  ])("is waited for where $what", async ({ input, as }) => {
    const workspace = await openWorkspace({}, { times: { after: 0, afterListening: 0 } });
    await workspace.makePipe("pipe");
    const call = workspace.call("exec", input, { as });
    await (
      await endOf(workspace)
    )();
    expect(result<ExecData>(await call).data).toMatchObject({ status: "exited", exit_code: 0 });
  });

  test("is waited for where another tool stores all of its output", async () => {
    const workspace = await openWorkspace({}, { times: { after: 0, afterListening: 0 } });
    await workspace.makePipe("pipe");
    const call = workspace.call(
      "pipe",
      { tool_name: "exec", tool_input: { command: "cat pipe" }, path: "x.txt" },
      { as: "model" },
    );
    const writer = await open(join(workspace.folder, "pipe"), "w");
    await writer.writeFile("all of it\n");
    await writer.close();
    result(await call);
    expect(result(await workspace.call("context_read", { path: "x.txt" })).text).toContain("all of it");
  });
});

onPosix("wait_for", () => {
  test("starts a command in the background and returns once it has printed what is waited for", async () => {
    const workspace = await openWorkspace({});
    await workspace.makePipe("pipe");
    const call = exec(workspace, { command: "cat pipe", wait_for: "^ready" });
    const writer = await open(join(workspace.folder, "pipe"), "w");
    await writer.writeFile("not ready\nready\n");
    const { text, data } = await call;
    expect(text).toBe("[Running in the background as p1 for T.]\nnot ready\nready");
    expect(data).toMatchObject({ status: "background", process_id: "p1" });
    await writer.close();
  });

  test.each<{ what: string; input: object; text: RegExp }>([
    {
      what: "runs on",
      input: { command: "cat pipe", wait_for: "never", timeout: 0 },
      text: /^wait_for was not met within 0 s\.\n\[Running in the background as p1/,
    },
    {
      what: "has ended",
      input: { command: "echo other; exit 3", wait_for: "never" },
      text: /^wait_for was not met\.\n\[Exit code 3 after T\. \(p1\)\]\nother$/,
    },
    {
      what: "prints what is between slashes",
      input: { command: "echo other; exit 3", wait_for: "/other/" },
      text: /^wait_for was not met\. \/…\/ is matched as it is: write other\.\n\[Exit code 3 after T\. \(p1\)\]\nother$/,
    },
  ])("says that it was not met where the command $what", async ({ input, text }) => {
    const workspace = await openWorkspace({});
    await workspace.makePipe("pipe");
    expect((await exec(workspace, input)).text).toMatch(text);
  });

  test("that cannot match starts nothing", async () => {
    const workspace = await openWorkspace({});
    expect(failed(await workspace.call("exec", { command: "touch x", wait_for: "(a|b" })).type).toBe("invalid_input");
    expect(await workspace.names()).not.toContain("x");
  });
});
