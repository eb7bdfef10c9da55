/** Events for one reader, who may be late or slow: unread events are kept. */
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

  /** Wakes all sleepers: if there are two readers by mistake, neither may wait forever. */
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
      // A reader that stopped does not come back.
      this.#isLeft = true;
      this.#waiting = [];
    }
  }
}
