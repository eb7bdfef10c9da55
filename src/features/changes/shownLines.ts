import type { ReplacedPlace } from "../../ports/changes.js";
import { splitLines } from "../../text/splitLines.js";

/** Maximum number of lines kept, over all sessions: several hundred answers. The oldest are forgotten. */
const MAX_LINES = 100_000;
/** Maximum characters of a line that is kept; longer ones are shown in part anyway. */
const MAX_LINE = 1_000;

/**
 * How answers mark lines: with a number and a tab (read, cat -n), a number and a colon or hyphen (grep), a path and a
 * number (grep -n), or the sign of a diff. The second form of a number keeps the blank that may be the line's own.
 */
const MARKS = [/^\s*\d+\t/, /^\s*\d+[:-] /, /^\s*\d+[:-]/, /^[^\s:]+:\d+:/, /^[+ ]/];

/**
 * Remembers the lines that sessions were shown, whatever showed them: a search or a command that printed a file. A line
 * counts by its text alone: what must be known of a place is the text that is replaced, not where it was seen.
 */
export class ShownLines {
  readonly #max: number;
  /** Keyed by session and line, oldest first. */
  readonly #lines = new Set<string>();

  constructor(max = MAX_LINES) {
    this.#max = max;
  }

  /** Records that a session was shown a text. */
  add(session: string, text: string): void {
    for (const shown of text.split("\n")) {
      const line = shown.trimEnd();
      if (line !== "" && line.length <= MAX_LINE) {
        this.#keep(keyOf(session, line));
        unmarked(line).forEach((each) => this.#keep(keyOf(session, each)));
      }
    }
  }

  /** Whether a session was shown every line of a place, of which at least one is not blank. */
  has(session: string, text: string, { startLine, endLine }: Pick<ReplacedPlace, "startLine" | "endLine">): boolean {
    const lines = splitLines(text)
      .slice(startLine - 1, endLine)
      .map((line) => line.trimEnd())
      .filter((line) => line !== "");
    return lines.length > 0 && lines.every((line) => this.#lines.has(keyOf(session, line)));
  }

  #keep(key: string): void {
    this.#lines.delete(key);
    this.#lines.add(key);
    if (this.#lines.size > this.#max) {
      for (const oldest of this.#lines) {
        this.#lines.delete(oldest);
        return;
      }
    }
  }
}

/** Returns a line without what an answer may have put before it, in each way that this can be read. */
export function unmarked(line: string): string[] {
  return MARKS.filter((mark) => mark.test(line)).map((mark) => line.replace(mark, ""));
}

function keyOf(session: string, line: string): string {
  return `${session}\0${line}`;
}
