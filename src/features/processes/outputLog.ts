import type { OutputPart } from "../../ports/processes.js";
import type { StoredResult } from "../../ports/results.js";
import { asciiText } from "../../text/terminal/bytes.js";
import { joinEnds, type Omitted } from "../../text/terminal/ends.js";
import { TerminalText } from "../../text/terminal/text.js";
import { BETWEEN_LOOKS, LARGE_CHUNK, MAX_HEAD, MAX_RING, MAX_SUMMARY } from "./limits.js";
import { OutputRing } from "./outputRing.js";
import type { OutputSpool } from "./outputSpool.js";
import { countLineFeeds } from "../../text/splitLines.js";

/**
 * Everything a process writes, in bounded memory: the start, the last part by absolute offsets, and the whole in the
 * result store.
 *
 * The line that has not ended yet can be seen, but later output may overwrite it. The old line is then withdrawn: if
 * somebody had seen it, the new line starts after it, so that cursors stay valid and no state of a progress bar is
 * shown twice.
 */
export class OutputLog {
  readonly #text = new TerminalText();
  readonly #ring = new OutputRing(MAX_RING);
  readonly #spool: OutputSpool | undefined;
  #head = "";
  /** Number of characters that can no longer change. */
  #characters = 0;
  #lineEnds = 0;
  /** Offset at which the open line starts. */
  #lineFrom = 0;
  /** The part of the open line that somebody has seen, as it was when they saw it. */
  #shown = "";
  /** The end of the summary once the process has ended: later output of its daemons is not included. */
  #sealed: { tail: string } | undefined;
  #isOver = false;
  readonly #watchers = new Set<() => void>();
  /** While this timer runs, waiting readers are not woken again. */
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(spool: OutputSpool | undefined) {
    this.#spool = spool;
  }

  get resultId(): string | undefined {
    return this.#spool?.id;
  }

  /** Whether the process should wait for `room` because the result store is slower. */
  get isFull(): boolean {
    return this.#sealed === undefined && this.#spool !== undefined && this.#spool.isFull;
  }

  async room(): Promise<void> {
    await this.#spool?.room();
  }

  /** Resolves when the result store has all that has come until now, or cannot have it. */
  async caughtUp(): Promise<void> {
    await this.#spool?.caughtUp();
  }

  push(bytes: Uint8Array): void {
    const ascii = bytes.length < LARGE_CHUNK ? undefined : this.#text.pushAscii(bytes);
    if (ascii === undefined) {
      this.#fix(this.#text.push(bytes));
    } else {
      this.#fix(ascii.line);
      this.#keep(this.#startOf(""), ascii.bytes, ascii.lineEnds);
    }
    if (this.#pause === undefined && this.#watchers.size > 0) {
      this.#wake();
      this.#pause = setTimeout(() => {
        this.#pause = undefined;
        this.#wake();
      }, BETWEEN_LOOKS);
    }
  }

  /** Marks the process as ended: later output only goes to `output`. Returns what the result store kept. */
  async seal(): Promise<StoredResult | undefined> {
    this.#fix(this.#text.end());
    this.#sealed = { tail: this.#ring.tail(this.#tailHeld()) };
    return this.#spool?.close();
  }

  output(cursor: number): OutputPart {
    const { line } = this.#text;
    this.#lineFrom = this.#startOf(line);
    this.#shown = line;
    const next = this.#lineFrom + line.length;
    const at = Math.min(Math.max(0, cursor), next);
    const fixed = this.#ring.since(at);
    const from = fixed?.from ?? Math.max(at, this.#lineFrom);
    const text = fixed === undefined ? line.slice(from - this.#lineFrom) : fixed.text + line;
    return { text, from, next, missed: from - at };
  }

  summary(max: number): { text: string; omitted: Omitted | undefined } {
    const line = this.#sealed === undefined ? this.#text.line : "";
    const characters = this.#characters + line.length;
    const limit = Math.min(max, MAX_SUMMARY);
    const tail = (this.#sealed?.tail ?? this.#ring.tail(this.#tailHeld())) + line;
    if (characters <= limit) {
      return { text: this.#head + tail.slice(tail.length - (characters - this.#head.length)), omitted: undefined };
    }
    // The part that is not held lies between head and tail; of a short text, some may be held twice.
    const whole =
      characters <= this.#head.length + tail.length
        ? this.#head + tail.slice(tail.length - (characters - this.#head.length))
        : undefined;
    return joinEnds({ head: whole ?? this.#head, tail: whole ?? tail, characters, lineEnds: this.#lineEnds }, limit);
  }

  /** Wakes all readers because the process has ended: nobody needs to wait for more. */
  finish(): void {
    this.#isOver = true;
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#wake();
  }

  /** Resolves when there is output after a cursor, the process has ended, or the signal is aborted. */
  async changed(cursor: number, signal: AbortSignal): Promise<void> {
    const hasCome = (): boolean => this.#isOver || signal.aborted || this.#end() > cursor;
    if (hasCome()) {
      return;
    }
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (hasCome()) {
          this.#watchers.delete(look);
          signal.removeEventListener("abort", look);
          resolve();
        }
      };
      this.#watchers.add(look);
      signal.addEventListener("abort", look);
    });
  }

  #wake(): void {
    for (const look of [...this.#watchers]) {
      look();
    }
  }

  #end(): number {
    const { line } = this.#text;
    return this.#startOf(line) + line.length;
  }

  /**
   * Returns where the open line starts if this is its text: after the part of it that was shown, if that has been
   * overwritten.
   */
  #startOf(line: string): number {
    return line.startsWith(this.#shown) ? this.#lineFrom : this.#lineFrom + this.#shown.length;
  }

  /** Adds text that can no longer be overwritten; it starts with the open line. */
  #fix(text: string): void {
    if (text !== "") {
      this.#keep(this.#startOf(text), text, countLineFeeds(text));
    }
  }

  #keep(from: number, text: string | Uint8Array, lineEnds: number): void {
    this.#ring.push(from, text);
    this.#lineFrom = from + text.length;
    this.#shown = "";
    if (this.#sealed !== undefined) {
      return;
    }
    if (this.#head.length < MAX_HEAD) {
      const room = MAX_HEAD - this.#head.length;
      this.#head += typeof text === "string" ? text.slice(0, room) : asciiText(text.subarray(0, room));
    }
    this.#characters += text.length;
    this.#lineEnds += lineEnds;
    this.#spool?.push(text);
  }

  /** Returns the number of code units of the fixed text after the head that a summary may need. */
  #tailHeld(): number {
    return Math.min(this.#characters - this.#head.length, MAX_SUMMARY);
  }
}
