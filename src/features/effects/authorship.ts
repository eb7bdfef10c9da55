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
  /** See `ALONE`. */
  alone: number;
}

/** Whether others may have changed files of the workspace while a command ran. */
export function hadCompany({ started, ended, inBackground, alone }: Period): boolean {
  return inBackground || ended - started >= alone;
}

/**
 * Whether others may have made a change that was found after a command, so that undo must not take it back unasked. What is
 * gone counts as the command's: whoever deleted it, to bring it back loses nothing.
 */
export function mayBeOthers(
  { path, after, changed, isInIgnored = false }: Pick<FileContents, "path" | "after" | "changed" | "isInIgnored">,
  period: Period,
): boolean {
  if (!hadCompany(period) || after === undefined || isOutput(path, isInIgnored)) {
    return false;
  }
  const { started, inBackground, alone } = period;
  // A time before the start is that of a wrong clock, or of what was moved with its folder: it says nothing.
  const isEarly = changed !== undefined && changed >= started - COARSE && changed <= started + alone;
  return inBackground || !isEarly;
}
