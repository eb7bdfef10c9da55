import { basename } from "node:path";
import * as vscode from "vscode";
import { ToolError } from "../../../core/errors.js";
import type { CommandEnd, CommandRequest } from "../../../ports/processes.js";
import { ShellOutput } from "./shellOutput.js";
import { ShellScript } from "./shellScript.js";
import { bashWord } from "../tasks/shell.js";

/**
 * How long to wait for shell integration, in ms. It usually takes about 300 ms, but start files or a busy machine can make
 * it take many times as long.
 */
const INTEGRATION_LIMIT = 20_000;
/** The same where VS Code does not inject it, so that it comes only if the user's own start files load it. */
const OWN_INTEGRATION_LIMIT = 5_000;
/**
 * How long the shell may take to begin the script, in ms. After that it is prevented from doing so: nothing has run
 * then.
 */
const START_LIMIT = 15_000;
/** How long to wait after Ctrl+C, in ms. */
const STOP_LIMIT = 3_000;
/** How long to read the last output after the end, in ms. */
const READ_LIMIT = 10_000;
/** How long after the end to wait for VS Code to report it, in ms: occasionally it never does. */
const NEWS_LIMIT = 1_000;

/** One of our terminals with the user's own shell. */
interface Shell {
  terminal: vscode.Terminal;
  folder: string;
  /** Whether one of our calls is running in it, or its end was never seen. */
  isTaken: boolean;
  /** Commands that somebody, perhaps the user, is running in it now. */
  running: Set<vscode.TerminalShellExecution>;
}

interface Ended {
  /** As VS Code reports it; undefined if it does not. */
  exitCode: number | undefined;
  /** Whether the terminal is gone. */
  isClosed: boolean;
  /** Whether VS Code has reported the end or shown its mark: the terminal can then be used again. */
  isSeen: boolean;
}

/**
 * Runs commands in the user's own shell through shell integration: with their aliases, functions and environment. It
 * keeps one terminal per folder, and opens another while that is busy.
 *
 * A command is written to a script, and the shell is told to source it in a subshell. If typed in directly, a command
 * of several lines or with parentheses would give no sign of when it ended (microsoft/vscode#250764, #324392), `!`
 * would expand history, a tab would complete, an open quote would wait for more, and `exit` would close the user's
 * shell. Invisible marks around the output show where it begins and ends. The script's own files show that it started,
 * that it ended and how, even if VS Code does not know the exit code (microsoft/vscode#221399) or, on a busy machine,
 * reports nothing. Nothing is ever run twice, or typed blindly.
 */
export class UsersShell implements vscode.Disposable {
  readonly #shells = new Set<Shell>();
  /** Scripts that a shell may still read. */
  readonly #scripts = new Set<ShellScript>();
  readonly #listeners: vscode.Disposable[] = [
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) =>
      this.#shellOf(terminal)?.running.add(execution),
    ),
    vscode.window.onDidEndTerminalShellExecution(({ terminal, execution }) =>
      this.#shellOf(terminal)?.running.delete(execution),
    ),
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
   * @param timeLimit in ms, from when the shell starts the script
   * @throws ToolError `unavailable` without shell integration or if the shell does not start the script; `unsupported`
   *   for shells other than bash and zsh; `invalid_input` for a command that no shell accepts. Nothing has run in any
   *   of these cases.
   */
  async run(
    request: CommandRequest,
    timeLimit: number,
    signal: AbortSignal,
  ): Promise<{ end: CommandEnd; output: string }> {
    checkRequest(request);
    checkShell();
    const shell = this.#take(request.workdir.absolute);
    try {
      const integration = await this.#integrationOf(shell.terminal, signal);
      shell.terminal.show(true);
      const script = new ShellScript(request);
      this.#scripts.add(script);
      const { end, output, execution, isOver, isFree } = await observe(
        shell.terminal,
        integration,
        script,
        timeLimit,
        signal,
      );
      if (isOver) {
        this.#remove(script);
      }
      if (isFree) {
        shell.running.delete(execution);
        shell.isTaken = false;
      }
      return { end, output };
    } catch (error) {
      // Nothing has run. If the shell did not begin the script, nobody knows what the shell is doing.
      shell.isTaken = error instanceof NotBegun;
      throw error;
    }
  }

  dispose(): void {
    this.#listeners.forEach((listener) => void listener.dispose());
    for (const script of [...this.#scripts]) {
      this.#remove(script);
    }
  }

  #shellOf(terminal: vscode.Terminal): Shell | undefined {
    return [...this.#shells].find((shell) => shell.terminal === terminal);
  }

  /**
   * Returns a terminal in which nothing is running. VS Code sends Ctrl+C before every command, which would end what the
   * user is running there.
   */
  #take(folder: string): Shell {
    const free = [...this.#shells].find(
      (shell) => shell.folder === folder && !shell.isTaken && shell.running.size === 0,
    );
    if (free !== undefined) {
      free.isTaken = true;
      return free;
    }
    const terminal = vscode.window.createTerminal({
      name: "Toolhost",
      cwd: folder,
      iconPath: new vscode.ThemeIcon("tools"),
      isTransient: true,
    });
    const shell: Shell = { terminal, folder, isTaken: true, running: new Set() };
    this.#shells.add(shell);
    return shell;
  }

  async #integrationOf(terminal: vscode.Terminal, signal: AbortSignal): Promise<vscode.TerminalShellIntegration> {
    const isInjected = vscode.workspace.getConfiguration("terminal.integrated.shellIntegration").get("enabled", true);
    const limit = isInjected ? INTEGRATION_LIMIT : OWN_INTEGRATION_LIMIT;
    const found =
      terminal.shellIntegration ??
      (await integrationOf(terminal, AbortSignal.any([signal, AbortSignal.timeout(limit)])));
    if (signal.aborted) {
      throw new ToolError("cancelled", "Cancelled before the shell was ready. Nothing has run.");
    }
    if (found === undefined) {
      throw new ToolError(
        "unavailable",
        `The user's shell (${basename(vscode.env.shell) || "unknown"}) did not report to VS Code within ${limit / 1_000} s (shell integration), so its end could not be observed. Nothing has run.`,
        isInjected
          ? "Run it without terminal."
          : "Run it without terminal. The user has turned the setting terminal.integrated.shellIntegration.enabled off.",
      );
    }
    return found;
  }

  #remove(script: ShellScript): void {
    this.#scripts.delete(script);
    script.remove();
  }
}

/** Thrown if the shell was told to run a command but did not, and never will. */
class NotBegun extends ToolError {}

function checkRequest({ command, env }: CommandRequest): void {
  if (command.includes("\0") || Object.values(env).some((value) => value?.includes("\0") === true)) {
    throw new ToolError("invalid_input", "command: contains a NUL character, which no shell accepts.");
  }
  const odd = Object.keys(env).find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (odd !== undefined) {
    throw new ToolError("invalid_input", `env: ${JSON.stringify(odd)} is not a variable name.`);
  }
}

/**
 * Checks the user's default profile: VS Code's own information about a terminal (`state.shell`) is guessed from its
 * processes, and wrong at first.
 */
function checkShell(): void {
  const name = basename(vscode.env.shell);
  if ((name !== "bash" && name !== "zsh") || process.platform === "win32") {
    throw new ToolError(
      "unsupported",
      `The user's shell is ${name || "unknown"}, but commands are written for bash. Nothing has run.`,
      "Run it without terminal.",
    );
  }
}

/** Runs a script and watches it until its end is seen, the time is up or the caller cancels. Throws `NotBegun`. */
async function observe(
  terminal: vscode.Terminal,
  integration: vscode.TerminalShellIntegration,
  script: ShellScript,
  timeLimit: number,
  signal: AbortSignal,
): Promise<{
  end: CommandEnd;
  output: string;
  execution: vscode.TerminalShellExecution;
  isOver: boolean;
  isFree: boolean;
}> {
  const output = new ShellOutput(script.mark);
  // A leading space keeps the line out of most users' history.
  const execution = integration.executeCommand(` . ${bashWord(script.path)}`);
  const readings = [output.read(execution)];
  // If VS Code has misread the command line, it reports another execution than the one it returned, and everything
  // arrives there.
  const others = vscode.window.onDidStartTerminalShellExecution((event) => {
    if (event.terminal === terminal && event.execution !== execution) {
      readings.push(output.read(event.execution));
    }
  });
  const watching = new AbortController();
  const { ended, dispose } = endOf(terminal, execution, output, script, watching.signal);
  try {
    await begin(script, ended, signal);
    const started = performance.now();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeLimit)]);
    let seen = await untilAborted(ended, limit);
    const stopped = seen === undefined;
    if (stopped) {
      terminal.sendText("\x03", false);
      seen = await untilAborted(ended, AbortSignal.timeout(STOP_LIMIT));
    }
    const duration = performance.now() - started;
    const isOver = seen !== undefined;
    const isRead =
      output.exitCode !== undefined ||
      (seen?.isClosed === false &&
        (await untilAborted(
          Promise.race([Promise.all(readings), output.ended]).then(() => true),
          AbortSignal.timeout(READ_LIMIT),
        )) === true);
    const exitCode = output.exitCode ?? script.exitCode ?? seen?.exitCode;
    return {
      end: { ...outcome(), duration, leftRunning: undefined },
      output: output.text(),
      execution,
      isOver,
      isFree: seen?.isSeen === true || output.exitCode !== undefined,
    };

    function outcome(): Pick<CommandEnd, "status" | "exitCode" | "signal"> {
      if (isOver && stopped) {
        return {
          status: signal.aborted ? "cancelled" : "timeout",
          exitCode: undefined,
          signal: seen?.isClosed === true ? undefined : "SIGINT",
        };
      }
      if (seen?.isClosed === true && exitCode === undefined) {
        return { status: "cancelled", exitCode: undefined, signal: undefined };
      }
      // The exit code may be known even if none of the output is.
      return {
        status: isOver && exitCode !== undefined && isRead && output.hasBegun ? "exited" : "unobserved",
        exitCode: isOver ? exitCode : undefined,
        signal: undefined,
      };
    }
  } finally {
    watching.abort();
    others.dispose();
    dispose();
  }
}

/**
 * Resolves when the shell has started a script. Otherwise prevents the shell from ever starting it, and throws
 * `NotBegun`.
 */
async function begin(script: ShellScript, ended: Promise<Ended>, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  void ended.then(() => over.abort());
  const hasBegun = await script.until(
    () => script.hasBegun,
    AbortSignal.any([signal, over.signal, AbortSignal.timeout(START_LIMIT)]),
  );
  if (!hasBegun && script.prevent()) {
    throw signal.aborted
      ? new NotBegun("cancelled", "Cancelled before the shell started the command. Nothing has run.")
      : new NotBegun(
          "unavailable",
          "The user's shell did not start the command. Nothing has run, and it will not run later.",
          "Run it again, or without terminal.",
        );
  }
}

/**
 * Resolves when VS Code reports the end, the terminal is gone, or the script's own files or its last mark show the end
 * while VS Code still reports nothing.
 */
function endOf(
  terminal: vscode.Terminal,
  execution: vscode.TerminalShellExecution,
  output: ShellOutput,
  script: ShellScript,
  signal: AbortSignal,
): { ended: Promise<Ended>; dispose: () => void } {
  const listeners: vscode.Disposable[] = [];
  const ended = new Promise<Ended>((resolve) => {
    listeners.push(
      vscode.window.onDidEndTerminalShellExecution((event) => {
        if (event.execution === execution) {
          resolve({ exitCode: event.exitCode, isClosed: false, isSeen: true });
        }
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) {
          resolve({ exitCode: undefined, isClosed: true, isSeen: true });
        }
      }),
    );
    const later = (isSeen: boolean): void => {
      const timer = setTimeout(() => resolve({ exitCode: undefined, isClosed: false, isSeen }), NEWS_LIMIT);
      listeners.push({ dispose: () => clearTimeout(timer) });
    };
    void output.ended.then(() => later(true));
    void script.until(() => script.exitCode !== undefined, signal).then((hasEnded) => hasEnded && later(false));
  });
  return { ended, dispose: () => listeners.forEach((listener) => void listener.dispose()) };
}

async function integrationOf(
  terminal: vscode.Terminal,
  signal: AbortSignal,
): Promise<vscode.TerminalShellIntegration | undefined> {
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

/** Returns a promise's value, or undefined once the signal is aborted. */
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
