import { asInteger, type AliasRule } from "../../core/aliases.js";

/** The longest time, in seconds, that a caller may mean even when it is a whole number of thousands. */
const HOUR = 3_600;

/**
 * A time in seconds that other systems take in milliseconds. Understands those that can only be milliseconds: more than
 * `most` seconds, or thousands beyond an hour that are not whole hours.
 */
export function seconds(most: number): AliasRule {
  return {
    says: "milliseconds where it cannot be seconds",
    read: (value) => {
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
