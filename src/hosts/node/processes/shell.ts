import { existsSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../../../core/errors.js";
import type { UnaskedLimits } from "../../../features/processes/limits.js";

/**
 * Bytes of a command that are given as an argument: Linux takes up to 128 KiB each (MAX_ARG_STRLEN), encoded and with
 * an end.
 */
const MAX_ARGUMENT = 100_000;

/** The number under which a shell finds a script that is too long for an argument. */
export const SCRIPT_FD = 3;

/** How a command is given to a shell. */
export interface ShellCall {
  file: string;
  args: string[];
  /** To be written to SCRIPT_FD. */
  script: string | undefined;
}

/**
 * The shell's own call of a command.
 *
 * @param isJoined whether standard error is given the same pipe as standard output; else the shell joins them first
 * @param limits what each of its processes may take
 * @throws ToolError `unavailable` without a shell
 */
export function shellCall(command: string, isJoined: boolean, limits?: UnaskedLimits): ShellCall {
  const file = findShell();
  if (file === undefined) {
    throw new ToolError(
      "unavailable",
      "There is no shell here that could run a command.",
      process.platform === "win32" ? "Install Git for Windows, which has bash." : undefined,
    );
  }
  const limiting = limits === undefined || process.platform === "win32" ? "" : setLimits(limits);
  if (Buffer.byteLength(command) <= MAX_ARGUMENT) {
    if (limiting !== "") {
      // By sh, which reads no BASH_ENV: bash would read it twice.
      return {
        file: "/bin/sh",
        args: ["-c", `${limiting}exec "$0" -c -- "$1"${isJoined ? "" : " 2>&1"}`, file, command],
        script: undefined,
      };
    }
    return {
      file,
      args: isJoined ? ["-c", "--", command] : ["-c", 'exec "$0" -c -- "$1" 2>&1', file, command],
      script: undefined,
    };
  }
  // Read as a whole before it runs, as an argument is; the descriptor is closed for what it runs.
  return {
    file,
    args: ["-c", `${limiting}${isJoined ? "" : "exec 2>&1; "}eval "$(cat <&${SCRIPT_FD})" ${SCRIPT_FD}<&-`],
    script: command,
  };
}

/** Seconds of computing that a program has left which ignores that its time is up. */
const KILL_AFTER = 5;

/**
 * Limits of setrlimit(2), which nothing that is started gets rid of. RLIMIT_DATA counts what a process can write to:
 * address space that is only set aside, as engines with a garbage collector do by the gigabyte, is none of it. Where a
 * limit cannot be set, as that of memory on macOS, there is none.
 */
function setLimits({ memory, seconds }: UnaskedLimits): string {
  // Of computing the soft limit comes first: its signal, SIGXCPU, says what happened, where SIGKILL of the hard one
  // would not. It writes no core.
  return `ulimit -d ${Math.floor(memory / 1_024)} 2>/dev/null; ulimit -c 0 2>/dev/null; ulimit -S -t ${seconds} 2>/dev/null; ulimit -H -t ${seconds + KILL_AFTER} 2>/dev/null; `;
}

function findShell(): string | undefined {
  return candidates().find((file) => existsSync(file));
}

function candidates(): string[] {
  if (process.platform !== "win32") {
    return ["/bin/bash", "/usr/bin/bash", "/bin/sh"];
  }
  // Not System32's bash.exe: that is another system (WSL), with other paths.
  return [
    process.env.ProgramFiles,
    process.env["ProgramFiles(x86)"],
    join(process.env.LocalAppData ?? "C:\\", "Programs"),
  ]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, "Git", "bin", "bash.exe"));
}
