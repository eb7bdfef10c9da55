/** The outcome of a sent message. */
export interface Delivery {
  /** HTTP status; undefined if no server was involved. */
  status: number | undefined;
  /** The server's answer: one short line without secrets; may be empty. Text from outside. */
  answer: string;
}

/** Sends messages to people, by addresses such as `window:`, `webhook:team` and `signal:+15551234567`. */
export interface Messages {
  /** Returns the addresses that work now, and the problems of other channels in the settings, one sentence each. */
  addresses(): { addresses: readonly string[]; problems: readonly string[] };
  /**
   * Returns the machine that receives messages to an address: `https://hooks.slack.com`; undefined for `window:`, which
   * stays on this one.
   *
   * @throws ToolError `not_found` with the existing addresses, `invalid_input`
   */
  originOf(address: string): string | undefined;
  /**
   * Sends once; a message that may have arrived is never sent again.
   *
   * @throws ToolError those of `originOf`; `too_large`; `unavailable` if nothing was sent; `timeout` and `io_error`,
   * which say whether it may have arrived
   */
  send(address: string, content: string, signal: AbortSignal): Promise<Delivery>;
}
