import { ToolError } from "../../core/errors.js";
import type { MatchCollector } from "./events.js";
import { badRequest } from "./ripgrep.js";

/** Maximum characters of ripgrep's output that an error quotes. */
const MAX_QUOTED = 200;

/** How a ripgrep run that was not stopped ended, as the system reports it. */
export interface RipgrepEnd {
  /** Exit code; null when a signal ended it. */
  code: number | null;
  killedBy: string | null;
  /** Its standard error. */
  errors: string;
  /** Whether the last line of its output is incomplete. */
  isCut: boolean;
  /** The program that was started. */
  path: string;
}

/**
 * Returns the exit code of a run that completed: 0, 1, or 2 with ripgrep's own message. Anything else could be mistaken
 * for "nothing found".
 *
 * @throws ToolError `io_error` for every other end
 */
export function checkedExit({ code, killedBy, errors, isCut, path }: RipgrepEnd): 0 | 1 | 2 {
  if ((code === 0 || code === 1) && !isCut) {
    return code;
  }
  if (code === 2 && !isCut && saysWhy(errors)) {
    return code;
  }
  const how = killedBy === null ? `with exit code ${code}` : `by the signal ${killedBy}`;
  throw brokenOff(isCut && code !== null && code < 2 ? "in the middle of its output" : how, errors, path);
}

/**
 * Checks the end of a run with `--json`. Does nothing if it was stopped (`exitCode` undefined).
 *
 * @throws ToolError `invalid_input` for a bad pattern or glob, `io_error` if ripgrep ended without its summary
 */
export function checkMatches(matches: MatchCollector, exitCode: number | undefined, errors: string): void {
  const bad = exitCode === 2 ? badRequest(errors) : undefined;
  if (bad !== undefined) {
    throw bad;
  }
  if (exitCode !== undefined && (!matches.hasEnded || matches.isGarbled)) {
    throw brokenOff(exitCode === 2 ? "with exit code 2" : "in the middle of its output", errors);
  }
}

/**
 * Does the same for a list of names: an error about a single file or folder is not a failure, but an error in the
 * arguments is.
 */
export function checkListing(exitCode: number | undefined, errors: string): void {
  const bad = exitCode === 2 ? badRequest(errors) : undefined;
  if (bad !== undefined) {
    throw bad;
  }
  if (
    exitCode === 2 &&
    /^rg: (unrecognized flag|missing value for flag|error parsing flag|invalid |unexpected )/m.test(errors)
  ) {
    throw brokenOff("with exit code 2", errors);
  }
}

function saysWhy(errors: string): boolean {
  return /^rg: ./m.test(errors);
}

function brokenOff(how: string, errors: string, path?: string): ToolError {
  const said = errors.trim().split("\n")[0]?.slice(0, MAX_QUOTED) ?? "";
  const program = path === undefined ? "" : ` The program is ${path}.`;
  return new ToolError(
    "io_error",
    `ripgrep ended ${how}, before the search was complete, so what matches is unknown.${said === "" ? "" : ` It wrote: ${said}`}`,
    `Search again, in a smaller folder or with include; if it fails again, the installed ripgrep is damaged or memory is short.${program}`,
  );
}
