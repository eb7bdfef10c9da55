/** A text too large for an answer, as it comes: what a call's `text` shows only an excerpt of. */
export interface WholeText {
  /** One line on how the call went: `Exit code 0 after 1.2 s.` */
  note: string;
  /** Characters that are in none of the chunks, because nothing kept them. */
  dropped: number;
  /** The text from its start, each time it is asked for. */
  chunks(signal: AbortSignal): AsyncIterable<string>;
}

/** How a call that a tool made ended. */
export type InnerOutcome =
  | { ok: true; text: string; data?: unknown; whole?: WholeText }
  | { ok: false; error: { type: string; message: string; hint?: string } };

/** A tool as another tool may need to know it. */
export interface InnerTool {
  readonly name: string;
  /** It ends the agent's loop. */
  readonly terminal: boolean;
}

/** A tool as a list of tools has it. */
export interface ListedTool extends InnerTool {
  readonly group: string;
  /** For people. */
  readonly title: string;
  /** For models. */
  readonly description: string;
}

/**
 * Calling other tools, as the call's own caller: the same session, turn, rights and person to ask. What a call needs
 * permission for is decided and asked for that call, whatever was allowed to the one that makes it.
 */
export interface Tools {
  /** @throws ToolError `unknown_tool` with near names, `unavailable` when it cannot be used here */
  find(name: string): InnerTool;
  /** Those that can be used now. */
  list(): readonly ListedTool[];
  /** Checks an input as the call would. @throws ToolError as `find` does, and `invalid_input` that names the fields */
  check(name: string, input: unknown): void;
  /**
   * Makes a call. Its parent is the call that makes it.
   *
   * @param signal ends it; the caller's own cancellation does, too
   * @throws ToolError `cancelled` when the caller cancelled; every other failure is an outcome
   */
  call(name: string, input: unknown, signal: AbortSignal): Promise<InnerOutcome>;
}
