/** Whether two values of JSON or TOML are the same, whatever the order of their fields. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return Object.is(one, other);
  }
  if (one instanceof Date || other instanceof Date) {
    // TOML's dates of a day and times of a day are dates, too.
    return JSON.stringify(one) === JSON.stringify(other);
  }
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isDeepEqual((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}
