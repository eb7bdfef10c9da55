import { unifiedDiff } from "./diff/diff.js";

/** Characters shown of what saving changed: a formatter that rewrites a file tells nothing more with the rest. */
const MAX_FORMAT_DIFF = 2_000;

/**
 * What a caller is told of the text that saving changed further; undefined when it is too long to tell, and so has not
 * been seen.
 *
 * @param asked the text that was to be written
 */
export function shownFormatting(asked: string, saved: string): string | undefined {
  const diff = unifiedDiff(asked, saved);
  return diff.length > MAX_FORMAT_DIFF ? undefined : diff;
}
