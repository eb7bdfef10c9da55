// Waits until a process has printed something.
import { MAX_RING } from "../../features/processes/limits.js";
import type { Patterns } from "../../ports/patterns.js";
import type { ManagedProcess } from "../../ports/processes.js";
import { remarkOnWrapping } from "../../text/search/unwrapped.js";

/** Maximum characters of a regular expression; nobody waits for a longer one. */
export const MAX_PATTERN = 1_000;
/**
 * Stands in for the part of a line that is no longer held, so that `^` does not match at the cut. Output never contains
 * it.
 */
const NO_LINE_START = "\0";

/**
 * Returns whether output after a cursor matches (without a matcher: whether the process ends) before the time is up.
 * Throws `ToolError` for an invalid expression.
 */
export async function waitUntil(
  found: ManagedProcess,
  from: number,
  matches: Matcher | undefined,
  seconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  const time = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
  let cursor = from;
  for (;;) {
    // Read this before the output: if the process had ended by now, that output is complete.
    const hadEnded = found.end !== undefined;
    const { next } = found.output(cursor);
    if (matches !== undefined && next > cursor) {
      const { text, fresh } = openLines(found, from, cursor);
      if (await matches(text, fresh)) {
        return true;
      }
    }
    if (hadEnded) {
      return matches === undefined;
    }
    if (time.aborted) {
      return false;
    }
    cursor = next;
    await found.changed(cursor, time);
  }
}

/**
 * Returns the text from the beginning of the line that was incomplete at `cursor`, and the number of its characters
 * before `from`. A match must not lie entirely in those, but a line that begins with them is matched as a whole.
 */
function openLines(found: ManagedProcess, from: number, cursor: number): { text: string; fresh: number } {
  const held = found.output(0);
  // Offsets have gaps where a line was overwritten; the text after a gap is a suffix of the held text all the same.
  const indexOf = (offset: number): number => held.text.length - found.output(offset).text.length;
  const index = indexOf(cursor);
  const start = index === 0 ? 0 : held.text.lastIndexOf("\n", index - 1) + 1;
  const isCut = start === 0 && held.from > 0 && held.text.length >= MAX_RING;
  const lead = isCut ? NO_LINE_START : "";
  return { text: lead + held.text.slice(start), fresh: Math.max(0, indexOf(from) - start) + lead.length };
}

/**
 * Whether the pattern matches within a single line, with a match that ends after `from`. It may start before `from`.
 */
export type Matcher = (text: string, from: number) => Promise<boolean>;

/** Says that `wait_for` was not met, and why that may be. @param seconds how long it was waited for; undefined if the process ended */
export function unmet(pattern: string, seconds: number | undefined): string {
  const why = pattern === "exit" ? undefined : remarkOnWrapping(pattern);
  return `wait_for was not met${seconds === undefined ? "" : ` within ${seconds} s`}.${why === undefined ? "" : ` ${why}`}`;
}

export function matcher(pattern: string, patterns: Patterns, signal: AbortSignal): Matcher {
  return (text, from) => patterns.matches(pattern, text, from, signal);
}
