/** The terminal of a person at a command line. */
export interface LineTerminal {
  /** As they are now. */
  size(): { rows: number; columns: number };
  write(text: string): void;
  /**
   * The next line the person types, without its end. What was typed before the call is no answer to what is asked now, and is left out.
   *
   * @returns undefined when they end their input
   * @throws the signal's reason
   */
  readLine(signal: AbortSignal): Promise<string | undefined>;
}
