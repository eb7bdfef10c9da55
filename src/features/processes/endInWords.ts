import type { CommandEnd, ManagedProcess } from "../../ports/processes.js";

/** The line with which a command's answer begins. */
export function headline(process: ManagedProcess, now: number): string {
  const { end, background, id } = process;
  if (end === undefined) {
    return `[Running in the background as ${id} for ${seconds(now - process.started)}.]`;
  }
  const left = end.leftRunning === true ? " Processes it started still run." : "";
  return `[${endInWords(end)}${left}${background ? ` (${id})` : ""}]`;
}

/** Describes a command's end: `Exit code 0 after 1.2 s.` */
export function endInWords({
  status,
  exitCode,
  signal,
  duration,
  limit,
  pipeExitCodes,
}: Omit<CommandEnd, "leftRunning">): string {
  const after = `after ${seconds(duration)}`;
  switch (status) {
    case "exited":
      return `Exit code ${exitCode ?? "unknown"}${shellsWords(exitCode)} ${after}.${pipeInWords(pipeExitCodes)}`;
    case "signaled":
      return `Ended by ${signal ?? "a signal"} ${after}; not sent by this tool.`;
    case "timeout":
      return `Timed out ${after}: ended${signal === undefined ? "" : ` with ${signal}`}. Its output until then is below.`;
    case "cancelled":
      return `Stopped ${after}${signal === undefined ? "" : ` with ${signal}`}. Its output until then is below.`;
    case "limited":
      return `Ended ${after}: ${limit ?? "it exceeded a limit"}. Its output until then is below.`;
    case "unobserved":
      return exitCode !== undefined
        ? `Exit code ${exitCode} ${after}. Some or all of its output was not observed.`
        : `Not observed: its end was not seen (${after}). Do not assume it finished, and do not run it again without asking.`;
  }
}

/** What a shell reports for a program that wrote to a pipe which nobody read any more, as in `yes | head`. */
const ENDED_BY_PIPE = 141;
/** Maximum commands of a pipe whose exit codes are named. */
const MAX_NAMED = 3;

/** Says which commands before the last of a pipe failed: a shell reports only the last one's exit code. */
function pipeInWords(codes: readonly number[] = []): string {
  const failed = codes.slice(0, -1).flatMap((code, at) => (code === 0 || code === ENDED_BY_PIPE ? [] : [{ code, at }]));
  if (failed.length === 0) {
    return "";
  }
  const named = failed
    .slice(0, MAX_NAMED)
    .map(({ code, at }) => `${at === 0 ? "the first command" : `command ${at + 1}`} ended with exit code ${code}`);
  const more = failed.length - named.length;
  return ` In its pipe, ${named.join(", ")}${more === 0 ? "" : `, and ${more} more failed`}.`;
}

/**
 * Signals that have the same number on Linux and macOS (signal(7)); shells report them as that number plus 128. Not
 * SIGHUP: 129 is what Git exits with when it is called wrongly.
 */
const SIGNALS: Readonly<Record<number, string>> = {
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
};

/**
 * Explains an exit code above 128 by its meaning in shells. A program may also return such a code for its own reasons.
 */
function shellsWords(exitCode: number | undefined): string {
  const signal = exitCode === undefined ? undefined : SIGNALS[exitCode - 128];
  return signal === undefined ? "" : ` (as a shell reports it: the program was ended by ${signal})`;
}

function seconds(milliseconds: number): string {
  return milliseconds < 10_000 ? `${(milliseconds / 1_000).toFixed(1)} s` : `${Math.round(milliseconds / 1_000)} s`;
}
