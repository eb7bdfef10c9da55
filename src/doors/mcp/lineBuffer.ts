/** Bytes kept of the start and the end of a line that is too long, to recognize it. */
const KEPT = 200;
const NEWLINE = 10;

/** Takes lines out of chunks, and drops those that are too long. */
export class LineBuffer {
  #chunks: Buffer[] = [];
  #length = 0;

  /** @param most maximum bytes of a line */
  constructor(
    readonly most: number,
    readonly onLine: (line: string) => void,
    /** Gets the first and the last bytes of a line that was dropped. */
    readonly onTooLong: (start: string, end: string) => void,
  ) {}

  add(chunk: Buffer): void {
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(NEWLINE, from);
      this.#keep(chunk.subarray(from, end === -1 ? chunk.length : end));
      if (end === -1) {
        return;
      }
      from = end + 1;
      this.#finish();
    }
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    this.#chunks.push(part);
    if (this.#length > this.most) {
      const all = Buffer.concat(this.#chunks);
      this.#chunks = [Buffer.from(all.subarray(0, KEPT)), Buffer.from(all.subarray(Math.max(KEPT, all.length - KEPT)))];
    }
  }

  #finish(): void {
    const [isTooLong, chunks] = [this.#length > this.most, this.#chunks];
    this.#chunks = [];
    this.#length = 0;
    if (isTooLong) {
      const kept = Buffer.concat(chunks);
      this.onTooLong(kept.toString("latin1", 0, KEPT), kept.toString("latin1", Math.max(0, kept.length - KEPT)));
    } else {
      this.onLine(Buffer.concat(chunks).toString("utf8"));
    }
  }
}
