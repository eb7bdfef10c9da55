/** Returns what is at a path of keys and indexes, such as `location.row` or `locations.0.uri`; undefined if nothing is. */
export function at(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (found, key) =>
        typeof found === "object" && found !== null && Object.hasOwn(found, key)
          ? (found as Record<string, unknown>)[key]
          : undefined,
      value,
    );
}

/** Returns a string at a path; empty if there is none. */
export function textAt(value: unknown, path: string): string {
  const found = at(value, path);
  return typeof found === "string" ? found : "";
}

/** Returns a list at a path; undefined if there is none. */
export function listAt(value: unknown, path: string): readonly unknown[] | undefined {
  const found = at(value, path);
  return Array.isArray(found) ? (found as unknown[]) : undefined;
}

/** Returns the first text of several that is not empty. */
export function firstText(...texts: readonly string[]): string {
  return texts.find((text) => text !== "") ?? "";
}
