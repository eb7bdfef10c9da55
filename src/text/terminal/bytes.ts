/** The highest bit of each of the four bytes in a word. */
const HIGH_BITS = 0x80808080;

/** `ignoreBOM` keeps a byte order mark, because it is ordinary output. */
const OPTIONS = { ignoreBOM: true };
const utf8 = new TextDecoder("utf-8", OPTIONS);

/** Decodes UTF-8 that arrives in chunks: the same text wherever they end; invalid bytes become U+FFFD. */
export class Utf8Chunks {
  readonly #decoder = new TextDecoder("utf-8", OPTIONS);
  #isWhole = true;

  /** Whether the last chunk certainly ended between two characters: it ended in ASCII. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  push(chunk: Uint8Array): string {
    this.#isWhole = chunk.length === 0 ? this.#isWhole : (chunk.at(-1) ?? 0) < 0x80;
    return this.#decoder.decode(chunk, { stream: true });
  }

  /** Returns replacement text for a character left incomplete at the end. */
  end(): string {
    this.#isWhole = true;
    return this.#decoder.decode();
  }
}

/**
 * Counts the line feeds in bytes that are all ASCII, without control characters except line feeds and tabs; undefined
 * for any other bytes.
 */
export function asciiLineEnds(bytes: Uint8Array): number | undefined {
  // Data from a pipe is aligned to four bytes.
  const words =
    bytes.byteOffset % 4 === 0 ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2) : new Int32Array(0);
  let count = 0;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? 0;
    // Sets the high bit for every byte below 32, or 127 and above. May set one too many, never one too few.
    if ((((word - 0x20202020) | (word + 0x01010101) | word) & HIGH_BITS) !== 0) {
      const ends = lineEndsOf(word);
      if (ends === undefined) {
        return undefined;
      }
      count += ends;
    }
  }
  for (let at = words.length * 4; at < bytes.length; at++) {
    const ends = lineEndsOf(((bytes[at] ?? 0) << 24) | 0x202020);
    if (ends === undefined) {
      return undefined;
    }
    count += ends;
  }
  return count;
}

/** Does the same for four bytes. For bytes below 128, no sum carries into the next byte. */
function lineEndsOf(word: number): number | undefined {
  if ((word & HIGH_BITS) !== 0) {
    return undefined;
  }
  const isEnd = ~((word ^ 0x0a0a0a0a) + 0x7f7f7f7f) & HIGH_BITS;
  const isTab = ~((word ^ 0x09090909) + 0x7f7f7f7f);
  const isPrinted = (word + 0x60606060) & ~(word + 0x01010101);
  return ((isEnd | isTab | isPrinted) & HIGH_BITS) === (HIGH_BITS | 0)
    ? Math.imul(isEnd >>> 7, 0x01010101) >>> 24
    : undefined;
}

/** Decodes ASCII. */
export function asciiText(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}
