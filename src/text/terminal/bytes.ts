/** Nothing of a character is cut off in longer rests. */
const LONGEST_REST = 3;
const NEWLINE = 10;
const TAB = 9;
/** The first byte of C1 controls (U+0080 to U+009F) in UTF-8, and of the 32 characters behind them. */
const C1_LEAD = 0xc2;
const DELETE = 0x7f;
/** Of the four bytes in a word. */
const HIGH_BITS = 0x80808080;

/** `ignoreBOM` keeps a byte order mark: it is output like the rest. */
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * UTF-8 that arrives in chunks: the same text wherever they end; what is invalid becomes U+FFFD, as `TextDecoder` has
 * it.
 *
 * Not `TextDecoder` with `stream`: on Node 20 that is ten times slower, slower than a pipe.
 */
export class Utf8Chunks {
  #rest: Uint8Array = new Uint8Array(0);

  /** Whether the last chunk ended between two characters. */
  get isWhole(): boolean {
    return this.#rest.length === 0;
  }

  push(chunk: Uint8Array): string {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    const end = bytes.length - cutOff(bytes);
    // A copy, since the next chunk is written over this one. Not `slice`: of a Buffer of Node that is none.
    this.#rest = new Uint8Array(bytes.subarray(end));
    return utf8.decode(bytes.subarray(0, end));
  }

  /** What is left of a character that never became whole. */
  end(): string {
    const rest = utf8.decode(this.#rest);
    this.#rest = new Uint8Array(0);
    return rest;
  }
}

/**
 * Whether bytes of UTF-8 have no control characters but line feeds and tabs: then nothing in them acts on a terminal.
 * Wrong only towards false.
 */
export function isPlain(bytes: Uint8Array): boolean {
  const { length } = bytes;
  let at = 0;
  if (bytes.byteOffset % 4 === 0) {
    // Four bytes at a time: every byte of a pipe comes through here.
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, length >> 2);
    for (let index = 0; index < words.length; index++) {
      const word = words[index] ?? 0;
      // The high bit of every byte below 32, or of 127 and more. May find one too many, never one too few.
      if ((((word - 0x20202020) | (word + 0x01010101) | word) & HIGH_BITS) !== 0) {
        at = index * 4;
        if (isControl(bytes, at) || isControl(bytes, at + 1) || isControl(bytes, at + 2) || isControl(bytes, at + 3)) {
          return false;
        }
      }
    }
    at = words.length * 4;
  }
  for (; at < length; at++) {
    if (isControl(bytes, at)) {
      return false;
    }
  }
  return true;
}

/**
 * How many line feeds there are in bytes that are all ASCII without controls but line feeds and tabs; undefined for any
 * others.
 */
export function asciiLineEnds(bytes: Uint8Array): number | undefined {
  // What a pipe gives is aligned.
  const words =
    bytes.byteOffset % 4 === 0 ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2) : new Int32Array(0);
  let count = 0;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? 0;
    // As in `isPlain`; a line feed is found, too.
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

/** The same of four bytes. In bytes below 128 no sum carries over to the next one. */
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

/** The text of ASCII. */
export function asciiText(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}

function isControl(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at] ?? 0;
  return (byte < 32 && byte !== NEWLINE && byte !== TAB) || byte === DELETE || byte === C1_LEAD;
}

/** How many bytes at the end are the beginning of a character whose other bytes may still come. */
function cutOff(bytes: Uint8Array): number {
  for (let size = 1; size <= LONGEST_REST && size <= bytes.length; size++) {
    const lead = bytes[bytes.length - size] ?? 0;
    if (lead < 0x80) {
      return 0;
    }
    if (lead >= 0xc0) {
      return size < lengthOf(lead) && (size === 1 || canFollow(lead, bytes[bytes.length - size + 1] ?? 0)) ? size : 0;
    }
  }
  return 0;
}

/** Bytes of a character by its first one; 1 for a byte that begins none. */
function lengthOf(lead: number): number {
  return lead < 0xc2 || lead > 0xf4 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** The Unicode Standard, table 3-7: four first bytes narrow what the second may be. */
function canFollow(lead: number, second: number): boolean {
  switch (lead) {
    case 0xe0:
      return second >= 0xa0;
    case 0xed:
      return second < 0xa0;
    case 0xf0:
      return second >= 0x90;
    case 0xf4:
      return second < 0x90;
    default:
      return true;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
