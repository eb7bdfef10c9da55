import type { HandOver, ManagedProcess } from "../../ports/processes.js";
import { shorten } from "../../text/clip.js";

/** Maximum characters of a line of output shown as progress. */
const MAX_PROGRESS = 80;
/** Characters before new output that are looked at too: a line may come in parts. */
const BEFORE = 500;
/**
 * What servers and watchers print once they are ready: `Listening on port 3000`, `Local: http://localhost:5173/`,
 * `Serving HTTP on 0.0.0.0 port 8000`, `Running on http://…`, `Watching for file changes`.
 */
const LISTENS =
  /\blistening\b|\blocal(?:host)?:[ \t]+https?:\/\/|\b(?:serving|running|started|server|available|ready)\b[^\n]{0,200}\b(?:on|at)\b[^\n]{0,200}(?:https?:\/\/|:\d{2,5}\b|\bport \d)|\bwatching for (?:file )?changes\b/i;

export interface CallLimits {
  /** Milliseconds until the command is killed. */
  limit: number;
  /** Whether the caller said how long it waits. */
  mayTakeLong: boolean;
  /** Absent if the command must end with its call. */
  handOver: HandOver | undefined;
}

/**
 * Waits until the process ends; stops it on timeout or when the caller cancels. One that goes on is made a background
 * process instead.
 *
 * @returns why it goes on; undefined if it has ended
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
  let listens = LISTENS.test(process.output(0).text);
  while (process.end === undefined && !either.aborted) {
    const silent = listens && handOver !== undefined ? AbortSignal.timeout(handOver.afterListening) : undefined;
    await process.changed(cursor, AbortSignal.any([either, long ?? either, silent ?? either]));
    const part = process.output(cursor);
    if (process.end === undefined && !either.aborted && handOver !== undefined) {
      const isSilent = silent?.aborted === true && part.next === cursor;
      if (isSilent || long?.aborted === true) {
        handOver.keep(process);
        return isSilent ? "The command listens" : `The command still runs after ${handOver.after / 1_000} s`;
      }
    }
    listens ||= handOver !== undefined && LISTENS.test(process.output(Math.max(0, cursor - BEFORE)).text);
    cursor = part.next;
    const last = part.text.trimEnd().split("\n").at(-1)?.trim();
    if (last !== undefined && last !== "") {
      report({ message: shorten(last, MAX_PROGRESS) });
    }
  }
  if (process.end === undefined) {
    await process.stop(signal.aborted ? "cancelled" : "timeout");
  }
  return undefined;
}
