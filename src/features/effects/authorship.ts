// Which changes are certainly a command's. No system tells an ordinary program which process has written a file, so time and
// place must do: others can be at work in the same files, and what they wrote must not be taken back as the command's.
import { isOutput } from "../../text/builtFile.js";
import type { FileContents } from "./snapshots.js";

/**
 * How long after its start, in ms, changes count as those of a command that is waited for: so short a time is rarely
 * enough to save a file by hand.
 */
export const ALONE = 5_000;
/** How far the time of a change may be before the start, in ms, as the clocks of files are coarse. */
const COARSE = 1_000;

/** When a command ran. */
export interface Period {
  /** In milliseconds since 1970. */
  started: number;
  ended: number;
  /** Whether it ran in the background from its start. */
  inBackground: boolean;
}

/** Whether others may have changed files of the workspace while a command ran. */
export function hadCompany({ started, ended, inBackground }: Period): boolean {
  return inBackground || ended - started >= ALONE;
}

/** Whether others may have made a change that was found after a command, so that undo must not take it back unasked. */
export function mayBeOthers(
  { path, changed, isInIgnored = false }: Pick<FileContents, "path" | "changed" | "isInIgnored">,
  period: Period,
): boolean {
  if (!hadCompany(period) || isOutput(path, isInIgnored)) {
    return false;
  }
  const { started, inBackground } = period;
  // A time before the start is that of a wrong clock, or of what was moved with its folder: it says nothing.
  const isEarly = changed !== undefined && changed >= started - COARSE && changed <= started + ALONE;
  return inBackground || !isEarly;
}
