/** Matches untrusted regular expressions, on an engine whose time is bounded for every expression. */
export interface Patterns {
  /**
   * Whether an expression matches within a line of a text, and not only before an offset.
   *
   * @param from code units; a match may begin before it
   * @throws ToolError `invalid_input` for an invalid expression
   */
  matches(pattern: string, text: string, from: number, signal: AbortSignal): Promise<boolean>;
}
