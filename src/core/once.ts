/** Returns a function that makes a value when it is first called, and returns the same one from then on. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/**
 * Returns a function that does the same, and keeps a failure, too: what a first attempt left half-done must not be done
 * again.
 */
export function onceForAll<T>(make: () => T): () => T {
  let made: { value: T } | { error: unknown } | undefined;
  return () => {
    if (made === undefined) {
      try {
        made = { value: make() };
      } catch (error) {
        made = { error };
      }
    }
    if ("error" in made) {
      throw made.error;
    }
    return made.value;
  };
}

/**
 * Returns a function that loads something when it is first called. A failure is not kept: the next call tries again, since
 * there may be too many open files at the moment, or an update may be replacing the one that is needed.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
}
