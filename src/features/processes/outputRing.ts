import { asciiText } from "../../text/terminal/bytes.js";
import { keepBytes, releaseBytes } from "./bytePool.js";

/** Short texts are joined up to this size: a program may write one character at a time. */
const SEGMENT = 8_192;

interface Segment {
  from: number;
  /** ASCII bytes are only decoded when somebody reads them; most never are. */
  text: string | Uint8Array<ArrayBuffer>;
}

/** The last part of a growing text, by absolute offsets. Offsets may have gaps where text was taken back. */
export class OutputRing {
  #segments: Segment[] = [];
  #held = 0;

  constructor(readonly limit: number) {}

  /**
   * @param from not before the end of the previous push
   * @param text bytes are copied
   */
  push(from: number, text: string | Uint8Array): void {
    if (text.length === 0) {
      return;
    }
    const last = this.#segments.at(-1);
    if (
      typeof last?.text === "string" &&
      typeof text === "string" &&
      last.text.length + text.length <= SEGMENT &&
      last.from + last.text.length === from
    ) {
      last.text += text;
    } else {
      this.#segments.push({ from, text: typeof text === "string" ? text : keepBytes(text) });
    }
    this.#held += text.length;
    this.#drop();
  }

  /** Returns the text after an offset and the offset where that text starts; undefined if there is none. */
  since(cursor: number): { from: number; text: string } | undefined {
    const index = this.#segments.findIndex(({ from, text }) => from + text.length > cursor);
    const first = this.#segments[index];
    if (first === undefined) {
      return undefined;
    }
    const skip = Math.max(0, cursor - first.from);
    const rest = this.#segments.slice(index + 1).map(({ text }) => textOf(text));
    return { from: first.from + skip, text: textOf(behind(first.text, skip)) + rest.join("") };
  }

  /** Returns the last code units, or all that are held. */
  tail(length: number): string {
    const all = this.#segments.map(({ text }) => textOf(text)).join("");
    return length >= all.length ? all : length <= 0 ? "" : all.slice(-length);
  }

  #drop(): void {
    let dropped = 0;
    for (
      let first = this.#segments[dropped];
      first !== undefined && this.#held - first.text.length >= this.limit;
      first = this.#segments[dropped]
    ) {
      this.#held -= first.text.length;
      dropped++;
    }
    for (const { text } of this.#segments.splice(0, dropped)) {
      if (typeof text !== "string") {
        releaseBytes(text);
      }
    }
    // A single text larger than the ring.
    const first = this.#segments[0];
    if (first !== undefined && this.#held > 2 * this.limit) {
      const excess = this.#held - this.limit;
      this.#segments[0] = { from: first.from + excess, text: behind(first.text, excess) };
      this.#held -= excess;
    }
  }
}

function textOf(text: string | Uint8Array): string {
  return typeof text === "string" ? text : asciiText(text);
}

function behind(text: string | Uint8Array<ArrayBuffer>, skip: number): string | Uint8Array<ArrayBuffer> {
  return typeof text === "string" ? text.slice(skip) : text.subarray(skip);
}
