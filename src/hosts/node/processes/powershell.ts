import { existsSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../../../core/errors.js";
import type { ShellCall } from "./shell.js";

/** Longest command, in UTF-16 units: Windows takes 32,767 for a whole command line, and each becomes 2.7 characters. */
const MAX_COMMAND = 10_000;

/**
 * What is said of output before the command. Windows PowerShell would show progress as XML among its errors, have
 * programs print in the console's code page, and give them `?` for whatever is not ASCII in what is piped to them.
 */
const BEFORE =
  "$ProgressPreference = 'SilentlyContinue'; $OutputEncoding = [Text.UTF8Encoding]::new($false); try { [Console]::OutputEncoding = $OutputEncoding } catch {}";

/** Passes the exit code of the last command on; PowerShell itself only knows 0 and 1. */
const AFTER = "if ($?) { exit 0 } elseif ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }";

/**
 * Returns the program of PowerShell 7, otherwise that of Windows PowerShell; undefined if there is neither.
 *
 * @param exists whether there is such a file
 */
export function findPowerShell(
  env: Readonly<Record<string, string | undefined>> = process.env,
  exists: (file: string) => boolean = existsSync,
): string | undefined {
  const { ProgramFiles: programs, SystemRoot: system } = env;
  return [
    programs === undefined ? "" : join(programs, "PowerShell", "7", "pwsh.exe"),
    system === undefined ? "" : join(system, "System32", "WindowsPowerShell", "v1.0", "powershell.exe"),
  ].find((file) => file !== "" && exists(file));
}

/**
 * Builds the call for a command: without profiles, which could give names another meaning, and encoded, so that nothing
 * on the way reads its quotes.
 *
 * @throws ToolError `invalid_input` if it is too long
 */
export function powerShellCall(file: string, command: string): ShellCall {
  if (command.length > MAX_COMMAND) {
    throw new ToolError(
      "invalid_input",
      `command: has ${command.length} characters, and PowerShell takes ${MAX_COMMAND} at most.`,
      "Write it to a file with write, and run that.",
    );
  }
  const script = Buffer.from([BEFORE, command, AFTER].join("\n"), "utf16le").toString("base64");
  const args = ["-NoLogo", "-NoProfile", "-NonInteractive", "-OutputFormat", "Text", "-EncodedCommand", script];
  return { file, isBash: false, args, script: undefined, hasOwnErrors: true };
}
