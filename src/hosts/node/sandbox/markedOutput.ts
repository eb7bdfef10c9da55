/** How a shell ended. */
export interface ShellEnd {
  code: number;
  /** Whether something that it started was still running in its group. */
  isLeft: boolean;
}

/** Characters that may follow the mark: an exit code, whether something is left, and the last byte. */
const MAX_END = 16;
/** What ends a mark. */
const LAST = 0x1e;

/** Passes a stream on without the mark in it that says how a shell ended: `<mark><code> <0 or 1><byte 0x1e>`. */
export class MarkedOutput {
  readonly #mark: Buffer;
  readonly #pass: (bytes: Uint8Array) => void;
  readonly #ended: (end: ShellEnd) => void;
  /** What may be the beginning of the mark. */
  #held: Buffer = Buffer.alloc(0);
  #isMarked = false;

  /** @param mark begins with a byte that is rare in texts: what may be its beginning waits for what follows */
  constructor(mark: string, pass: (bytes: Uint8Array) => void, ended: (end: ShellEnd) => void) {
    this.#mark = Buffer.from(mark);
    this.#pass = pass;
    this.#ended = ended;
  }

  /** @param bytes are read during the call alone */
  take(bytes: Uint8Array): void {
    if (this.#isMarked) {
      this.#pass(bytes);
      return;
    }
    const all = this.#held.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#held, bytes]);
    const at = all.indexOf(this.#mark);
    if (at < 0) {
      this.#keep(all, beginsAt(all, this.#mark));
      return;
    }
    const from = at + this.#mark.length;
    const last = all.indexOf(LAST, from);
    if (last < 0 && all.length - from < MAX_END) {
      this.#keep(all, at);
      return;
    }
    this.#held = Buffer.alloc(0);
    this.#isMarked = true;
    const [, code, left] = /^(\d{1,10}) ([01])$/.exec(all.toString("latin1", from, Math.max(from, last))) ?? [];
    if (code === undefined) {
      // A program there has seen the mark and wrote it itself: it is output, and the end shows as the bridge ends.
      this.#give(all);
      return;
    }
    this.#give(all.subarray(0, at));
    this.#ended({ code: Number(code), isLeft: left === "1" });
    this.#give(all.subarray(last + 1));
  }

  /** Passes on what was held back: nothing follows. */
  flush(): void {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    this.#give(held);
  }

  #keep(all: Buffer, from: number): void {
    this.#held = all.subarray(from);
    this.#give(all.subarray(0, from));
  }

  #give(bytes: Uint8Array): void {
    if (bytes.length > 0) {
      this.#pass(bytes);
    }
  }
}

/** Returns where at the end of some bytes a mark may begin; their length if nowhere. */
function beginsAt(all: Buffer, mark: Buffer): number {
  for (let at = Math.max(0, all.length - mark.length + 1); at < all.length; at++) {
    if (all[at] === mark[0] && all.subarray(at).equals(mark.subarray(0, all.length - at))) {
      return at;
    }
  }
  return all.length;
}
