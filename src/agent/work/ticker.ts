/**
 * Milliseconds between two looks at most: a computer that wakes from sleep, and a clock that was set, are noticed
 * within it.
 */
const LONGEST = 20_000;
/** Behind the full minute, at which schedules are due. */
const BEHIND = 250;

/**
 * Calls `tick` now, shortly after every full minute, and in between, one call at a time, until the signal is aborted.
 *
 * @param now milliseconds since 1970
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

/** Waits; ends at once, without a word, when the signal is aborted. */
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
