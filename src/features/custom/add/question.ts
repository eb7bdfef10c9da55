// The questions of a form, one at a time and with a way back, for every door that can ask.

/** What a person may choose. */
export interface Choice {
  value: string;
  label: string;
  description?: string;
}

/** One question. Its answer is a text; of a question with `several` choices, one value a line. */
export interface Question {
  /** Its answer's key. */
  key: string;
  kind: "text" | "choice" | "several";
  /** In a line, what to answer. */
  prompt: string;
  /** An answer to go by. */
  example?: string;
  choices?: readonly Choice[];
  /** The answer unless the person gives another. */
  suggested?: string;
  /** Returns what to read before answering. */
  shown?: () => Promise<string>;
  /** Whether the answer is for this run alone, not for the entry. */
  isPassing?: boolean;
  /** Returns what is wrong with an answer, as a sentence. */
  check?: (answer: string) => string | undefined;
  /** The same, for what takes time: once an answer is given. */
  settle?: (answer: string, signal: AbortSignal) => Promise<string | undefined>;
  /** What gives the answer on a command line: `--name <name>`. */
  flag: string;
}

export type Answers = Record<string, string>;

/** Where a person is in a form. */
export interface Step {
  step: number;
  /** Can grow with the answers. 0 for a question after the form. */
  total: number;
  canGoBack: boolean;
  /** Whether no text, or no choice, is an answer. */
  mayBeEmpty: boolean;
  /** What was wrong with the answer just given. */
  problem: string | undefined;
}

/** The answer of a person who wants the question before. Registered: who asks may be in another bundle. */
export const BACK = Symbol.for("toolhost.back");

/** Asks a person. Undefined: they left. */
export type Ask = (question: Question, step: Step) => Promise<string | typeof BACK | undefined>;

/**
 * Asks all questions that are not answered by flags. An answer can bring more questions, or take some away.
 *
 * @param questions returns the questions that there are with the answers so far
 * @param answers are changed; they are what a question suggests when a person comes back to it
 * @param isGiven whether an answer was given by a flag
 * @param from a question's key: those before it were answered
 * @returns whether all are answered; false if the person left
 */
export async function fillIn(
  questions: () => readonly Question[],
  answers: Answers,
  ask: Ask,
  { isGiven, from, signal }: { isGiven: (key: string) => boolean; from?: string | undefined; signal: AbortSignal },
): Promise<boolean> {
  const open = (): Question[] => questions().filter(({ key }) => !isGiven(key));
  let index =
    from === undefined
      ? 0
      : Math.max(
          0,
          open().findIndex(({ key }) => key === from),
        );
  let problem: string | undefined;
  for (;;) {
    const list = open();
    const question = list[index];
    if (question === undefined) {
      return true;
    }
    const before = answers[question.key];
    const answer = await ask(
      { ...question, ...(before === undefined ? {} : { suggested: before }) },
      {
        ...{ step: index + 1, total: list.length, canGoBack: index > 0, problem },
        mayBeEmpty: question.suggested === "",
      },
    );
    problem = undefined;
    if (answer === undefined) {
      return false;
    }
    if (answer === BACK) {
      index = Math.max(0, index - 1);
      continue;
    }
    answers[question.key] = answer;
    problem = await problemOf(question, answer, signal);
    index += problem === undefined ? 1 : 0;
  }
}

/** Returns what is wrong with an answer, as a sentence. */
export async function problemOf(
  { kind, choices = [], check, settle }: Question,
  answer: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (kind === "choice" && !choices.some(({ value }) => value === answer)) {
    return `Choose one of ${choices.map(({ value }) => value).join(", ")}.`;
  }
  return check?.(answer) ?? (await settle?.(answer, signal));
}
