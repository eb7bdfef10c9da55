import { existsSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../../core/errors.js";

/** Bytes of a command that are given as an argument: Linux takes up to 128 KiB each (MAX_ARG_STRLEN), encoded and with an end. */
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
 * @throws ToolError `unavailable` without a shell
 */
export function shellCall(command: string, isJoined: boolean): ShellCall {
  const file = findShell();
  if (file === undefined) {
    throw new ToolError("unavailable", "There is no shell here that could run a command.", process.platform === "win32" ? "Install Git for Windows, which has bash." : undefined);
  }
  if (Buffer.byteLength(command) <= MAX_ARGUMENT) {
    return { file, args: isJoined ? ["-c", "--", command] : ["-c", 'exec "$0" -c -- "$1" 2>&1', file, command], script: undefined };
  }
  // Read as a whole before it runs, as an argument is; the descriptor is closed for what it runs.
  return { file, args: ["-c", `${isJoined ? "" : "exec 2>&1; "}eval "$(cat <&${SCRIPT_FD})" ${SCRIPT_FD}<&-`], script: command };
}

function findShell(): string | undefined {
  return candidates().find((file) => existsSync(file));
}

function candidates(): string[] {
  if (process.platform !== "win32") {
    return ["/bin/bash", "/usr/bin/bash", "/bin/sh"];
  }
  // Not System32's bash.exe: that is another system (WSL), with other paths.
  return [process.env.ProgramFiles, process.env["ProgramFiles(x86)"], join(process.env.LocalAppData ?? "C:\\", "Programs")]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, "Git", "bin", "bash.exe"));
}
