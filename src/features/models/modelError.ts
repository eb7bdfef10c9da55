/** What a program does about a model that failed. */
export interface ModelErrorDetail {
  /**
   * The same request may well succeed a little later: too many requests, a server's own fault, a connection that broke.
   */
  retry?: boolean;
  /** Milliseconds the server asked to wait before. */
  retryAfter?: number;
  /** The request held more than the model takes: a shorter one may succeed. */
  tooLong?: boolean;
  /** What the user has to correct before it can work. */
  wrong?: "key" | "address";
}

/** Why a model did not answer. `message` is for the user, in words with the next step. */
export class ModelError extends Error {
  override readonly name = "ModelError";
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
