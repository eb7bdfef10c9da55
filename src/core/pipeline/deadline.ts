import { Cancelled, ToolError } from "../errors.js";

/** The longest delay of a timer, about 25 days; a longer one fires immediately (HTML, "timers": 32 bits). */
const MAX_TIMER = 2_147_483_647;

/** The limits of one part of a call. */
export interface Bounds {
  /** The tool's name, for messages. */
  tool: string;
  /** Milliseconds it may take. */
  limit: number;
  /** What would raise the limit, in words; undefined if nothing can. */
  raisedBy?: string | undefined;
  /**
   * Milliseconds to wait for it after it was stopped, since it may be in the middle of a change; 0 if it changes
   * nothing.
   */
  grace: number;
  /** The caller's cancellation. */
  signal: AbortSignal;
}

/**
 * Runs work until the caller cancels or its time is up, whether or not it heeds its signal.
 * @throws Cancelled if the caller cancelled; ToolError `timeout`; the errors of `work`
 */
export async function withDeadline<T>(
  { tool, limit, raisedBy, grace, signal: cancelled }: Bounds,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), Math.min(MAX_TIMER, limit));
  const signal = AbortSignal.any([cancelled, deadline.signal]);
  try {
    return await settled(work(signal), signal, grace);
  } catch (error) {
    throwIfCancelled(tool, cancelled);
    // Ignore errors caused by our abort; keep real failures.
    if (deadline.signal.aborted && (!(error instanceof ToolError) || error.type === "cancelled")) {
      throw timedOut(tool, limit, grace > 0, raisedBy);
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for work, but not longer than `grace` milliseconds after the signal; then it throws. */
export async function settled<T>(work: Promise<T>, signal: AbortSignal, grace: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const gaveUp = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(new Error("gave up waiting")), grace);
    };
    if (signal.aborted) {
      onAbort();
    } else {
      signal.addEventListener("abort", onAbort, { once: true });
    }
  });
  try {
    return await Promise.race([work, gaveUp]);
  } finally {
    clearTimeout(timer);
    if (onAbort) {
      signal.removeEventListener("abort", onAbort);
    }
    // Work that outlives its deadline may still fail. Nobody awaits it any more, and an unhandled rejection must not
    // crash the process.
    work.catch(() => undefined);
  }
}

function timedOut(tool: string, limit: number, changing: boolean, raisedBy: string | undefined): ToolError {
  const seconds = `${Math.round(limit / 100) / 10} s`;
  return new ToolError(
    "timeout",
    `${tool}: stopped after ${seconds}.`,
    changing
      ? "It may be partly done or may still finish: check before you retry."
      : `Ask for less at a time${raisedBy === undefined ? "" : `, or let the user raise ${raisedBy}`}.`,
  );
}

/** Throws if the caller has cancelled the call. */
export function throwIfCancelled(tool: string, signal: AbortSignal): void {
  if (signal.aborted) {
    throw new Cancelled(tool);
  }
}
