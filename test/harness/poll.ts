// Waiting for an outcome instead of sleeping.
import { setTimeout as delay } from "node:timers/promises";

/** Long enough for a busy machine with two cores; a passing test never waits for it. */
const DEFAULT_TIMEOUT_MS = 40_000;
const INTERVAL_MS = 50;

/**
 * Calls `check` until it gives something truthy.
 * @param what what is waited for, completing the sentence "Waited 20 s for …"
 * @param check gives the outcome, or a falsy value for "not yet"; a throw counts as not yet
 * @returns the outcome
 * @throws Error that names `what` and the last failure when the deadline passes
 */
export async function poll<T>(
  what: string,
  check: () => T | Promise<T>,
  { timeoutMs = DEFAULT_TIMEOUT_MS, intervalMs = INTERVAL_MS }: { timeoutMs?: number; intervalMs?: number } = {},
): Promise<Exclude<T, undefined | null | false | 0 | "">> {
  const deadline = Date.now() + timeoutMs;
  let last = "";
  for (;;) {
    try {
      const outcome = await check();
      if (outcome) return outcome as Exclude<T, undefined | null | false | 0 | "">;
      last = "";
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    if (Date.now() >= deadline)
      throw new Error(`Waited ${timeoutMs / 1000} s for ${what}.${last && ` Last failure: ${last}`}`);
    await delay(intervalMs);
  }
}
