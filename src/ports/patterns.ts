/** Matches untrusted regular expressions, on an engine whose time is bounded for every expression. */
export interface Patterns {
  /**
   * Whether the pattern matches within a single line, with a match that ends after `from`. It may start before `from`.
   *
   * @param from offset in the text, in code units
   * @throws ToolError `invalid_input` for an invalid expression
   */
  matches(pattern: string, text: string, from: number, signal: AbortSignal): Promise<boolean>;
  /**
   * Searches a file line by line and reports the matching lines, each with its context, in order.
   *
   * @param path absolute
   * @param context lines before and after a match
   * @param onLine called with `12:text` for a match, `13-text` for context, `--` between parts; long lines are cut
   * @returns whether the search was completed, false if the signal ended it; and the pattern with its brackets escaped
   *   if they were taken as text
   * @throws ToolError `invalid_input` for an invalid expression
   */
  search(
    pattern: string,
    path: string,
    context: number,
    signal: AbortSignal,
    onLine: (line: string) => void,
  ): Promise<{ complete: boolean; asText?: string }>;
}
