import type { Results, ResultWriter, StoredResult } from "../../ports/results.js";
import { MAX_BACKLOG } from "./limits.js";

/** Code units given to the store at once. */
const BATCH = 1_000_000;

/** Puts a text into the result store once it is longer than an answer; nothing before. The store may be slower than the text comes. */
export class OutputSpool {
  readonly #results: Results;
  readonly #source: string;
  readonly #threshold: number;
  #waiting: string[] = [];
  #backlog = 0;
  #total = 0;
  #writer: ResultWriter | undefined;
  #pump: Promise<void> | undefined;
  #hasFailed = false;
  #onRoom: (() => void)[] = [];

  constructor(results: Results, source: string, threshold: number) {
    this.#results = results;
    this.#source = source;
    this.#threshold = threshold;
  }

  /** Of the result, once there is one. */
  get id(): string | undefined {
    return this.#hasFailed ? undefined : this.#writer?.id;
  }

  /** Whether what comes next should wait for `room`. */
  get isFull(): boolean {
    return this.#backlog > MAX_BACKLOG;
  }

  push(text: string): void {
    if (this.#hasFailed || text === "") {
      return;
    }
    this.#waiting.push(text);
    this.#backlog += text.length;
    this.#total += text.length;
    if (this.#total > this.#threshold) {
      this.#pump ??= this.#write();
    }
  }

  /** Resolves when what waited is written, or cannot be. */
  room(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRoom.push(resolve);
      this.#tellRoom();
    });
  }

  /** Writes the rest; undefined when there is no result. */
  async close(): Promise<StoredResult | undefined> {
    await this.#pump;
    this.#waiting = [];
    if (this.#writer === undefined || this.#hasFailed) {
      return undefined;
    }
    try {
      return await this.#writer.close();
    } catch {
      this.#hasFailed = true;
      return undefined;
    }
  }

  async #write(): Promise<void> {
    try {
      this.#writer ??= await this.#results.open(this.#source);
      while (this.#waiting.length > 0) {
        const batch = this.#take();
        await this.#writer.write(batch);
        this.#backlog -= batch.length;
        this.#tellRoom();
      }
    } catch {
      // A full disk is no reason to lose the command: its head and tail are still told, and no result is promised.
      this.#hasFailed = true;
      this.#waiting = [];
      this.#backlog = 0;
      this.#tellRoom();
      await this.#writer?.discard().catch(() => undefined);
    }
    this.#pump = undefined;
  }

  #take(): string {
    let length = 0;
    let count = 0;
    while (count < this.#waiting.length && (count === 0 || length < BATCH)) {
      length += this.#waiting[count]?.length ?? 0;
      count++;
    }
    return this.#waiting.splice(0, count).join("");
  }

  #tellRoom(): void {
    if (this.#backlog <= MAX_BACKLOG / 2) {
      for (const resolve of this.#onRoom.splice(0)) {
        resolve();
      }
    }
  }
}
