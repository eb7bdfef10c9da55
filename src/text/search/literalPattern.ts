/** Maximum characters of a pattern that are looked at. */
const MAX_READ = 1_000;

/**
 * Returns a remark on a pattern that is searched as literal text but is written as a regular expression, for an answer
 * without hits; undefined if it is not.
 */
export function remarkOnLiteral(pattern: string): string | undefined {
  const text = pattern.slice(0, MAX_READ);
  const inner = /^\/(.+)\/[a-z]*$/s.exec(text)?.[1];
  if (inner === undefined && !/\.[*+]|\\[bdsw.]|\||^\^|\$$/.test(text)) {
    return undefined;
  }
  const plain = (inner ?? text)
    .split(/[^\p{L}\p{N} _-]+/u)
    .reduce((best, part) => (part.length > best.length ? part : best), "");
  return `pattern is literal text, not a regular expression${plain.trim() === "" ? "" : `: give ${JSON.stringify(plain.trim())}`}.`;
}
