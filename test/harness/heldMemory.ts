import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Does something, and measures the most memory that this process holds meanwhile: the engine's heap and buffers, after
 * garbage collection. Resident memory would also count garbage, which the engine collects when it likes.
 *
 * @returns the action's value, bytes above what was held before, and how often that was measured
 */
export async function mostHeld<T>(action: () => Promise<T>): Promise<{ value: T; bytes: number; samples: number }> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  // The engine counts the buffers that it frees off when the next collection begins.
  held();
  const before = held();
  let most = before;
  let samples = 0;
  let timer: NodeJS.Timeout | undefined;
  const sample = (): void => {
    const start = Date.now();
    if (held() > most) most = Math.max(most, held());
    samples++;
    // Collecting takes a small part of the time, so that a slow machine gets on with the action.
    timer = setTimeout(sample, Math.min(Math.max(200, 10 * (Date.now() - start)), 1_000));
  };
  sample();
  const value = await action().finally(() => clearTimeout(timer));
  return { value, bytes: most - before, samples };
}
