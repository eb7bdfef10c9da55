/** Regular expressions of others, on an engine whose time is bounded whatever the expression. */
export interface Patterns {
  /**
   * Whether an expression matches in a line of a text, and not only in what stands before an offset.
   *
   * @param from code units; a match may begin before it
   * @throws ToolError `invalid_input` for a bad expression
   */
  matches(pattern: string, text: string, from: number, signal: AbortSignal): Promise<boolean>;
}
