import { asciiLineEnds, asciiText, isPlain, Utf8Chunks } from "./terminalBytes.js";
import { EscapeStripper } from "./terminalEscapes.js";
import { LineCollapser } from "./terminalLines.js";

/** Everything that depends on what else came through the same pipe. */
interface Pipe {
  decoder: Utf8Chunks;
  stripper: EscapeStripper;
}

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

/**
 * What programs write to a terminal, as plain text: pipes are decoded and stripped each on its own, then joined in the order in which
 * their chunks came, so that neither tears a character or a sequence of the other.
 *
 * Total and bounded: any bytes, in any chunks.
 */
export class TerminalText<Name extends string = string> {
  readonly #pipes = new Map<Name, Pipe>();
  readonly #lines = new LineCollapser();

  /** The line that has not ended yet: what comes next may overwrite it. */
  get line(): string {
    return this.#lines.line;
  }

  /** Takes in the next bytes of a pipe and gives the text that is fixed now. */
  push(name: Name, bytes: Uint8Array): string {
    const { decoder, stripper } = this.#pipe(name);
    if (decoder.isWhole && stripper.isIdle && isPlain(bytes)) {
      return this.#lines.pushPlain(decoder.push(bytes));
    }
    return this.#lines.push(stripper.push(decoder.push(bytes)));
  }

  /**
   * The same as `push` for lines of ASCII that need no change, which stay bytes: most output is that, and to decode and encode it costs more
   * than to read it. Undefined, and takes nothing in, for all else.
   */
  pushAscii(name: Name, bytes: Uint8Array): FixedAscii | undefined {
    const { decoder, stripper } = this.#pipe(name);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end === 0 || !decoder.isWhole || !stripper.isIdle) {
      return undefined;
    }
    const lineEnds = asciiLineEnds(bytes);
    const line = lineEnds === undefined ? undefined : this.#lines.pass(asciiText(bytes.subarray(end)));
    return lineEnds === undefined || line === undefined ? undefined : { line, bytes: bytes.subarray(0, end), lineEnds };
  }

  /** The rest, once no more comes. Pushing may go on: with a line of its own. */
  end(): string {
    let rest = "";
    for (const { decoder, stripper } of this.#pipes.values()) {
      rest += this.#lines.push(stripper.push(decoder.end()) + stripper.end());
    }
    return rest + this.#lines.end();
  }

  #pipe(name: Name): Pipe {
    let pipe = this.#pipes.get(name);
    if (pipe === undefined) {
      pipe = { decoder: new Utf8Chunks(), stripper: new EscapeStripper() };
      this.#pipes.set(name, pipe);
    }
    return pipe;
  }
}

/** What a terminal would show of a text that is at hand as a whole. */
export function plainTerminalText(text: string): string {
  const stripper = new EscapeStripper();
  const lines = new LineCollapser();
  return lines.push(stripper.push(text) + stripper.end()) + lines.end();
}
