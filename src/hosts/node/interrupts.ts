/** Who takes the next Ctrl+C in place of the process; the latest one counts. */
const takers: (() => void)[] = [];

/** Calls `stop` on the first Ctrl+C that nobody takes. The one after that ends the process, as if nobody listened. */
export function onInterrupt(stop: () => void): void {
  const handle = (): void => {
    const take = takers.at(-1);
    if (take === undefined) {
      process.off("SIGINT", handle);
      stop();
    } else {
      take();
    }
  };
  process.on("SIGINT", handle);
}

/** Has Ctrl+C call `take` until the returned function is called. */
export function takeInterrupts(take: () => void): () => void {
  takers.push(take);
  return () => void takers.splice(takers.indexOf(take), 1);
}
