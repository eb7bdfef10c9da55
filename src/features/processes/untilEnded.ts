import type { HandOver, ManagedProcess } from "../../ports/processes.js";
import { shorten } from "../../text/clip.js";
import { saysItListens } from "../../text/saysItListens.js";

/** Maximum characters of a line of output shown as progress. */
const MAX_PROGRESS = 80;
/** Characters before new output that are looked at too: a line may come in parts. */
const BEFORE = 500;

export interface CallLimits {
  /** Milliseconds until the command is killed. */
  limit: number;
  /** Whether only a command that listens is handed over: the caller said how long it waits, or needs its end. */
  mayTakeLong: boolean;
  /** Absent if the command must end with its call. */
  handOver: HandOver | undefined;
}

/**
 * Waits until the process ends; stops it on timeout or when the caller cancels. One that goes on is made a background
 * process instead.
 *
 * @returns a sentence that says why and as what it goes on; undefined if it has ended
 */
export async function untilEnded(
  process: ManagedProcess,
  { limit, mayTakeLong, handOver }: CallLimits,
  signal: AbortSignal,
  report: (progress: { message: string }) => void,
): Promise<string | undefined> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(limit)]);
  const long = handOver === undefined || mayTakeLong ? undefined : AbortSignal.timeout(handOver.after);
  let cursor = process.output(0).next;
  let listens = saysItListens(process.output(0).text);
  while (process.end === undefined && !either.aborted) {
    const silent = listens && handOver !== undefined ? AbortSignal.timeout(handOver.afterListening) : undefined;
    await process.changed(cursor, AbortSignal.any([either, long ?? either, silent ?? either]));
    const part = process.output(cursor);
    if (process.end === undefined && !either.aborted && handOver !== undefined) {
      const isSilent = silent?.aborted === true && part.next === cursor;
      if (isSilent || long?.aborted === true) {
        handOver.keep(process);
        const why = isSilent ? "The command listens" : `The command still runs after ${handOver.after / 1_000} s`;
        return `${why}, so it goes on in the background as ${process.id}, without a time limit. Follow or stop it with process (poll, signal).`;
      }
    }
    listens ||= handOver !== undefined && saysItListens(process.output(Math.max(0, cursor - BEFORE)).text);
    cursor = part.next;
    const last = part.text.trimEnd().split("\n").at(-1)?.trim();
    if (last !== undefined && last !== "") {
      const isWhole = part.text.endsWith("\n") && last.length <= MAX_PROGRESS;
      report({ message: isWhole ? last : withoutOpenWord(shorten(last, MAX_PROGRESS)) });
    }
  }
  if (process.end === undefined) {
    await process.stop(signal.aborted ? "cancelled" : "timeout");
  }
  return undefined;
}

/** Leaves out a long word at the end of a line that goes on: a part of a secret is not recognized, and so not masked. */
function withoutOpenWord(line: string): string {
  return line.replace(/\S{12,}$/, "…");
}
