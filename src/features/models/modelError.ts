/** How a program can react to a model's failure. */
export interface ModelErrorDetail {
  /**
   * Whether the same request may succeed a little later: too many requests, a server's own error, a broken connection.
   */
  retry?: boolean;
  /** How long the server asked to wait first, in ms. */
  retryAfter?: number;
  /** Whether the request exceeded the model's limits: a shorter one may succeed. */
  tooLong?: boolean;
  /** The setting that the user has to correct first. */
  wrong?: "key" | "address";
}

/** Marks these errors in every copy of this module: a bundle that is loaded on use has one of its own. */
const MARK = Symbol.for("toolhost.ModelError");

/** Why a model did not answer. `message` is for the user and includes the next step. */
export class ModelError extends Error {
  override readonly name = "ModelError";

  /** An error of another copy is one, too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && MARK in value;
  }

  get [MARK](): true {
    return true;
  }

  readonly retry: boolean;
  readonly retryAfter: number | undefined;
  readonly tooLong: boolean;
  readonly wrong: "key" | "address" | undefined;

  constructor(message: string, { retry = false, retryAfter, tooLong = false, wrong }: ModelErrorDetail = {}) {
    super(message);
    this.retry = retry;
    this.retryAfter = retryAfter;
    this.tooLong = tooLong;
    this.wrong = wrong;
  }
}
