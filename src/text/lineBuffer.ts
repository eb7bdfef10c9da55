/** Bytes kept of the start and the end of a line that is too long, to recognize it. */
const KEPT = 200;
const NEWLINE = 10;

/** Takes lines out of chunks of bytes, and drops those that are too long. */
export class LineBuffer {
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** @param most maximum bytes of a line */
  constructor(
    readonly most: number,
    readonly onLine: (line: string) => void,
    /** Gets the first and the last bytes of a line that was dropped. */
    readonly onTooLong: (start: string, end: string) => void,
  ) {}

  /** Whether the line that has no end yet is too long. */
  get isTooLong(): boolean {
    return this.#length > this.most;
  }

  /** Takes a chunk, which must not change afterwards. */
  add(chunk: Uint8Array): void {
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

  #keep(part: Uint8Array): void {
    this.#length += part.length;
    this.#chunks.push(part);
    if (this.#length > this.most) {
      this.#chunks = ends(this.#chunks);
    }
  }

  #finish(): void {
    const [isTooLong, chunks] = [this.#length > this.most, this.#chunks];
    this.#chunks = [];
    this.#length = 0;
    const line = joined(chunks);
    if (isTooLong) {
      this.onTooLong(latin1(line.subarray(0, KEPT)), latin1(line.subarray(Math.max(0, line.length - KEPT))));
    } else {
      this.onLine(new TextDecoder("utf-8", { ignoreBOM: true }).decode(line));
    }
  }
}

/** Copies the first and the last bytes of chunks, and nothing else: a view would keep all of them. */
function ends(chunks: readonly Uint8Array[]): Uint8Array[] {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const start = new Uint8Array(Math.min(KEPT, length));
  const end = new Uint8Array(Math.min(KEPT, length - start.length));
  let at = 0;
  for (const chunk of chunks) {
    if (at < start.length) {
      start.set(chunk.subarray(0, start.length - at), at);
    }
    const skipped = Math.max(0, length - end.length - at);
    if (skipped < chunk.length) {
      end.set(chunk.subarray(skipped), Math.max(0, at - (length - end.length)));
    }
    at += chunk.length;
  }
  return [start, end];
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) {
    return first;
  }
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
