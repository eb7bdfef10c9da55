import { createHash, randomBytes } from "node:crypto";

/** After this time without a call, in ms, the next one belongs to another turn; a turn is undone in one step. */
const TURN_PAUSE = 60_000;

/**
 * The session of one client: what it has read, the rules that count for it, and its turns. It is the same in the window
 * and without one, so that the client notices no more than a changed list of tools.
 */
export class ClientSession {
  /** Proves to a window that the session is this one. */
  readonly key = randomBytes(32).toString("hex");
  readonly id = sessionOf(this.key);
  readonly #now: () => number;
  #turn = 1;
  #calls = 0;
  #lastEnd = 0;
  /** The client's id of that turn. */
  #told: string | undefined;

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Makes a call in its turn.
   *
   * @param told the client's own id of the turn, if it has one; a call without one belongs to the turn before it
   */
  async during<T>(told: string | undefined, call: (turn: number) => Promise<T>): Promise<T> {
    const isOver =
      told !== undefined && this.#told !== undefined
        ? told !== this.#told
        : this.#calls === 0 && this.#now() - this.#lastEnd > TURN_PAUSE;
    if (isOver) {
      this.#turn++;
    }
    this.#told = told ?? this.#told;
    this.#calls++;
    try {
      return await call(this.#turn);
    } finally {
      this.#calls--;
      this.#lastEnd = this.#now();
    }
  }
}

/** Returns a session's id. It is in lists and in the state, so it must not be enough to go on with the session. */
export function sessionOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}
