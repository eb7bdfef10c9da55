import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { ToolError } from "../../core/errors.js";
import type { CommandEnd, CommandRequest } from "../../ports/processes.js";
import { plainTerminalText } from "../../text/terminalText.js";
import { AGENT_MARK } from "../node/environment.js";
import { commandHeader } from "./commandHeader.js";
import { bashWord } from "./tasksShell.js";

/** Milliseconds until shell integration has to be there: VS Code itself waits no longer; it mostly takes a third of a second. */
const INTEGRATION_LIMIT = 5_000;
/** Milliseconds that Ctrl+C is given, and the last output after the news of an end. */
const END_LIMIT = 3_000;
/** Milliseconds after the mark of the end until VS Code has to know of it, too: now and then it never does. */
const NEWS_LIMIT = 1_000;
/** Characters of output that are kept, the last ones: ten times what an answer holds. */
const MAX_OUTPUT = 1_000_000;
/** At least the characters of a mark. */
const MARK_LENGTH = 100;

/** A terminal of ours with the user's own shell. */
interface Shell {
  terminal: vscode.Terminal;
  folder: string;
  /** A call of ours runs in it, or its end was never seen. */
  isTaken: boolean;
  /** What somebody, the user perhaps, runs in it now. */
  running: Set<vscode.TerminalShellExecution>;
}

interface Ended {
  /** Undefined when nobody told it. */
  exitCode: number | undefined;
  /** The terminal is gone. */
  isClosed: boolean;
}

/**
 * Runs commands in the user's own shell, by shell integration: with their aliases, functions and environment. A terminal a folder is kept
 * for it, and another one while that is busy.
 *
 * A command is written to a script, and the shell is told to source it in a subshell. Typed in, several lines and parentheses would come
 * back without any sign of their end (microsoft/vscode#250764, #324392), `!` would be history, a tab would complete, an open quote would
 * wait for more, and `exit` would close the user's shell. Marks around the output, which no terminal shows, tell that it began, that it
 * ended and how, also where VS Code does not know the exit code (microsoft/vscode#221399). Nothing is ever run twice, or typed blindly.
 */
export class UsersShell implements vscode.Disposable {
  readonly #shells = new Set<Shell>();
  /** Folders of scripts that a shell may still read. */
  readonly #scripts = new Set<string>();
  readonly #listeners: vscode.Disposable[] = [
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => this.#shellOf(terminal)?.running.add(execution)),
    vscode.window.onDidEndTerminalShellExecution(({ terminal, execution }) => this.#shellOf(terminal)?.running.delete(execution)),
    vscode.window.onDidCloseTerminal((terminal) => {
      const shell = this.#shellOf(terminal);
      if (shell !== undefined) {
        this.#shells.delete(shell);
      }
    }),
  ];

  /**
   * See `Processes.inUsersShell`.
   *
   * @param timeLimit milliseconds from when the shell is ready
   * @throws ToolError `unavailable` without shell integration, `unsupported` for shells other than bash and zsh: nothing has run then.
   * `invalid_input` for what no shell takes
   */
  async run(request: CommandRequest, timeLimit: number, signal: AbortSignal): Promise<{ end: CommandEnd; output: string }> {
    checkRequest(request);
    checkShell();
    const shell = this.#take(request.workdir.absolute);
    try {
      const integration = await this.#integrationOf(shell.terminal, signal);
      shell.terminal.show(true);
      const script = this.#write(request);
      const { end, output, execution, isOver } = await observe(shell.terminal, integration, script, timeLimit, signal);
      if (isOver) {
        this.#remove(script.folder);
        shell.running.delete(execution);
        shell.isTaken = false;
      }
      return { end, output };
    } catch (error) {
      // Nothing has run.
      shell.isTaken = false;
      throw error;
    }
  }

  dispose(): void {
    this.#listeners.forEach((listener) => void listener.dispose());
    for (const folder of [...this.#scripts]) {
      this.#remove(folder);
    }
  }

  #shellOf(terminal: vscode.Terminal): Shell | undefined {
    return [...this.#shells].find((shell) => shell.terminal === terminal);
  }

  /** A terminal in which nothing runs. VS Code sends Ctrl+C before every command: what the user runs there would be ended. */
  #take(folder: string): Shell {
    const free = [...this.#shells].find((shell) => shell.folder === folder && !shell.isTaken && shell.running.size === 0);
    if (free !== undefined) {
      free.isTaken = true;
      return free;
    }
    const terminal = vscode.window.createTerminal({ name: "Toolhost", cwd: folder, iconPath: new vscode.ThemeIcon("tools"), isTransient: true });
    const shell: Shell = { terminal, folder, isTaken: true, running: new Set() };
    this.#shells.add(shell);
    return shell;
  }

  async #integrationOf(terminal: vscode.Terminal, signal: AbortSignal): Promise<vscode.TerminalShellIntegration> {
    const found = terminal.shellIntegration ?? (await integrationOf(terminal, AbortSignal.any([signal, AbortSignal.timeout(INTEGRATION_LIMIT)])));
    if (signal.aborted) {
      throw new ToolError("cancelled", "Cancelled before the shell was ready. Nothing has run.");
    }
    if (found === undefined) {
      throw new ToolError(
        "unavailable",
        `The user's shell (${basename(vscode.env.shell) || "unknown"}) did not report to VS Code within ${INTEGRATION_LIMIT / 1_000} s (shell integration), so an end could not be seen. Nothing has run.`,
        "Run it without terminal.",
      );
    }
    return found;
  }

  #write(request: CommandRequest): Script {
    const folder = mkdtempSync(join(tmpdir(), "toolhost-shell-"));
    this.#scripts.add(folder);
    const script = { folder, path: join(folder, "run"), mark: randomUUID() };
    const command = join(folder, "command");
    writeFileSync(command, `${request.command}\n`, { mode: 0o600 });
    writeFileSync(script.path, scriptText(request, command, script.mark), { mode: 0o600 });
    return script;
  }

  #remove(folder: string): void {
    this.#scripts.delete(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Script {
  folder: string;
  path: string;
  /** In the marks around its output. */
  mark: string;
}

function checkRequest({ command, env }: CommandRequest): void {
  if (command.includes("\0") || Object.values(env).some((value) => value?.includes("\0") === true)) {
    throw new ToolError("invalid_input", "command: holds a NUL character, which no shell takes.");
  }
  const odd = Object.keys(env).find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (odd !== undefined) {
    throw new ToolError("invalid_input", `env: ${JSON.stringify(odd)} is no name of a variable.`);
  }
}

/** By the user's default profile: what VS Code says of a terminal (`state.shell`) is a guess from its processes, and wrong at its start. */
function checkShell(): void {
  const name = basename(vscode.env.shell);
  if ((name !== "bash" && name !== "zsh") || process.platform === "win32") {
    throw new ToolError("unsupported", `The user's shell is ${name || "unknown"}, and commands are written for bash. Nothing has run.`, "Run it without terminal.");
  }
}

/** Subshells: neither `exit` nor `cd` nor a variable reaches the user's shell. The inner one may end in any way, the mark still comes. */
function scriptText({ command, workdir, env }: CommandRequest, file: string, mark: string): string {
  return [
    "(",
    "(",
    `printf '%s\\n' ${bashWord(commandHeader({ command, workdir: workdir.path }))}`,
    `printf '\\033]7777;${mark};start\\007'`,
    `builtin cd -- ${bashWord(workdir.absolute)} || exit`,
    ...Object.entries({ ...env, ...AGENT_MARK }).map(([name, value]) => (value === null ? `unset ${name}` : `export ${name}=${bashWord(value)}`)),
    `. ${bashWord(file)}`,
    ")",
    "toolhost_code=$?",
    `printf '\\033]7777;${mark};%d\\007' "$toolhost_code"`,
    'exit "$toolhost_code"',
    ")",
    "",
  ].join("\n");
}

/** Runs a script and watches it until its end is seen, its time is up or the caller cancels. */
async function observe(
  terminal: vscode.Terminal,
  integration: vscode.TerminalShellIntegration,
  script: Script,
  timeLimit: number,
  signal: AbortSignal,
): Promise<{ end: CommandEnd; output: string; execution: vscode.TerminalShellExecution; isOver: boolean }> {
  const started = performance.now();
  const output = new ShellOutput(script.mark);
  // A blank first keeps it out of the history of most users.
  const execution = integration.executeCommand(` . ${bashWord(script.path)}`);
  const reading = output.read(execution);
  const { ended, dispose } = endOf(terminal, execution, output);
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeLimit)]);
    let seen = await untilAborted(ended, limit);
    const stopped = seen === undefined;
    if (stopped) {
      terminal.sendText("\x03", false);
      seen = await untilAborted(ended, AbortSignal.timeout(END_LIMIT));
    }
    const isRead = output.exitCode !== undefined || (seen !== undefined && (await untilAborted(reading.then(() => true), AbortSignal.timeout(END_LIMIT))) === true);
    const exitCode = output.exitCode ?? seen?.exitCode;
    return { end: { ...outcome(), duration: performance.now() - started, leftRunning: undefined }, output: output.text(), execution, isOver: seen !== undefined };

    function outcome(): Pick<CommandEnd, "status" | "exitCode" | "signal"> {
      if (seen !== undefined && stopped) {
        return { status: signal.aborted ? "cancelled" : "timeout", exitCode: undefined, signal: seen.isClosed ? undefined : "SIGINT" };
      }
      if (seen?.isClosed === true && output.exitCode === undefined) {
        return { status: "cancelled", exitCode: undefined, signal: undefined };
      }
      if (seen === undefined || exitCode === undefined || !isRead || !output.hasBegun) {
        return { status: "unobserved", exitCode: undefined, signal: undefined };
      }
      return { status: "exited", exitCode, signal: undefined };
    }
  } finally {
    dispose();
  }
}

/** Resolves when VS Code says that it has ended, its terminal is gone, or its last mark was read and VS Code still says nothing. */
function endOf(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution, output: ShellOutput): { ended: Promise<Ended>; dispose: () => void } {
  const listeners: vscode.Disposable[] = [];
  const ended = new Promise<Ended>((resolve) => {
    listeners.push(
      vscode.window.onDidEndTerminalShellExecution((event) => {
        if (event.execution === execution) {
          resolve({ exitCode: event.exitCode, isClosed: false });
        }
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) {
          resolve({ exitCode: undefined, isClosed: true });
        }
      }),
    );
    void output.ended.then(() => {
      const timer = setTimeout(() => resolve({ exitCode: undefined, isClosed: false }), NEWS_LIMIT);
      listeners.push({ dispose: () => clearTimeout(timer) });
    });
  });
  return { ended, dispose: () => listeners.forEach((listener) => void listener.dispose()) };
}

/** What comes out of the shell: the output between the marks. */
class ShellOutput {
  readonly #mark: RegExp;
  #held = "";
  #dropped = 0;
  #tellEnd: () => void = () => undefined;
  /** Resolves when the mark behind the output was read. */
  readonly ended = new Promise<void>((resolve) => (this.#tellEnd = resolve));
  hasBegun = false;
  /** As the mark says. */
  exitCode: number | undefined;

  constructor(mark: string) {
    this.#mark = new RegExp(`\\x1b\\]7777;${mark};(start|\\d+)\\x07`, "g");
  }

  /** Reads to the end. Has to be called at once, or what comes first is lost (microsoft/vscode#237208). */
  async read(execution: vscode.TerminalShellExecution): Promise<void> {
    for await (const data of execution.read()) {
      this.#take(data);
    }
  }

  #take(data: string): void {
    if (this.exitCode !== undefined) {
      return;
    }
    // A mark may come in two pieces.
    this.#mark.lastIndex = Math.max(0, this.#held.length - MARK_LENGTH);
    this.#held += data;
    for (let found = this.#mark.exec(this.#held); found !== null; found = this.#mark.exec(this.#held)) {
      this.#mark.lastIndex = 0;
      if (found[1] === "start") {
        this.hasBegun = true;
        this.#held = this.#held.slice(found.index + found[0].length);
      } else {
        this.#held = this.#held.slice(0, found.index);
        this.exitCode = Number(found[1]);
        this.#tellEnd();
      }
    }
    if (this.#held.length > 2 * MAX_OUTPUT) {
      const from = this.#held.indexOf("\n", this.#held.length - MAX_OUTPUT) + 1 || this.#held.length - MAX_OUTPUT;
      this.#dropped += from;
      this.#held = this.#held.slice(from);
    }
  }

  /** Plain text, its end when there was too much. */
  text(): string {
    const text = plainTerminalText(this.#held);
    return this.#dropped === 0 ? text : `[${this.#dropped} characters before this were not kept.]\n${text}`;
  }
}

async function integrationOf(terminal: vscode.Terminal, signal: AbortSignal): Promise<vscode.TerminalShellIntegration | undefined> {
  const listeners: vscode.Disposable[] = [];
  const found = new Promise<vscode.TerminalShellIntegration | undefined>((resolve) => {
    listeners.push(
      vscode.window.onDidChangeTerminalShellIntegration((event) => {
        if (event.terminal === terminal) {
          resolve(event.shellIntegration);
        }
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) {
          resolve(undefined);
        }
      }),
    );
  });
  try {
    return await untilAborted(found, signal);
  } finally {
    listeners.forEach((listener) => void listener.dispose());
  }
}

/** What a promise gives, or undefined once the signal is aborted. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) {
    return undefined;
  }
  let stop: (() => void) | undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop !== undefined) {
      signal.removeEventListener("abort", stop);
    }
  }
}
