// Processes shown in real terminals, and commands in the user's own shell.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { ToolError } from "../../../src/core/errors";
import { NodeDisk } from "../../../src/hosts/node/disk/disk";
import { VscodeFiles } from "../../../src/hosts/vscode/files/files";
import { VscodeTerminals } from "../../../src/hosts/vscode/terminal/terminals";
import { UsersShell } from "../../../src/hosts/vscode/terminal/usersShell";
import type { CommandEnd, CommandRequest } from "../../../src/ports/processes";
import type { TerminalControls } from "../../../src/ports/terminals";
import { poll, workspaceFolder } from "../../harness/host";
import { openUnsaved, withSettings, writeFile } from "../tool";

const END: CommandEnd = { status: "exited", exitCode: 0, signal: undefined, duration: 1_200, leftRunning: false };
const NO_CONTROLS: TerminalControls = { input: () => undefined, closeInput: () => undefined, stop: () => undefined };

let count = 0;
function aProcess(more: Partial<Parameters<VscodeTerminals["show"]>[0]> = {}): Parameters<VscodeTerminals["show"]>[0] {
  count++;
  return {
    id: `p${count}`,
    title: "npm test",
    command: "npm test",
    workdir: ".",
    interactive: false,
    background: false,
    ...more,
  };
}

/** Terminals that tests of other files left. */
let earlier: readonly vscode.Terminal[] = [];
/** The terminals that are open, but for those of a test before. */
const open = (): readonly vscode.Terminal[] =>
  vscode.window.terminals.filter((terminal) => terminal.exitStatus === undefined && !earlier.includes(terminal));

/** All that is written to the newest terminal from now on. */
function transcript(): { terminal: vscode.Terminal; text: () => string } {
  const terminal = open().at(-1) ?? assert.fail("no terminal is open");
  const { pty } = terminal.creationOptions as vscode.ExtensionTerminalOptions;
  let text = "";
  pty.onDidWrite((data) => (text += data));
  return { terminal, text: () => text };
}

describe("the terminal of a process", () => {
  let terminals: VscodeTerminals;
  before(() => (earlier = [...vscode.window.terminals]));
  beforeEach(() => (terminals = new VscodeTerminals()));
  afterEach(async () => {
    terminals.dispose();
    await poll("all terminals to close", () => open().length === 0);
  });

  it("shows the command and its folder, the output with its colours, and how it ended", async () => {
    const shown = terminals.show(aProcess({ command: "make all", workdir: "app" }), NO_CONTROLS);
    const { terminal, text } = transcript();
    shown.write("one\n\x1b[32mgreen\x1b[0m\r\nno line end");
    shown.ended({ ...END, exitCode: 3 });
    await poll("the end to be shown", () => text().includes("exit code 3"));
    assert.ok(
      text().includes("\x1b[2m$ make all  (in app)\x1b[0m\r\none\r\n\x1b[32mgreen\x1b[0m\r\nno line end"),
      JSON.stringify(text()),
    );
    assert.match(text(), /\r\n\x1b\[31m\[exit code 3 after 1\.2 s\]\x1b\[0m\r\n$/);
    assert.equal(terminal.exitStatus, undefined);
  });

  it("reads a line that the user types and gives it to the process", async () => {
    const child = spawn("bash", ["-c", 'read name; echo "hello $name"; read name; echo "bye $name"']);
    const shown = terminals.show(aProcess({ interactive: true, background: true }), {
      ...NO_CONTROLS,
      input: (line) => child.stdin.write(line),
    });
    const { terminal, text } = transcript();
    child.stdout.on("data", (data: Buffer) => shown.write(data.toString()));
    child.on("close", (exitCode) => shown.ended({ ...END, exitCode: exitCode ?? undefined }));
    terminal.sendText("Adx\x7fa");
    await poll("the answer", () => text().includes("hello Ada"));
    terminal.sendText("Grace");
    await poll("the end", () => text().includes("bye Grace") && text().includes("exit code 0"));
    assert.ok(text().includes("Adx\b \ba\r\nhello Ada\r\n"), JSON.stringify(text()));
  });

  it("ends the input of a process with Ctrl+D", async () => {
    const child = spawn("cat");
    const shown = terminals.show(aProcess({ interactive: true, background: true }), {
      ...NO_CONTROLS,
      input: (line) => child.stdin.write(line),
      closeInput: () => child.stdin.end(),
    });
    const { terminal, text } = transcript();
    child.stdout.on("data", (data: Buffer) => shown.write(data.toString()));
    child.on("close", (exitCode) => shown.ended({ ...END, exitCode: exitCode ?? undefined }));
    terminal.sendText("no line end\x04\x04", false);
    await poll("the end", () => text().includes("exit code 0"));
    assert.ok(text().includes("no line end^D\r\nno line end"), JSON.stringify(text()));
  });

  it("says once that a process reads nothing", async () => {
    const given: string[] = [];
    terminals.show(aProcess(), {
      ...NO_CONTROLS,
      input: (line) => given.push(line),
      closeInput: () => given.push("closed"),
    });
    const { terminal, text } = transcript();
    terminal.sendText("yes");
    terminal.sendText("yes");
    await poll("the hint", () => text().includes("reads no input"));
    terminal.sendText("\x04", false);
    assert.equal(text().split("reads no input").length, 2);
    assert.deepEqual(given, []);
  });

  for (const [how, act] of [
    ["closing it", (terminal: vscode.Terminal) => terminal.dispose()],
    ["Ctrl+C in it", (terminal: vscode.Terminal) => terminal.sendText("\x03", false)],
  ] as const) {
    it(`stops the process by ${how}`, async () => {
      const child = spawn("sleep", ["1000"]);
      const ended = new Promise<string | null>((resolve) => child.on("close", (_, signal) => resolve(signal)));
      let stopped = 0;
      const shown = terminals.show(aProcess({ background: true }), {
        ...NO_CONTROLS,
        stop: () => {
          stopped++;
          child.kill();
        },
      });
      act(transcript().terminal);
      assert.equal(await ended, "SIGTERM");
      // What comes behind its end goes nowhere, and asks for nothing.
      shown.write("too late\n");
      shown.ended({ ...END, status: "cancelled", exitCode: undefined });
      assert.equal(stopped, 1);
    });
  }

  it("keeps the hands off what the user has not saved, the editor and the terminal in front", async () => {
    await withSettings({ "files.autoSave": "off" }, async () => {
      const document = await openUnsaved(writeFile("terminals/a.txt", "on disk\n"), "typed ");
      await vscode.window.showTextDocument(document);
      const own = vscode.window.createTerminal({ name: "own" });
      own.show(true);
      await poll("the user's terminal in front", () => vscode.window.activeTerminal === own);
      const shown = terminals.show(aProcess(), NO_CONTROLS);
      const { text } = transcript();
      shown.ended(END);
      await poll("the end to be shown", () => text().includes("exit code 0"));
      assert.equal(document.isDirty, true);
      assert.equal(vscode.window.activeTerminal, own);
      assert.equal(vscode.window.activeTextEditor?.document, document);
      own.dispose();
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    });
  });

  it("is one for all commands that follow one another, and few for those side by side", () => {
    for (let at = 0; at < 500; at++) {
      terminals.show(aProcess(), NO_CONTROLS).ended({ ...END, exitCode: at % 3 });
    }
    assert.equal(open().length, 1);
    const running = Array.from({ length: 60 }, () => terminals.show(aProcess(), NO_CONTROLS));
    assert.equal(open().length, 20);
    running.forEach((shown) => shown.ended(END));
    const background = Array.from({ length: 10 }, () => terminals.show(aProcess({ background: true }), NO_CONTROLS));
    background.forEach((shown) => shown.ended(END));
  });

  it("closes all but the newest three whose process has ended", async () => {
    const shown = Array.from({ length: 10 }, (_, at) =>
      terminals.show(aProcess({ background: true, title: `server ${at}` }), NO_CONTROLS),
    );
    shown.forEach((each) => each.ended(END));
    await poll("old terminals to close", () => open().length === 3);
    assert.deepEqual(
      open().map(({ creationOptions }) => creationOptions.name?.replace(/^p\d+ /, "")),
      ["server 7", "server 8", "server 9"],
    );
  });

  it("shows a process that had to wait for a tab as soon as there is one, or the user asks", async () => {
    const running = Array.from({ length: 20 }, () => terminals.show(aProcess(), NO_CONTROLS));
    const waiting = [aProcess(), aProcess()] as const;
    const later = waiting.map((each) => terminals.show(each, NO_CONTROLS));
    later.forEach((each, at) => each.write(`output ${at}\n`));
    assert.equal(open().length, 20);
    assert.equal(terminals.reveal(waiting[1].id), true);
    const { terminal, text } = transcript();
    await poll("the output", () => text().includes("output 1"));
    await poll("the terminal in front", () => vscode.window.activeTerminal === terminal);
    running.slice(0, 2).forEach((each) => each.ended(END));
    const other = transcript();
    await poll("the output", () => other.text().includes("output 0"));
    assert.equal(terminals.reveal("p0"), false);
  });

  it("takes 100 MB at once in bounded memory, and says what it does not show", async () => {
    const shown = terminals.show(aProcess(), NO_CONTROLS);
    const { text } = transcript();
    const chunk = `${"0123456789".repeat(6_553)}\n`;
    for (let at = 0; at < 1_600; at++) {
      shown.write(chunk);
    }
    shown.ended(END);
    await poll("the end to be shown", () => text().includes("exit code 0"));
    assert.match(text(), /\[\d{9} characters came too fast to be shown here\.\]/);
    assert.ok(text().length < 400_000, `${text().length} characters`);
  });
});

describe("the user's own shell", () => {
  const files = new VscodeFiles(new NodeDisk());
  const never = new AbortController().signal;
  let shell: UsersShell;

  before(() => {
    appendFileSync(
      join(homedir(), ".bashrc"),
      "\ngreet() { echo \"hi $1 from my shell\"; }\nalias shout='echo LOUD'\nexport MINE=yes\n",
    );
  });
  beforeEach(() => (shell = new UsersShell()));
  afterEach(async () => {
    shell.dispose();
    open().forEach((terminal) => terminal.dispose());
    await poll("all terminals to close", () => open().length === 0);
  });

  async function run(
    command: string,
    more: Partial<CommandRequest> = {},
    limit = 60_000,
    signal = never,
  ): Promise<{ end: CommandEnd; output: string }> {
    return shell.run(
      { command, workdir: await files.resolve("."), env: {}, interactive: false, title: command, ...more },
      limit,
      signal,
    );
  }

  const cases: [what: string, command: string, exitCode: number, output: string | RegExp][] = [
    ["output and exit code", "echo one; printf '\\033[31mred\\033[0m\\n'; false", 1, "one\nred\n"],
    ["no output", "true", 0, ""],
    ["no line end", "printf 'a b'", 0, "a b"],
    ["the user's functions, aliases and variables", 'greet Ada; shout "$MINE"', 0, "hi Ada from my shell\nLOUD yes\n"],
    ["a here-document", "cat <<'END'\n  it's $HOME\nEND\necho after", 0, "  it's $HOME\nafter\n"],
    ["several lines and a loop", "for each in 1 2; do\n  echo $each\ndone", 0, "1\n2\n"],
    ["parentheses", "(echo inside; exit 4)", 4, "inside\n"],
    ["exit", "echo before; exit 3; echo never", 3, "before\n"],
    ["set -e", "set -e; echo before; false; echo never", 1, "before\n"],
    ["exclamation marks and tabs", "echo 'a!b'\techo !!", 0, "a!b echo !!\n"],
    ["a comment at the end", "echo x # ) done", 0, "x\n"],
    ["an unknown command", "no-such-command-here", 127, /not found/],
    ["20,000 lines", "seq 20000", 0, /^1\n2\n[\s\S]*\n19999\n20000\n$/],
  ];
  for (const [what, command, exitCode, output] of cases) {
    it(`gives ${what}`, async () => {
      const result = await run(command);
      assert.deepEqual(
        { ...result.end, duration: 0 },
        { status: "exited", exitCode, signal: undefined, duration: 0, leftRunning: undefined },
      );
      if (typeof output === "string") {
        assert.equal(result.output, output);
      } else {
        assert.match(result.output, output);
      }
    });
  }

  it("does not wait for the end of an open quote", async () => {
    const { end, output } = await run("echo 'open");
    assert.equal(end.status, "exited");
    assert.notEqual(end.exitCode, 0);
    assert.match(output, /unexpected EOF/);
  });

  it("keeps one terminal a folder, in which nothing of a command remains", async () => {
    await run("cd /; export LEFT=1; greet() { echo gone; }; exit 1");
    assert.equal(
      (await run('pwd; echo "[$LEFT]"; greet Ada')).output,
      `${realpathSync(workspaceFolder())}\n[]\nhi Ada from my shell\n`,
    );
    assert.equal(open().length, 1);
    mkdirSync(join(workspaceFolder(), "docs"), { recursive: true });
    assert.match((await run("pwd", { workdir: await files.resolve("docs") })).output, /\/docs\n$/);
    assert.equal(open().length, 2);
    assert.deepEqual(
      open().map(({ name }) => name),
      ["Toolhost", "Toolhost"],
    );
  });

  it("gives a command its environment, and refuses names that are none", async () => {
    assert.equal((await run('echo "$A"', { env: { A: 'it\'s "$HOME"\n!' } })).output, 'it\'s "$HOME"\n!\n');
    assert.equal((await run('echo "$TOOLHOST_AGENT"', { env: { TOOLHOST_AGENT: "" } })).output, "1\n");
    await assert.rejects(
      run("true", { env: { "A;B": "1" } }),
      (error) => error instanceof ToolError && error.type === "invalid_input",
    );
    await assert.rejects(run("echo \0"), (error) => error instanceof ToolError && error.type === "invalid_input");
  });

  it("ends a command whose time is up, and keeps what it wrote", async () => {
    const { end, output } = await run("echo before; sleep 1000", {}, 3_000);
    assert.deepEqual([end.status, end.exitCode, end.signal], ["timeout", undefined, "SIGINT"]);
    assert.match(output, /^before\n/);
    // The shell is free again.
    assert.equal((await run("echo next")).output, "next\n");
    assert.equal(open().length, 1);
  });

  it("says that the end was not observed where Ctrl+C ends nothing", async () => {
    const { end, output } = await run("trap '' INT; echo stubborn; sleep 1000", {}, 3_000);
    assert.deepEqual([end.status, end.exitCode], ["unobserved", undefined]);
    assert.match(output, /^stubborn\n/);
    // Not in the terminal where it still runs.
    assert.equal((await run("echo next")).output, "next\n");
    assert.equal(open().length, 2);
  });

  it("ends a command that its caller cancels", async () => {
    const marker = join(workspaceFolder(), "started");
    const cancel = new AbortController();
    const running = run("touch started; sleep 1000", {}, 60_000, cancel.signal);
    await poll("the command to run", () => existsSync(marker));
    cancel.abort();
    assert.equal((await running).end.status, "cancelled");
  });

  it("tells that the user closed the terminal", async () => {
    const marker = join(workspaceFolder(), "closing");
    const running = run("touch closing; sleep 1000");
    await poll("the command to run", () => existsSync(marker));
    open()[0]?.dispose();
    assert.deepEqual((({ status, exitCode }) => [status, exitCode])((await running).end), ["cancelled", undefined]);
  });

  it("leaves alone what the user runs in its terminal", async () => {
    await run("true");
    const [first] = open();
    const started = new Promise((resolve) => vscode.window.onDidStartTerminalShellExecution(resolve));
    const own = first?.shellIntegration?.executeCommand("sleep 1000");
    await started;
    let ended = false;
    vscode.window.onDidEndTerminalShellExecution(({ execution }) => (ended ||= execution === own));
    assert.equal((await run("echo elsewhere")).output, "elsewhere\n");
    assert.equal(open().length, 2);
    assert.equal(ended, false);
  });

  it("runs two commands at once in two terminals", async () => {
    const outputs = await Promise.all([run("echo a"), run("echo b")]);
    assert.deepEqual(
      outputs.map(({ output }) => output),
      ["a\n", "b\n"],
    );
    assert.equal(open().length, 2);
  });

  it("says that nothing has run where the shell does not begin, and nothing of it runs later", async () => {
    await run("true");
    const pid = (await open()[0]?.processId) ?? 0;
    process.kill(pid, "SIGSTOP");
    try {
      await assert.rejects(
        run("touch too-late"),
        (error) => error instanceof ToolError && error.type === "unavailable" && /Nothing has run/.test(error.message),
      );
    } finally {
      process.kill(pid, "SIGCONT");
    }
    open()[0]?.sendText(" touch awake");
    await poll("the shell to go on", () => existsSync(join(workspaceFolder(), "awake")));
    assert.equal(existsSync(join(workspaceFolder(), "too-late")), false);
    // Not in the terminal of which nobody knows what it does.
    assert.equal((await run("echo next")).output, "next\n");
    assert.equal(open().length, 2);
  });

  it("waits for a shell whose start files take their time", async () => {
    const home = mkdtempSync(join(tmpdir(), "toolhost-home-"));
    writeFileSync(join(home, ".bashrc"), "sleep 6; from_start_file=yes\n");
    try {
      await withSettings({ "terminal.integrated.env.linux": { HOME: home } }, async () => {
        assert.equal((await run('echo "$from_start_file"')).output, "yes\n");
      });
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  it("runs nothing where the shell does not report, and names the setting that is off", async () => {
    await withSettings({ "terminal.integrated.shellIntegration.enabled": false }, async () => {
      await assert.rejects(
        run("touch never-run"),
        (error) =>
          error instanceof ToolError &&
          error.type === "unavailable" &&
          /Nothing has run/.test(error.message) &&
          /shellIntegration\.enabled off/.test(error.hint ?? ""),
      );
    });
    assert.equal(existsSync(join(workspaceFolder(), "never-run")), false);
  });
});
