/** The terminal of a person at a command line. */
export interface LineTerminal {
  /** Returns the current size. */
  size(): { rows: number; columns: number };
  write(text: string): void;
  /**
   * Shows a prompt and returns the line the person types then, without its ending. Anything typed before is not an
   * answer, and is ignored.
   *
   * @param options.interruptEnds whether Ctrl+C ends the input, too, and nothing else
   * @returns undefined if they end their input
   * @throws the signal's reason
   */
  prompt(text: string, signal: AbortSignal, options?: { interruptEnds?: boolean }): Promise<string | undefined>;
}
