import { ruleWords } from "../../core/permission/rules/words.js";
import type { Answer, Confirm, Question } from "../../ports/confirm.js";
import type { Person, PersonAnswer, PersonQuestion } from "../../ports/person.js";
import type { LineTerminal } from "../../ports/lineTerminal.js";
import { shorten } from "../../text/clip.js";
import { cutDetails } from "../../text/cutDetails.js";
import { visibleLine } from "../../text/showHidden.js";
import { visibleDetails, wholeText, type VisibleDetail } from "../../text/visibleDetails.js";
import { describeQuestion, promptFor, readAnswer } from "./terminalAnswer.js";
import { barred, BAR } from "./barred.js";

/** Rows of a question without its detail, and the minimum rows for the detail. */
const OTHER_ROWS = 10;
const LEAST_ROWS = 8;
/** Maximum characters of a reason and of a rule. */
const MAX_REASON = 400;
const MAX_RULE = 120;

/**
 * Asks on the terminal, one question at a time: `y` allows once, `a` until this command ends, `s` shows everything,
 * `n` or Enter alone denies. Anything else asks again. A question of the model takes numbers of its choices, or words.
 */
export class TerminalQuestion implements Confirm, Person {
  readonly isAttended = true;
  readonly #terminal: LineTerminal;
  readonly #onAsking: (isAsking: boolean) => void;
  #last: Promise<unknown> = Promise.resolve();

  /** @param onAsking called before and after each question; nothing else should write to the terminal in between */
  constructor(terminal: LineTerminal, onAsking: (isAsking: boolean) => void = () => undefined) {
    this.#terminal = terminal;
    this.#onAsking = onAsking;
  }

  ask(question: Question, signal: AbortSignal): Promise<Answer> {
    return this.#inTurn(() => this.#ask(question, signal), signal);
  }

  answer(question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer> {
    return this.#inTurn(() => this.#answer(question, signal), signal);
  }

  /** Asks when the questions before are answered. */
  #inTurn<Result>(ask: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const answer = this.#last.then(async () => {
      signal.throwIfAborted();
      this.#onAsking(true);
      try {
        return await ask();
      } finally {
        this.#onAsking(false);
      }
    });
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #answer(question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer> {
    this.#terminal.write(describeQuestion(question));
    for (;;) {
      const line = await this.#terminal.prompt(`${promptFor(question)} `, signal, { interruptEnds: true });
      if (line === undefined) {
        this.#terminal.write("\n");
      }
      const answer = readAnswer(line ?? "", question);
      if (answer !== undefined) {
        return answer;
      }
    }
  }

  async #ask(question: Question, signal: AbortSignal): Promise<Answer> {
    this.#terminal.write(this.#describe(question));
    const isCut = this.#shown(question).some(({ notice }) => notice !== undefined);
    for (;;) {
      const line = await this.#terminal.prompt(`${choices(question, isCut)} `, signal);
      const word = line?.trim().toLowerCase();
      if (word === undefined || word === "" || word === "n" || word === "no") {
        this.#terminal.write(word === undefined ? "\n" : "");
        return "no";
      }
      if (word === "y" || word === "yes") {
        return "once";
      }
      if (word === "a" && question.derived.length > 0) {
        return "session";
      }
      if (word === "s" && isCut) {
        this.#terminal.write(`${barred(wholeText(visibleDetails(question)))}\n`);
      }
    }
  }

  #describe(question: Question): string {
    const details = this.#shown(question);
    const lines = [
      "",
      `${question.accept === undefined ? "Allow this? " : ""}${visibleLine(question.title)}`,
      ...question.reasons.map((reason) => `  ${shorten(visibleLine(reason), MAX_REASON)}`),
      ...details.flatMap(({ hidden, notice }) => [hidden ?? [], notice ?? []].flat()).map((text) => `  ${text}`),
      ...details.flatMap(({ title, shown, end }) => [
        ...(title === undefined ? [] : [`  ${title}:`]),
        barred(shown),
        ...(end === undefined ? [] : [`  ${end}`]),
      ]),
    ];
    return `${lines.join("\n")}\n`;
  }

  #shown(question: Question): ReturnType<typeof cutDetails<VisibleDetail>> {
    const { rows, columns } = this.#terminal.size();
    return cutDetails(visibleDetails(question), {
      characters: Infinity,
      rows: Math.max(LEAST_ROWS, rows - OTHER_ROWS),
      columns: Math.max(20, columns - BAR.length),
    });
  }
}

function choices({ derived }: Question, isCut: boolean): string {
  const rules = derived.map((rule) => shorten(visibleLine(ruleWords(rule)), MAX_RULE)).join(", ");
  return [
    "y = yes, this once",
    ...(derived.length === 0 ? [] : [`a = yes, and allow ${rules} for the rest of this run`]),
    ...(isCut ? ["s = show all"] : []),
    "n = no (default):",
  ].join("; ");
}
