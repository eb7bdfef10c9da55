import { ModelError } from "../../features/models/modelError.js";

/** How long to wait for a server, in ms. */
export interface WaitLimits {
  /** Until an answer begins. Local models may read a long conversation for minutes before their first word. */
  begin: number;
  /** Between two pieces of an answer that has begun. */
  idle: number;
  /** For a list of models. */
  list: number;
}

export const WAIT_LIMITS: WaitLimits = { begin: 300_000, idle: 120_000, list: 5_000 };

/** Ends a request whose server has gone silent. The time that the consumer takes does not count. */
export class Patience {
  readonly #controller = new AbortController();
  readonly #server: string;
  readonly #limits: Pick<WaitLimits, "begin" | "idle">;
  #hasBegun = false;

  constructor(server: string, limits: Pick<WaitLimits, "begin" | "idle">) {
    this.#server = server;
    this.#limits = limits;
  }

  /** Aborts with a `ModelError` when the server has been silent for too long. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Applies the shorter limit from now on, because the answer has begun. */
  begun(): void {
    this.#hasBegun = true;
  }

  /** Waits for something from the server. */
  async wait<T>(work: Promise<T>): Promise<T> {
    const limit = this.#hasBegun ? this.#limits.idle : this.#limits.begin;
    const timer = setTimeout(() => this.#controller.abort(this.#silence(limit)), limit);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }

  #silence(limit: number): ModelError {
    const seconds = Math.max(1, Math.round(limit / 1000));
    const what = this.#hasBegun
      ? `stopped in the middle of its answer and has been silent for ${seconds} s`
      : `has not begun to answer within ${seconds} s`;
    return new ModelError(`${this.#server} ${what}. Try again, or look at the server's own log.`, { retry: true });
  }
}
