/** Flags that a JavaScript regular expression may have behind its slash. */
const FLAGS = /^[dgimsuvy]*$/;

/** A regular expression without what was written around it. */
export interface Unwrapped {
  pattern: string;
  /** What is around it, for messages: `/…/i`. */
  shape: string;
  /** Whether a flag says to ignore case. */
  ignoreCase: boolean;
}

/**
 * Returns the expression within slashes (`/x/i`, as in JavaScript) or within quotes or backticks. It is still a valid
 * pattern as written, so this is a second reading, for one that finds nothing.
 *
 * @returns undefined if there is nothing around it
 */
export function unwrapped(pattern: string): Unwrapped | undefined {
  const first = pattern.charAt(0);
  const last = pattern.lastIndexOf(first);
  const inner = pattern.slice(1, Math.max(1, last));
  const flags = pattern.slice(last + 1);
  const isWrapped = first === "/" ? FLAGS.test(flags) : ["'", '"', "`"].includes(first) && flags === "";
  return isWrapped && last > 0 && inner !== ""
    ? { pattern: inner, shape: `${first}…${first}${flags}`, ignoreCase: flags.includes("i") }
    : undefined;
}

/** Returns a sentence for where a regular expression matched nothing, if what is around it was probably not meant. */
export function remarkOnWrapping(pattern: string): string | undefined {
  const meant = unwrapped(pattern);
  return meant && `${meant.shape} is matched as it is: write ${meant.ignoreCase ? "(?i)" : ""}${meant.pattern}.`;
}
