/** The part to take from a text. */
export interface PageRequest {
  /** Lines to skip, 0-based. */
  offset: number;
  /** Maximum number of lines; unlimited if absent. */
  maxLines?: number | undefined;
  /** Maximum bytes in UTF-8, including line endings and `lineCost`. The first line is always returned. */
  maxBytes: number;
  /** Bytes that each line takes in addition, such as for its number. Default 0. */
  lineCost?: number;
  /** Maximum code units shown of one line; a longer line is shown as a window of this size. */
  lineWindow: number;
  /** 1-based column where the window of a long line starts; shorter lines are shown whole. */
  column: number;
  /**
   * Finds what a window shows as handles, in order. It looks at 8,000 characters to each side, too: what makes a place a
   * secret may be there, and no place is cut unless it is longer than that.
   */
  masked?: ((text: string) => readonly { start: number; end: number; handle: string }[]) | undefined;
  /** Code units scanned after the page to learn the total number of lines. */
  countBudget: number;
}

/** One line of a page. */
export interface PageLine {
  /** 1-based. */
  number: number;
  /** The line without its ending, or a window of a long line. */
  text: string;
  /** The 1-based column of its first character. */
  column: number;
  /** The column of its last character; handles in `text` may make it longer or shorter than that. */
  end: number;
  /** The whole line's length in code units. */
  length: number;
}

/** Lines taken from a text, and facts about the rest. */
export interface Page {
  lines: PageLine[];
  /** Lines in the whole text, not counting a line after a final newline; undefined if counting was given up. */
  totalLines: number | undefined;
  /** Whether there are lines after the last one returned. */
  more: boolean;
  /** The limit that ended the page before the text's end. */
  stoppedBy: "lines" | "bytes" | undefined;
}

/** Code units beside a window that are looked at for secrets: more than a private key has. */
const MARGIN = 8_000;

/** Yields a text as a single chunk. */
export async function* inOne(text: string): AsyncGenerator<string> {
  yield text;
}

/**
 * Takes a page of lines from a text that arrives in chunks, in memory bounded by the page and one chunk,
 * however long the text or a line of it is.
 *
 * A final newline is not a line. `\r\n`, `\n` and a lone `\r` end a line.
 *
 * @param chunks decoded text; a chunk may end anywhere, even between `\r` and `\n`
 */
export async function takePage(chunks: AsyncIterable<string>, request: PageRequest): Promise<Page> {
  const pager = new Pager(request);
  for await (const chunk of chunks) {
    if (!pager.push(chunk)) {
      return pager.finish(false);
    }
  }
  return pager.finish(true);
}

class Pager {
  readonly #request: PageRequest;
  readonly #lines: PageLine[] = [];
  #bytes = 0;
  /** Lines that have ended so far. */
  #ended = 0;
  /** The current line: its length so far, its start, and the part inside the window. */
  #length = 0;
  #start = "";
  #window = "";
  #afterCarriageReturn = false;
  #full = false;
  #stoppedBy: "lines" | "bytes" | undefined;
  #scannedAfter = 0;

  constructor(request: PageRequest) {
    this.#request = request;
  }

  /** Processes a chunk; returns false if nothing more needs to be read. */
  push(chunk: string): boolean {
    let from = 0;
    let fullFrom = this.#full ? 0 : undefined;
    if (this.#afterCarriageReturn && chunk.length > 0) {
      this.#afterCarriageReturn = false;
      if (chunk.startsWith("\n")) {
        from = 1;
      }
    }
    const lineEnd = /\r\n|\n|\r/g;
    if (!chunk.includes("\r")) {
      from = this.#passOver(chunk, from);
    }
    while (from < chunk.length) {
      lineEnd.lastIndex = from;
      const match = lineEnd.exec(chunk);
      this.#extend(chunk, from, match?.index ?? chunk.length);
      if (!match) {
        break;
      }
      this.#endLine();
      from = match.index + match[0].length;
      // The chunk may end between \r and \n: then the \n belongs to this ending.
      this.#afterCarriageReturn = match[0] === "\r" && from === chunk.length;
      if (this.#full) {
        fullFrom ??= from;
      }
    }
    this.#scannedAfter += fullFrom === undefined ? 0 : chunk.length - fullFrom;
    // Do not stop before it is known whether anything follows the page.
    return this.#scannedAfter <= this.#request.countBudget || !this.#hasMore();
  }

  /**
   * Counts the lines before and after the page in a chunk that only uses `\n`: three times as fast as processing each
   * line, which is noticeable for a page near the end of a gigabyte.
   *
   * @returns offset of the first line that may belong to the page
   */
  #passOver(chunk: string, from: number): number {
    while (this.#full || this.#ended < this.#request.offset) {
      const newline = chunk.indexOf("\n", from);
      if (newline < 0) {
        this.#length += chunk.length - from;
        return chunk.length;
      }
      this.#ended += 1;
      this.#length = 0;
      from = newline + 1;
    }
    return from;
  }

  finish(complete: boolean): Page {
    if (complete && this.#length > 0) {
      this.#endLine();
    }
    const more = this.#hasMore();
    return {
      lines: this.#lines,
      totalLines: complete ? this.#ended : undefined,
      more,
      stoppedBy: more ? this.#stoppedBy : undefined,
    };
  }

  /** Whether there are lines after the last one returned, as far as the text was read. */
  #hasMore(): boolean {
    return this.#ended > this.#request.offset + this.#lines.length || (this.#full && this.#length > 0);
  }

  #extend(chunk: string, from: number, to: number): void {
    if (!this.#full && this.#ended >= this.#request.offset) {
      // Keep only the start and the window, so that a 500 MB line costs no more memory than two windows.
      const { lineWindow, column } = this.#request;
      this.#start += this.#within(chunk, from, to, 0, lineWindow);
      const margin = this.#margin();
      if (column > 1 || margin > 0) {
        const first = Math.max(0, column - 1 - margin);
        this.#window += this.#within(chunk, from, to, first, column - 1 + lineWindow + margin);
      }
    }
    this.#length += to - from;
  }

  /**
   * Returns the part of `chunk[from, to)`, which continues the current line, that is in its columns `[first, last)`.
   */
  #within(chunk: string, from: number, to: number, first: number, last: number): string {
    const start = Math.max(from, from + first - this.#length);
    const end = Math.min(to, from + last - this.#length);
    return start < end ? chunk.slice(start, end) : "";
  }

  #endLine(): void {
    const { offset, maxLines, maxBytes } = this.#request;
    if (!this.#full && this.#ended >= offset) {
      const windowed = this.#length > this.#request.lineWindow;
      const { text, column, end } = windowed ? this.#windowed() : { text: this.#start, column: 1, end: this.#length };
      const bytes = utf8Length(text) + 1 + (this.#request.lineCost ?? 0);
      if (maxLines !== undefined && this.#lines.length >= maxLines) {
        this.#stop("lines");
      } else if (this.#lines.length > 0 && this.#bytes + bytes > maxBytes) {
        this.#stop("bytes");
      } else {
        this.#lines.push({ number: this.#ended + 1, text, column, end, length: this.#length });
        this.#bytes += bytes;
        if (this.#lines.length === maxLines) {
          this.#stop("lines");
        }
      }
    }
    this.#ended += 1;
    this.#length = 0;
    this.#start = "";
    this.#window = "";
  }

  /** How much beside a window is looked at. */
  #margin(): number {
    return this.#request.masked === undefined ? 0 : MARGIN;
  }

  /** Returns the window of a long line, with its columns. */
  #windowed(): Pick<PageLine, "text" | "column" | "end"> {
    const { lineWindow, column, masked } = this.#request;
    if (masked === undefined) {
      const text = wholeCharacters(column > 1 ? this.#window : this.#start);
      return { text, column, end: column - 1 + text.length };
    }
    const first = Math.max(0, column - 1 - MARGIN);
    let from = column - 1 - first;
    let to = from + lineWindow;
    let text = "";
    let at = from;
    for (const { start, end, handle } of masked(this.#window)) {
      if (end > from && start < to) {
        from = Math.min(from, start);
        to = Math.max(to, end);
        text += this.#window.slice(at, start) + handle;
        at = end;
      }
    }
    const raw = wholeCharacters(this.#window.slice(from, to));
    text = wholeCharacters(text + this.#window.slice(at, to));
    return { text, column: first + from + 1, end: first + from + raw.length };
  }

  #stop(by: "lines" | "bytes"): void {
    this.#full = true;
    this.#stoppedBy = by;
  }
}

/** Removes half a surrogate pair from either end of a window. */
function wholeCharacters(window: string): string {
  const first = window.charCodeAt(0);
  const start = first >= 0xdc00 && first <= 0xdfff ? 1 : 0;
  const last = window.charCodeAt(window.length - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? window.length - 1 : window.length;
  return window.slice(start, end);
}

const encoder = new TextEncoder();

/** Code units counted per step. */
const COUNTED = 65_536;
let counting: Uint8Array | undefined;

/** Returns a text's length in UTF-8 bytes, without copying a long text. */
export function utf8Length(text: string): number {
  if (text.length <= COUNTED) {
    return encoder.encode(text).length;
  }
  // A code unit takes at most three bytes.
  counting ??= new Uint8Array(3 * COUNTED);
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    const isLast = at + COUNTED >= text.length;
    // Leave a high surrogate at the end to the next part.
    const end = isLast ? text.length : at + COUNTED - (isHigh(text, at + COUNTED - 1) ? 1 : 0);
    bytes += encoder.encodeInto(text.slice(at, end), counting).written;
    at = end;
  }
  return bytes;
}

function isHigh(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}
