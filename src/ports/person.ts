/** A question of a model to the person it works for. */
export interface PersonQuestion {
  question: string;
  /** Likely answers; none if empty. Any other answer is possible, too. */
  choices: readonly Choice[];
  /** Whether several choices may be taken. */
  several: boolean;
}

export interface Choice {
  label: string;
  /** What the choice means. */
  description?: string | undefined;
}

/**
 * What a person answered: labels of choices, and their own words, empty if none. `unanswered`: they left the question;
 * `nobody`: there is nobody to ask.
 */
export type PersonAnswer = { chosen: readonly string[]; words: string } | "unanswered" | "nobody";

/** The person that an agent works for, as a door reaches them. */
export interface Person {
  /** Asks, one question at a time. @throws the signal's reason */
  answer(question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer>;
}
