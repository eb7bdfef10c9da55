import { constants } from "node:os";
import type { Outcome } from "../../core/outcome.js";
import { commandData, type CommandData } from "../../features/processes/commandData.js";

/** Exit codes of the command line, and of commands without one of their own: the same as timeout(1) and shells use. */
export const EXIT = { ok: 0, toolError: 1, usage: 2, timeout: 124, cancelled: 130, signal: 128 } as const;

/** Explains the exit codes in the help. */
export const EXIT_CODES =
  `Exit code ${EXIT.ok}: done, ${EXIT.toolError}: the tool failed, ${EXIT.usage}: the command line is wrong. exec exits with its command's own code, ` +
  `or with ${EXIT.signal} plus the number of the signal that ended it, ${EXIT.timeout} when it timed out, ${EXIT.cancelled} when it was cancelled.`;

/** Returns the exit code for an outcome: if a command ran, the command's own. */
export function exitCodeOf(outcome: Outcome): number {
  if (!outcome.ok) {
    return EXIT.toolError;
  }
  const command = commandData().safeParse(outcome.data);
  return command.success ? exitCodeOfCommand(command.data) : EXIT.ok;
}

function exitCodeOfCommand({ status, exit_code: code, signal }: CommandData): number {
  switch (status) {
    // A command that was stopped did not succeed, whatever its exit code.
    case "timeout":
      return EXIT.timeout;
    case "limited":
      return EXIT.toolError;
    case "cancelled":
      return EXIT.cancelled;
    case "background":
      return EXIT.ok;
    case "exited":
    case "signaled":
    case "unobserved":
      return code ?? (signal === null ? EXIT.toolError : EXIT.signal + numberOf(signal));
  }
}

function numberOf(signal: string): number {
  return (constants.signals as Record<string, number | undefined>)[signal] ?? 0;
}
