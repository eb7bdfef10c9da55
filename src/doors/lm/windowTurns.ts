import { newId } from "../../core/pipeline/pipeline.js";

/** How long without a call until the next one starts a new turn, in ms: models think for less between two calls. */
const PAUSE = 60_000;

/**
 * The session and turns of calls from other agents. VS Code does not say which chat or turn they belong to, so they
 * belong to the window, and calls in quick succession are one turn.
 */
export class WindowTurns {
  readonly session = newId();
  readonly #now: () => number;
  #turn = newId();
  #last = 0;

  /** @param now returns milliseconds since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Returns the turn of a call made now. */
  turn(): string {
    const now = this.#now();
    if (now - this.#last > PAUSE) {
      this.#turn = newId();
    }
    this.#last = now;
    return this.#turn;
  }
}
