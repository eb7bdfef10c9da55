/** What became of a message that was given away. */
export interface Delivery {
  /** HTTP status; undefined where no server was asked. */
  status: number | undefined;
  /** What the server said, one short line without secrets; empty for nothing. Text from outside. */
  answer: string;
}

/** Sending messages to people, by addresses such as `window:`, `webhook:team` and `signal:+15551234567`. */
export interface Messages {
  /** Those that can be written to now, and what is wrong with others of the settings, a sentence each. */
  addresses(): { addresses: readonly string[]; problems: readonly string[] };
  /**
   * The machine that messages to an address go to: `https://hooks.slack.com`. `window:` stays on this one.
   *
   * @throws ToolError `not_found` with the addresses there are, `invalid_input`
   */
  originOf(address: string): string | undefined;
  /**
   * Sends once; a message that may have arrived is never sent again.
   *
   * @throws ToolError as `originOf` does; `too_large`; `unavailable` when nothing was sent; `timeout` and `io_error`,
   * which say whether it may have arrived
   */
  send(address: string, content: string, signal: AbortSignal): Promise<Delivery>;
}
