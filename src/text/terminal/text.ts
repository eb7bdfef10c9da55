import { asciiLineEnds, asciiText, Utf8Chunks } from "./bytes.js";
import { EscapeStripper } from "./escapes.js";
import { LineCollapser } from "./lines.js";

/** Final text from a chunk that needed no change. */
export interface FixedAscii {
  /** The previously open line, which comes first. */
  line: string;
  /** Whole lines after it; the first one continues it. */
  bytes: Uint8Array;
  /** Line feeds in them. */
  lineEnds: number;
}

const NEWLINE = 10;
/** Control characters except line feeds and tabs: without them nothing in a text acts on a terminal. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

/**
 * Converts what programs write to a terminal into plain text.
 *
 * Accepts any bytes, in any chunks, in bounded memory.
 */
export class TerminalText {
  readonly #decoder = new Utf8Chunks();
  readonly #stripper = new EscapeStripper();
  readonly #lines = new LineCollapser();

  /** The line that has not ended yet; the next output may overwrite it. */
  get line(): string {
    return this.#lines.line;
  }

  /** Processes the next bytes and returns the text that is final now. */
  push(bytes: Uint8Array): string {
    const text = this.#decoder.push(bytes);
    return this.#stripper.isIdle && !CONTROL.test(text)
      ? this.#lines.pushPlain(text)
      : this.#lines.push(this.#stripper.push(text));
  }

  /**
   * Does the same as `push`, for ASCII lines that need no change and stay bytes: most output is like that, and decoding
   * and encoding it costs more than reading it. Returns undefined, and changes nothing, for everything else.
   */
  pushAscii(bytes: Uint8Array): FixedAscii | undefined {
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end === 0 || !this.#decoder.isWhole || !this.#stripper.isIdle) {
      return undefined;
    }
    const lineEnds = asciiLineEnds(bytes);
    const line = lineEnds === undefined ? undefined : this.#lines.pass(asciiText(bytes.subarray(end)));
    return lineEnds === undefined || line === undefined ? undefined : { line, bytes: bytes.subarray(0, end), lineEnds };
  }

  /** Returns the rest at the end of the output. Later pushes start a new line. */
  end(): string {
    return this.#lines.push(this.#stripper.push(this.#decoder.end()) + this.#stripper.end()) + this.#lines.end();
  }
}

/** Returns what a terminal would show of a complete text. */
export function plainTerminalText(text: string): string {
  const stripper = new EscapeStripper();
  const lines = new LineCollapser();
  return lines.push(stripper.push(text) + stripper.end()) + lines.end();
}
