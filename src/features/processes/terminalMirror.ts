import { Utf8Chunks } from "../../text/terminal/bytes.js";
import { keepBytes, releaseBytes } from "./bytePool.js";
import { FRAME, FRAME_OF_MUCH, MAX_FRAME } from "./limits.js";

const NEWLINE = 10;
const DIM = "\x1b[2m";
const PLAIN = "\x1b[0m";

/**
 * What a process writes, for a terminal: all of it, at most a frame every few milliseconds. Of more than a frame takes
 * the last part is shown, and how much that leaves out. Nobody could read the rest, and to draw it would cost more than
 * the command.
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
   * @param write takes escape sequences and all, and whole characters
   * @param resultId of the whole output, as far as it is known
   */
  constructor(write: (text: string) => void, resultId: () => string | undefined) {
    this.#write = write;
    this.#resultId = resultId;
  }

  /** @param bytes are copied */
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

  /** Writes what is held, and no more for a moment. */
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

  /** Leaves out all but a frame; from a line's start on, so that no escape sequence and no character is cut in two. */
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
