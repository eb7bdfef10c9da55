// Waiting for an outcome instead of sleeping.
import { setTimeout as delay } from "node:timers/promises";

/** Long enough for a busy machine with two cores; a passing test never waits for it. */
const DEFAULT_TIMEOUT_MS = 120_000;
/** Between the first looks, and at most: each look costs the processor that the outcome needs. */
const [FIRST_INTERVAL_MS, LAST_INTERVAL_MS] = [50, 200];
/** Of the time that was waited: so much later may an outcome be noticed. */
const INTERVAL_SHARE = 0.1;

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
  { timeoutMs = DEFAULT_TIMEOUT_MS, intervalMs }: { timeoutMs?: number; intervalMs?: number } = {},
): Promise<Exclude<T, undefined | null | false | 0 | "">> {
  const start = Date.now();
  const deadline = start + timeoutMs;
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
    const waited = Date.now() - start;
    await delay(intervalMs ?? Math.min(Math.max(FIRST_INTERVAL_MS, waited * INTERVAL_SHARE), LAST_INTERVAL_MS));
  }
}
