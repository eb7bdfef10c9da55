/** How long VS Code may take to open a file, in ms. */
export const OPEN_LIMIT = 15_000;

/** Returns what a promise gives within a time, in ms; `"late"` after that. @throws what the promise and the signal throw */
export async function within<T>(work: PromiseLike<T>, limit: number, signal: AbortSignal): Promise<T | "late"> {
  signal.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let stop = (): void => undefined;
  const late = new Promise<"late">((resolve, reject) => {
    timer = setTimeout(() => resolve("late"), Math.max(0, limit));
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
