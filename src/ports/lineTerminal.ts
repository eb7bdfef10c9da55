/** The terminal of a person at a command line. */
export interface LineTerminal {
  /** As they are now. */
  size(): { rows: number; columns: number };
  write(text: string): void;
  /**
   * Shows a prompt and gives the line the person types then, without its end. What was typed before is no answer to it,
   * and is left out.
   *
   * @returns undefined when they end their input
   * @throws the signal's reason
   */
  prompt(text: string, signal: AbortSignal): Promise<string | undefined>;
}
