import { asInteger, type AliasRule } from "../../core/aliases.js";

/** The longest time, in seconds, that a caller may mean even when it is a whole number of thousands. */
const HOUR = 3_600;

/** Units that a time may be written with, in seconds. */
const UNITS: readonly [unit: RegExp, seconds: number][] = [
  [/^(?:ms|millis|milliseconds?)$/i, 0.001],
  [/^(?:s|secs?|seconds?)$/i, 1],
  [/^(?:m|mins?|minutes?)$/i, 60],
  [/^(?:h|hrs?|hours?)$/i, HOUR],
];

/** Returns a time that is written with its unit (`60s`, `1.5 min`), in seconds; undefined for anything else. */
function withUnit(value: unknown): number | undefined {
  const [, number, unit = ""] =
    typeof value === "string" ? (/^\s*(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]+)\s*$/i.exec(value) ?? []) : [];
  const each = UNITS.find(([name]) => name.test(unit))?.[1];
  return each === undefined ? undefined : Math.round(Number(number) * each * 1_000) / 1_000;
}

/**
 * A time in seconds that other systems take in milliseconds. Understands those that can only be milliseconds: more than
 * `most` seconds, or thousands beyond an hour that are not whole hours.
 */
export function seconds(most: number): AliasRule {
  return {
    says: "milliseconds where it cannot be seconds; also with a unit: 60s, 2 min",
    read: (value) => {
      const written = withUnit(value);
      if (written !== undefined) {
        return { fields: { timeout: written } };
      }
      const time = asInteger(value);
      if (time === undefined) {
        return undefined;
      }
      const isLong = time > most || (time > HOUR && time % 1_000 === 0 && time % HOUR !== 0);
      return isLong && time / 1_000 <= most
        ? { fields: { timeout: time / 1_000 }, note: `timeout=${time} was taken as milliseconds: ${time / 1_000} s.` }
        : undefined;
    },
  };
}

/** A field in milliseconds. */
export const fromMilliseconds: AliasRule = {
  says: "`timeout` in milliseconds",
  read: (value) => {
    const time = asInteger(value);
    return time === undefined ? undefined : { fields: { timeout: time / 1_000 } };
  },
};
