import type { OutputForm } from "./forms.js";

/**
 * What a line of output is: a failure's name (or all of it), its message or place, another line of it, a failure that
 * may be reported again, or a line of the summary.
 */
export type LineRole = "name" | "message" | "detail" | "interim" | "summary";

/** Maximum lines of a failure: a runner that is cut off must not claim the rest of the output. */
const MAX_LINES = 200;
/** Maximum lines of a failure that count as its message and place; long diffs and stacks are details. */
const MAX_MESSAGES = 24;

/** Reads an output line by line in one form. */
export class FormReader {
  readonly form: OutputForm;
  #isWithin: boolean;
  /** Lines read of the failure that is open; undefined if none is. */
  #lines: number | undefined;
  #namesLeft = 0;
  #messagesLeft = 0;
  #followsLeft = 0;
  #messages = 0;
  #leads: number[] = [];
  #failures = 0;
  readonly #cut = new Set<number>();

  constructor(form: OutputForm) {
    this.form = form;
    this.#isWithin = form.within === undefined;
  }

  /** Whether the next line may matter even if `wake` does not match it. */
  get isOpen(): boolean {
    return this.#lines !== undefined;
  }

  /** Number of failures begun so far: lines read at the same number belong to the same failure. */
  get failures(): number {
    return this.#failures;
  }

  /** Whether a failure's message may have been only partly recognized among its details. */
  isCut(failure: number): boolean {
    return this.#cut.has(failure);
  }

  /** Returns the source of an expression that matches each line that changes anything while no failure is open. */
  static wake({ within, without, begins, names, leads, resets, interim, summary }: OutputForm): string {
    return [within, without, begins, names, leads, resets, interim, summary]
      .flatMap((each) => (each === undefined ? [] : [each.source]))
      .join("|");
  }

  /**
   * @param number the line's number
   * @param lead called with the numbers of earlier lines that belong to this failure
   */
  read(line: string, number: number, lead: (number: number) => void): LineRole | undefined {
    const { form } = this;
    const role = this.#roleOf(line, number);
    if (role === "name") {
      for (const earlier of this.#leads) {
        lead(earlier);
      }
    }
    if (form.resets?.test(line) === true) {
      this.#leads = [];
    }
    if (form.leads?.test(line) === true) {
      this.#leads = [...this.#leads, number].slice(-(form.leadLines ?? 1));
    }
    return role;
  }

  #roleOf(line: string, number: number): LineRole | undefined {
    const { form } = this;
    if (form.summary?.test(line) === true) {
      this.#lines = undefined;
      this.#noteSection(line);
      return "summary";
    }
    this.#noteSection(line);
    if (
      this.#isWithin &&
      form.begins?.test(line) === true &&
      (form.needsLead !== true || this.#leads.at(-1) === number - 1)
    ) {
      this.#failures++;
      this.#lines = 0;
      this.#namesLeft = form.nameLines ?? 0;
      this.#messagesLeft = form.messageLines ?? 0;
      this.#followsLeft = 0;
      this.#messages = 0;
      return "name";
    }
    if (this.#lines !== undefined && form.ends?.test(line) === true) {
      this.#lines = undefined;
    } else if (this.#lines !== undefined && ++this.#lines > MAX_LINES) {
      this.#lines = undefined;
      this.#cut.add(this.#failures);
    }
    if (form.names?.test(line) === true) {
      this.#failures++;
      return "name";
    }
    if (this.#lines !== undefined) {
      return this.#roleInside(line);
    }
    return form.interim?.test(line) === true ? "interim" : undefined;
  }

  #noteSection(line: string): void {
    const { within, without } = this.form;
    if (without?.test(line) === true) {
      this.#isWithin = within === undefined;
      this.#lines = undefined;
    } else if (within?.test(line) === true) {
      this.#isWithin = true;
    }
  }

  #roleInside(line: string): LineRole {
    const { tells, follows = 0 } = this.form;
    if (line.trim() === "") {
      return "detail";
    }
    if (this.#namesLeft > 0) {
      this.#namesLeft--;
      return "name";
    }
    const isTold = tells?.test(line) === true;
    if (isTold) {
      this.#followsLeft = follows;
    } else if (this.#followsLeft > 0) {
      this.#followsLeft--;
    } else if (this.#messagesLeft > 0) {
      this.#messagesLeft--;
    } else {
      return "detail";
    }
    if (++this.#messages <= MAX_MESSAGES) {
      return "message";
    }
    this.#cut.add(this.#failures);
    return "detail";
  }
}
