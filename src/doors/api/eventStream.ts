/** Events for one reader, who may come late and be slow: what nobody read yet is kept. */
export class EventStream<Event> implements AsyncIterable<Event> {
  #waiting: Event[] = [];
  #isOver = false;
  #isLeft = false;
  readonly #sleepers: (() => void)[] = [];

  push(event: Event): void {
    if (!this.#isLeft) {
      this.#waiting.push(event);
      this.#wake();
    }
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** All of them: of two readers by mistake neither may wait for good. */
  #wake(): void {
    this.#sleepers.splice(0).forEach((wake) => wake());
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    try {
      for (;;) {
        const events = this.#waiting;
        this.#waiting = [];
        yield* events;
        if (this.#waiting.length > 0) {
          continue;
        }
        if (this.#isOver) {
          return;
        }
        await new Promise<void>((resolve) => this.#sleepers.push(resolve));
      }
    } finally {
      // Whoever stopped reading does not come back.
      this.#isLeft = true;
      this.#waiting = [];
    }
  }
}
