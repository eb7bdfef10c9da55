/** Matches untrusted regular expressions, on an engine whose time is bounded for every expression. */
export interface Patterns {
  /**
   * Whether the pattern matches within a single line, with a match that ends after `from`. It may start before `from`.
   *
   * @param from offset in the text, in code units
   * @throws ToolError `invalid_input` for an invalid expression
   */
  matches(pattern: string, text: string, from: number, signal: AbortSignal): Promise<boolean>;
}
