import { unifiedDiff } from "./diff/diff.js";

/**
 * Maximum length, in characters, of the diff shown for changes made by saving: a longer one is a rewritten file, whose
 * details say nothing more.
 */
const MAX_FORMAT_DIFF = 2_000;

/**
 * Returns the diff to show for a text that saving changed further; undefined if it is too long to show, so the caller
 * has not seen it.
 *
 * @param asked the text the change meant to write
 */
export function shownFormatting(asked: string, saved: string): string | undefined {
  const diff = unifiedDiff(asked, saved);
  return diff.length > MAX_FORMAT_DIFF ? undefined : diff;
}
