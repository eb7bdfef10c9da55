/** A place as `takePage` counts: a line ends at `\r\n`, `\n` or a lone `\r`. Both are 1-based, the column in code units. */
export interface TextPlace {
  line: number;
  column: number;
}

/**
 * Finds where a place is that ripgrep counts: in bytes of UTF-8 from the start of a line, with lines that end at `\n`
 * alone.
 *
 * @param chunks decoded text; a chunk may end anywhere. Nothing behind the place's chunk is read
 * @param line 1-based
 * @param bytes from the start of that line on; they may lead into a later one
 * @param isUtf8 whether the bytes are those of the text; otherwise a replacement character stands for one byte
 *
 * @returns undefined if the text ends before
 */
export async function placeAtByte(
  chunks: AsyncIterable<string>,
  line: number,
  bytes: number,
  isUtf8 = true,
): Promise<TextPlace | undefined> {
  const finder = new PlaceFinder(line - 1, bytes, isUtf8 ? undefined : REPLACEMENT);
  for await (const chunk of chunks) {
    if (finder.push(chunk)) {
      break;
    }
  }
  return finder.place;
}

const REPLACEMENT = 0xfffd;

class PlaceFinder {
  /** Line feeds, and bytes behind them, before the place. */
  #lineFeeds: number;
  #bytes: number;
  /** The code unit that stands for one byte. */
  readonly #replacement: number | undefined;
  #line = 1;
  #column = 1;
  #isBehindCarriageReturn = false;

  constructor(lineFeeds: number, bytes: number, replacement: number | undefined) {
    this.#replacement = replacement;
    this.#lineFeeds = lineFeeds;
    this.#bytes = bytes;
  }

  get place(): TextPlace | undefined {
    return this.#lineFeeds === 0 && this.#bytes <= 0 ? { line: this.#line, column: this.#column } : undefined;
  }

  /** Returns whether the place is in this chunk. */
  push(chunk: string): boolean {
    let to = 0;
    for (; this.#lineFeeds > 0 && to < chunk.length; this.#lineFeeds--) {
      const end = chunk.indexOf("\n", to);
      if (end < 0) {
        to = chunk.length;
        break;
      }
      to = end + 1;
    }
    for (; this.#lineFeeds === 0 && this.#bytes > 0 && to < chunk.length; to++) {
      const unit = chunk.charCodeAt(to);
      this.#bytes -= unit === this.#replacement ? 1 : bytesOf(unit);
    }
    this.#pass(chunk, to);
    return to < chunk.length;
  }

  /** Counts the lines and columns of a chunk up to `to`. */
  #pass(chunk: string, to: number): void {
    let from = this.#isBehindCarriageReturn && to > 0 && chunk.startsWith("\n") ? 1 : 0;
    const lineEnd = chunk.includes("\r") ? /\r\n?|\n/g : /\n/g;
    for (const { index, 0: end } of chunk.slice(0, to).matchAll(lineEnd)) {
      if (index >= from) {
        this.#line++;
        this.#column = 1;
        from = index + end.length;
      }
    }
    this.#column += to - from;
    this.#isBehindCarriageReturn = to > 0 ? chunk[to - 1] === "\r" : this.#isBehindCarriageReturn;
  }
}

/** The bytes that a code unit takes in UTF-8: half of a pair takes half of the pair's four. */
function bytesOf(unit: number): number {
  return unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
}
