import { newId } from "../../core/pipeline/pipeline.js";

/** Milliseconds without a call after which the next one begins a turn: a model thinks for less between two calls. */
const PAUSE = 60_000;

/**
 * The session and turns of calls that come from other agents. VS Code does not say to which chat or turn they belong,
 * so they are the window's, and calls that follow each other closely are one turn.
 */
export class WindowTurns {
  readonly session = newId();
  readonly #now: () => number;
  #turn = newId();
  #last = 0;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The turn of a call that is made now. */
  turn(): string {
    const now = this.#now();
    if (now - this.#last > PAUSE) {
      this.#turn = newId();
    }
    this.#last = now;
    return this.#turn;
  }
}
