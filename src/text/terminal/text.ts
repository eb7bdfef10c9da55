import { asciiLineEnds, asciiText, Utf8Chunks } from "./bytes.js";
import { EscapeStripper } from "./escapes.js";
import { LineCollapser } from "./lines.js";

/** Text that is fixed now, of a chunk that is text as it came. */
export interface FixedAscii {
  /** What was the open line: it comes first. */
  line: string;
  /** Whole lines behind it, of which the first goes on with it. */
  bytes: Uint8Array;
  /** Line feeds of them. */
  lineEnds: number;
}

const NEWLINE = 10;
/** Control characters but line feeds and tabs: without them nothing in a text acts on a terminal. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

/**
 * What programs write to a terminal, as plain text.
 *
 * Total and bounded: any bytes, in any chunks.
 */
export class TerminalText {
  readonly #decoder = new Utf8Chunks();
  readonly #stripper = new EscapeStripper();
  readonly #lines = new LineCollapser();

  /** The line that has not ended yet: what comes next may overwrite it. */
  get line(): string {
    return this.#lines.line;
  }

  /** Takes in the next bytes and gives the text that is fixed now. */
  push(bytes: Uint8Array): string {
    const text = this.#decoder.push(bytes);
    return this.#stripper.isIdle && !CONTROL.test(text)
      ? this.#lines.pushPlain(text)
      : this.#lines.push(this.#stripper.push(text));
  }

  /**
   * The same as `push` for lines of ASCII that need no change, which stay bytes: most output is that, and to decode and
   * encode it costs more than to read it. Undefined, and takes nothing in, for all else.
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

  /** The rest, once no more comes. Pushing may go on: with a line of its own. */
  end(): string {
    return this.#lines.push(this.#stripper.push(this.#decoder.end()) + this.#stripper.end()) + this.#lines.end();
  }
}

/** What a terminal would show of a text that is at hand as a whole. */
export function plainTerminalText(text: string): string {
  const stripper = new EscapeStripper();
  const lines = new LineCollapser();
  return lines.push(stripper.push(text) + stripper.end()) + lines.end();
}
