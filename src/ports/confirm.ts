/** What a person is asked before a call runs. */
export interface Question {
  tool: string;
  title: string;
  /** Why it is asked, a sentence each. */
  reasons: readonly string[];
  /** What exactly will happen: a diff, a command, or the input as JSON. */
  detail: { language: string; text: string };
}

/** Asks a person. Resolves to false when the answer is no, is dismissed, or nobody can be asked. */
export interface Confirm {
  ask(question: Question, signal: AbortSignal): Promise<boolean>;
}
