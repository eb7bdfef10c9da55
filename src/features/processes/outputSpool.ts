import type { Results, ResultWriter, StoredResult, TextPart } from "../../ports/results.js";
import { keepBytes, releaseBytes } from "./bytePool.js";
import { MAX_BACKLOG } from "./limits.js";

/** Code units passed to the store in one call. */
const BATCH = 250_000;
/** Short texts are joined up to this size: a longer one is a large object for the engine, which frees it late. */
const JOINED = 32_768;

/** A waiting part; bytes are our own copy. */
type Held = string | Uint8Array<ArrayBuffer>;

/**
 * Writes a text to the result store once it is longer than an answer; before that, nothing. The store may be slower
 * than the text arrives.
 */
export class OutputSpool {
  readonly #results: Pick<Results, "open">;
  readonly #source: string;
  readonly #threshold: number;
  #waiting: Held[] = [];
  #backlog = 0;
  #total = 0;
  #writer: ResultWriter | undefined;
  #pump: Promise<void> | undefined;
  #hasFailed = false;
  #onRoom: (() => void)[] = [];
  #onWritten: (() => void)[] = [];

  constructor(results: Pick<Results, "open">, source: string, threshold: number) {
    this.#results = results;
    this.#source = source;
    this.#threshold = threshold;
  }

  /** Id of the result, once there is one. */
  get id(): string | undefined {
    return this.#hasFailed ? undefined : this.#writer?.id;
  }

  /** Whether further text should wait for `room`. */
  get isFull(): boolean {
    return this.#backlog > MAX_BACKLOG;
  }

  /** @param text copied if it is bytes */
  push(text: TextPart): void {
    if (this.#hasFailed || text.length === 0) {
      return;
    }
    this.#waiting.push(typeof text === "string" ? text : keepBytes(text));
    this.#backlog += text.length;
    this.#total += text.length;
    if (this.#total > this.#threshold) {
      this.#pump ??= this.#write();
    }
  }

  /** Resolves when most of what waited is written, or cannot be. */
  room(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRoom.push(resolve);
      this.#tellRoom();
    });
  }

  /** Resolves when all that has come until now is written, or cannot be. */
  async caughtUp(): Promise<void> {
    const total = this.#total;
    while (this.#pump !== undefined && this.#total - this.#backlog < total) {
      await new Promise<void>((resolve) => this.#onWritten.push(resolve));
    }
  }

  /** Writes the rest; returns undefined if there is no result. */
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
        const { parts, length } = this.#take();
        await this.#writer.write(...parts);
        for (const part of parts) {
          if (typeof part !== "string") {
            releaseBytes(part);
          }
        }
        this.#backlog -= length;
        this.#tellWritten();
      }
    } catch {
      // A full disk must not lose the command: its head and tail are still shown, and no result is promised.
      this.#hasFailed = true;
      this.#waiting = [];
      this.#backlog = 0;
      this.#tellWritten();
      await this.#writer?.discard().catch(() => undefined);
    }
    this.#pump = undefined;
  }

  /** Takes the next batch: consecutive texts are joined, since a program may write one character at a time. */
  #take(): { parts: Held[]; length: number } {
    let length = 0;
    let count = 0;
    const parts: Held[] = [];
    for (let next = this.#waiting[0]; next !== undefined && length < BATCH; next = this.#waiting[count]) {
      const last = parts.at(-1);
      if (typeof last === "string" && typeof next === "string" && last.length + next.length <= JOINED) {
        parts[parts.length - 1] = last + next;
      } else {
        parts.push(next);
      }
      length += next.length;
      count++;
    }
    this.#waiting.splice(0, count);
    return { parts, length };
  }

  #tellWritten(): void {
    this.#tellRoom();
    for (const resolve of this.#onWritten.splice(0)) {
      resolve();
    }
  }

  #tellRoom(): void {
    if (this.#backlog <= MAX_BACKLOG / 2) {
      for (const resolve of this.#onRoom.splice(0)) {
        resolve();
      }
    }
  }
}
