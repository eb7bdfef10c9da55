/** Returns an object whose every use is one of another's: of the one that is returned then, else of `base`. */
export function switched<T extends object>(base: T, current: () => T | undefined): T {
  return new Proxy(base, {
    get: (_, key) => {
      const now = current() ?? base;
      const value: unknown = Reflect.get(now, key, now);
      // Methods may need their own object's private fields.
      return typeof value === "function" ? (value.bind(now) as unknown) : value;
    },
  });
}
