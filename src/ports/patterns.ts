/** Regular expressions of others, on an engine whose time is bounded whatever the expression. */
export interface Patterns {
  /**
   * Whether an expression matches in a line of a text.
   *
   * @throws ToolError `invalid_input` for a bad expression
   */
  matches(pattern: string, text: string, signal: AbortSignal): Promise<boolean>;
}
