import { existsSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../../../core/errors.js";
import type { UnaskedLimits } from "../../../features/processes/limits.js";
import type { WindowsShell } from "../../../names/settings.js";
import type { ProgramCall } from "../../../ports/processes.js";
import { findPowerShell, powerShellCall } from "./powershell.js";

/**
 * Maximum bytes of a command passed as an argument: Linux accepts up to 128 KiB each (MAX_ARG_STRLEN), encoded and with
 * the terminating NUL.
 */
const MAX_ARGUMENT = 100_000;

/** The descriptor from which a shell reads a script that is too long for an argument. */
export const SCRIPT_FD = 3;

/** The descriptor that the filter of system calls of a command's sandbox is read from: the first free one. */
export function filterFd(script: string | undefined): number {
  return script === undefined ? SCRIPT_FD : SCRIPT_FD + 1;
}

/** How a command is passed to a shell. */
export interface ShellCall {
  file: string;
  /** Whether the shell that runs the command is bash. */
  isBash: boolean;
  args: string[];
  /** The script to write to SCRIPT_FD; undefined if it is passed as an argument. */
  script: string | undefined;
  /** What its sandbox reads from `filterFd`. */
  filter?: Buffer;
  /** The environment that it is started with, if it is another than the command's. */
  env?: Record<string, string>;
  /** Whether its standard error needs a pipe of its own, since it cannot join it with its output. */
  hasOwnErrors?: boolean;
  /** Whether all that it starts ends with it, and its exit code tells the signal that ended it. */
  isInNamespace?: boolean;
}

/**
 * Builds the shell invocation for a command.
 *
 * @param hasErrorPipe whether standard error has its pipe, alone or with standard output; otherwise the shell joins them first
 * @param limits for each of its processes
 * @param isForAnyShell whether PowerShell may run it where there is no bash: permission judged it as what runs it
 * @throws ToolError `unavailable` without a shell, `invalid_input` for a command that PowerShell cannot get
 */
export function shellCall(
  command: string,
  hasErrorPipe: boolean,
  limits?: UnaskedLimits,
  isForAnyShell = false,
): ShellCall {
  const powershell = isForAnyShell ? powerShellInUse() : undefined;
  if (powershell !== undefined) {
    return powerShellCall(powershell, command);
  }
  const file = findShell();
  if (file === undefined) {
    throw new ToolError(
      "unavailable",
      "There is no shell here to run commands.",
      process.platform === "win32" ? "Install Git for Windows, which has bash." : undefined,
    );
  }
  const isBash = /bash(\.exe)?$/.test(file);
  const limiting = limits === undefined || process.platform === "win32" ? "" : setLimits(limits);
  if (Buffer.byteLength(command) <= MAX_ARGUMENT) {
    if (limiting !== "") {
      // Started through sh, which does not read BASH_ENV: bash would read it twice.
      return {
        file: "/bin/sh",
        isBash,
        args: ["-c", `${limiting}exec "$0" -c -- "$1"${hasErrorPipe ? "" : " 2>&1"}`, file, command],
        script: undefined,
      };
    }
    return {
      file,
      isBash,
      args: hasErrorPipe ? ["-c", "--", command] : ["-c", 'exec "$0" -c -- "$1" 2>&1', file, command],
      script: undefined,
    };
  }
  // The script is read completely before it runs, like an argument; the descriptor is closed for the programs it runs.
  return {
    file,
    isBash,
    args: ["-c", `${limiting}${hasErrorPipe ? "" : "exec 2>&1; "}eval "$(cat <&${SCRIPT_FD})" ${SCRIPT_FD}<&-`],
    script: command,
  };
}

/**
 * Builds the call of a program, which no shell reads. With limits, sh sets them and becomes the program; the arguments
 * reach it as parameters, which it does not interpret.
 */
export function programCall({ file, args }: ProgramCall, limits?: UnaskedLimits): ShellCall {
  const limiting = limits === undefined || process.platform === "win32" ? "" : setLimits(limits);
  return limiting === ""
    ? { file, isBash: false, args: [...args], script: undefined }
    : { file: "/bin/sh", isBash: false, args: ["-c", `${limiting}exec "$0" "$@"`, file, ...args], script: undefined };
}

/** Seconds of CPU time left to a program that ignores SIGXCPU. */
const KILL_AFTER = 5;

/**
 * Sets limits with setrlimit(2), which no started program can lift. RLIMIT_DATA counts what a process can write to:
 * address space that is only reserved, as garbage-collected engines do by the gigabyte, does not count. A limit that
 * cannot be set, such as memory on macOS, is skipped.
 */
function setLimits({ memory, seconds }: UnaskedLimits): string {
  // For CPU time the soft limit comes first: its signal, SIGXCPU, shows that time ran out, unlike the hard limit's
  // SIGKILL. `ulimit -c 0` keeps it from writing a core file.
  return `ulimit -d ${Math.floor(memory / 1_024)} 2>/dev/null; ulimit -c 0 2>/dev/null; ulimit -S -t ${seconds} 2>/dev/null; ulimit -H -t ${seconds + KILL_AFTER} 2>/dev/null; `;
}

/** The shell of this process, once it was looked up on Windows: what permission judged a command for must run it. */
let found: { file: string | undefined } | undefined;

function findShell(): string | undefined {
  if (process.platform !== "win32") {
    return candidates().find((file) => existsSync(file));
  }
  found ??= { file: candidates().find((file) => existsSync(file)) };
  return found.file;
}

/** The user's choice for this process. */
let choice: WindowsShell = "auto";

/** Chooses the shell for Windows, before any command is judged: what permission judged a command for must run it. */
export function chooseShell(shell: WindowsShell): void {
  choice = shell;
}

/** Returns PowerShell's program, if commands run in it here: on Windows, where the user chose it or there is no bash. */
export function powerShellInUse(): string | undefined {
  return process.platform === "win32" ? preferredPowerShell(choice, findShell(), findPowerShell) : undefined;
}

/**
 * Returns PowerShell's program on Windows if it is preferred to bash.
 *
 * @param bash the program of bash; undefined if there is none
 */
export function preferredPowerShell(
  wanted: WindowsShell,
  bash: string | undefined,
  find: () => string | undefined,
): string | undefined {
  return wanted === "powershell" || (wanted === "auto" && bash === undefined) ? find() : undefined;
}

function candidates(): string[] {
  if (process.platform !== "win32") {
    return ["/bin/bash", "/usr/bin/bash", "/bin/sh"];
  }
  // Excludes System32's bash.exe, which belongs to another system (WSL), with other paths.
  return [
    process.env.ProgramFiles,
    process.env["ProgramFiles(x86)"],
    join(process.env.LocalAppData ?? "C:\\", "Programs"),
  ]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, "Git", "bin", "bash.exe"));
}
