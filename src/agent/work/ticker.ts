/** Maximum time between two ticks, in ms, so that a wake from sleep or a clock change is noticed soon. */
const LONGEST = 20_000;
/** Delay after the full minute, at which schedules are due, in ms. */
const BEHIND = 250;

/**
 * Calls `tick` now, shortly after every full minute, and in between, one call at a time, until the signal is aborted.
 *
 * @param now returns milliseconds since the epoch
 */
export async function tickEveryMinute(
  tick: () => Promise<void>,
  now: () => number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await tick();
    await pause(Math.min(LONGEST, 60_000 - (now() % 60_000) + BEHIND), signal);
  }
}

/** Waits; resolves immediately if the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) {
      end();
    }
  });
}
