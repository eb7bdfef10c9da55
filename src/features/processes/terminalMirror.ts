import { Utf8Chunks } from "../../text/terminal/bytes.js";
import { keepBytes, releaseBytes } from "./bytePool.js";
import { FRAME, FRAME_OF_MUCH, MAX_FRAME } from "./limits.js";

const NEWLINE = 10;
const DIM = "\x1b[2m";
const PLAIN = "\x1b[0m";

/**
 * Passes a process's output to a terminal: all of it, at most one frame every few milliseconds. If there is more than
 * fits a frame, shows the last part and how much was skipped. Nobody could read the rest, and drawing it would cost
 * more than the command.
 */
export class TerminalMirror {
  readonly #write: (text: string) => void;
  readonly #resultId: () => string | undefined;
  #decoder = new Utf8Chunks();
  #held: Uint8Array<ArrayBuffer>[] = [];
  #size = 0;
  #skipped = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param write takes whole characters, including escape sequences
   * @param resultId id of the whole output, once known
   */
  constructor(write: (text: string) => void, resultId: () => string | undefined) {
    this.#write = write;
    this.#resultId = resultId;
  }

  /** @param bytes copied */
  push(bytes: Uint8Array): void {
    this.#held.push(keepBytes(bytes));
    this.#size += bytes.length;
    if (this.#size > 2 * MAX_FRAME) {
      this.#skip();
    }
    if (this.#timer === undefined) {
      this.flush();
    }
  }

  /** Writes the held output, and nothing more for a moment. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#size === 0) {
      return;
    }
    if (this.#skipped > 0) {
      this.#skip();
    }
    const text = this.#held.map((bytes) => this.#decoder.push(bytes)).join("");
    const isMuch = this.#skipped > 0;
    const note = isMuch ? this.#note() : "";
    release(this.#held);
    this.#held = [];
    this.#size = 0;
    this.#skipped = 0;
    this.#write(note + text);
    this.#timer = setTimeout(() => this.flush(), isMuch ? FRAME_OF_MUCH : FRAME);
  }

  /**
   * Drops everything but the last frame, which starts at a line's start, so that no escape sequence or character is cut
   * in two.
   */
  #skip(): void {
    const before = this.#size;
    let first = 0;
    for (
      let next = this.#held[first];
      next !== undefined && this.#size - next.length >= MAX_FRAME;
      next = this.#held[first]
    ) {
      this.#size -= next.length;
      first++;
    }
    release(this.#held.splice(0, first));
    const [cut] = this.#held;
    if (cut !== undefined && this.#size > MAX_FRAME) {
      const from = this.#size - MAX_FRAME;
      const start = cut.indexOf(NEWLINE, from) + 1 || from;
      this.#held[0] = cut.subarray(start);
      this.#size -= start;
    }
    if (this.#size < before) {
      this.#skipped += before - this.#size;
      this.#decoder = new Utf8Chunks();
    }
  }

  #note(): string {
    const id = this.#resultId();
    return `${PLAIN}\n${DIM}[… ${sizeOf(this.#skipped)} not shown here${id === undefined ? "" : `; the full log is read_result ${id}`}]${PLAIN}\n`;
  }
}

function release(chunks: readonly Uint8Array<ArrayBuffer>[]): void {
  for (const bytes of chunks) {
    releaseBytes(bytes);
  }
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
