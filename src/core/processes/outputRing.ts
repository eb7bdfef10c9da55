/** Short texts are joined up to this size: a program may write a character at a time. */
const SEGMENT = 8_192;

interface Segment {
  from: number;
  text: string;
}

/** The last part of a growing text, by absolute offsets. Offsets may have gaps, where text was taken back. */
export class OutputRing {
  #segments: Segment[] = [];
  #held = 0;

  constructor(readonly limit: number) {}

  /** @param from not before the end of what was pushed last */
  push(from: number, text: string): void {
    if (text === "") {
      return;
    }
    const last = this.#segments.at(-1);
    if (last !== undefined && last.text.length + text.length <= SEGMENT && last.from + last.text.length === from) {
      last.text += text;
    } else {
      this.#segments.push({ from, text });
    }
    this.#held += text.length;
    this.#drop();
  }

  /** What stands behind an offset, and where that begins; undefined when nothing does. */
  since(cursor: number): Segment | undefined {
    const index = this.#segments.findIndex(({ from, text }) => from + text.length > cursor);
    const first = this.#segments[index];
    if (first === undefined) {
      return undefined;
    }
    const skip = Math.max(0, cursor - first.from);
    const rest = this.#segments.slice(index + 1).map(({ text }) => text);
    return { from: first.from + skip, text: first.text.slice(skip) + rest.join("") };
  }

  /** The last code units, or all that are held. */
  tail(length: number): string {
    const all = this.#segments.map(({ text }) => text).join("");
    return length >= all.length ? all : length <= 0 ? "" : all.slice(-length);
  }

  #drop(): void {
    let dropped = 0;
    for (let first = this.#segments[dropped]; first !== undefined && this.#held - first.text.length >= this.limit; first = this.#segments[dropped]) {
      this.#held -= first.text.length;
      dropped++;
    }
    if (dropped > 0) {
      this.#segments = this.#segments.slice(dropped);
    }
    // One text larger than the ring.
    const first = this.#segments[0];
    if (first !== undefined && this.#held > 2 * this.limit) {
      const excess = this.#held - this.limit;
      this.#segments[0] = { from: first.from + excess, text: first.text.slice(excess) };
      this.#held -= excess;
    }
  }
}
