/** A text too large for an answer, as a stream; the call's `text` is only an excerpt of it. */
export interface WholeText {
  /** One line on the call's outcome: `Exit code 0 after 1.2 s.` */
  note: string;
  /** What was also written, in short, but is not in the chunks: standard error next to standard output. */
  beside?: string;
  /** Characters missing from the chunks because they were not kept. */
  dropped: number;
  /** Yields the text; each call starts at the beginning. */
  chunks(signal: AbortSignal): AsyncIterable<string>;
}

/** The outcome of a call made by a tool. */
export type InnerOutcome =
  | { ok: true; text: string; data?: unknown; whole?: WholeText }
  | { ok: false; error: { type: string; message: string; hint?: string } };

/** The facts about a tool that another tool may need. */
export interface InnerTool {
  readonly name: string;
  /** Whether it ends the agent's loop. */
  readonly terminal: boolean;
}

/** A tool as listed. */
export interface ListedTool extends InnerTool {
  readonly group: string;
  /** For people. */
  readonly title: string;
  /** For models. */
  readonly description: string;
}

/**
 * Calls other tools on behalf of the call's own caller: with the same session, turn, rights and person to ask.
 * Permission is decided and requested for each inner call, whatever was allowed to the outer one.
 */
export interface Tools {
  /**
   * Finds the tool of a call, and the input for it: another system's name for a tool may say a part of that.
   *
   * @throws ToolError `unknown_tool` with similar names, `unavailable` if it cannot be used here
   */
  find(name: string, input?: unknown): InnerTool & { input: unknown };
  /** Lists the tools that can be used now. */
  list(): readonly ListedTool[];
  /** Checks an input as the call would. @throws ToolError those of `find`, and `invalid_input` that names the fields */
  check(name: string, input: unknown): void;
  /**
   * Makes a call as a child of the current one.
   *
   * @param signal ends it, as does the caller's own cancellation
   * @throws ToolError `cancelled` if the caller cancelled; every other failure is an outcome
   */
  call(name: string, input: unknown, signal: AbortSignal): Promise<InnerOutcome>;
}
