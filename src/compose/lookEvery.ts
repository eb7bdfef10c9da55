/**
 * Calls `look` now and at intervals, never a second time while it runs. Keeps no process alive.
 *
 * @param interval in ms
 * @param failed receives what `look` throws; it is called again all the same
 * @returns a function that ends it
 */
export function lookEvery(interval: number, look: () => Promise<void>, failed: (error: unknown) => void): () => void {
  let isLooking = false;
  const lookOnce = (): void => {
    if (!isLooking) {
      isLooking = true;
      void look()
        .catch(failed)
        .finally(() => (isLooking = false));
    }
  };
  lookOnce();
  const timer = setInterval(lookOnce, interval).unref();
  return () => clearInterval(timer);
}
