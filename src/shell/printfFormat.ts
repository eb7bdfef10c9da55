/** printf formats that only print. */

/** Conversions (bash manual, "printf"; POSIX printf), without `%n`, which sets a variable. */
const CONVERSION = /^%(?:%|[-+ #0']*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:[diouxXeEfFgGaAcsbqQ]|\([^()]*\)T))/;

/** A `%` written as a character code: programs differ on what is decoded first. */
const HIDDEN_PERCENT = /\\(?:x25|0?45|u0025|U00000025)/i;

/** Whether every conversion in a format only prints. */
export function plainFormat(format: string): boolean {
  if (HIDDEN_PERCENT.test(format)) {
    return false;
  }
  let rest = format;
  for (let at = rest.indexOf("%"); at !== -1; at = rest.indexOf("%")) {
    const found = CONVERSION.exec(rest.slice(at))?.[0];
    if (found === undefined) {
      return false;
    }
    rest = rest.slice(at + found.length);
  }
  return true;
}
