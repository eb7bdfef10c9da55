import { isInsidePair } from "../splitLines.js";
import { ERASE_LINE, ERASE_RIGHT } from "./escapes.js";

/**
 * Maximum code units of a line that can still be overwritten. Anything before them is final, so that a line that never
 * ends takes no more memory than this; no progress line is this long.
 */
export const MAX_OPEN_LINE = 4_096;

const EDIT = /[\b\r\x80\x81]/;

const EDIT_OR_END = /[\b\n\r\x80\x81]/g;
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;
const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;

/**
 * Collapses lines to what a terminal finally shows: a carriage return goes to the start of the line, a backspace one
 * character to the left, and following text overwrites, character for character. `\r\n` is a line ending. An
 * overwritten line loses its trailing spaces, which were there to cover its previous text.
 *
 * Takes text from `EscapeStripper` in chunks of whole characters: the same result wherever they end.
 */
export class LineCollapser {
  #line = "";
  #column = 0;
  #isEdited = false;

  /** The current state of the line that has not ended yet. */
  get line(): string {
    return this.#isEdited ? trimmed(this.#line) : this.#line;
  }

  /** Processes the next chunk and returns the text that can no longer be overwritten. */
  push(chunk: string): string {
    if (this.#column === this.#line.length && !this.#isEdited && !EDIT.test(chunk)) {
      return this.pushPlain(chunk);
    }
    const text = chunk.includes("\r\n") ? chunk.replaceAll("\r\n", "\n") : chunk;
    let fixed = "";
    let at = 0;
    while (at < text.length) {
      EDIT_OR_END.lastIndex = at;
      const end = EDIT_OR_END.exec(text)?.index ?? text.length;
      if (end > at) {
        fixed += this.#write(text.slice(at, end));
      }
      if (end < text.length) {
        fixed += this.#edit(text.charAt(end));
      }
      at = end + 1;
    }
    return fixed;
  }

  /** Does the same for a chunk whose only controls are line feeds and tabs. */
  pushPlain(chunk: string): string {
    const end = chunk.lastIndexOf("\n") + 1;
    if (this.#isEdited || this.#column !== this.#line.length) {
      return this.push(chunk);
    }
    if (end === 0) {
      return this.#write(chunk);
    }
    const fixed = this.#line + chunk.slice(0, end);
    this.#line = "";
    this.#column = 0;
    return fixed + this.#write(chunk.slice(end));
  }

  /**
   * Does the same for a chunk that the caller keeps, except for `next`, the text after its last line feed. Returns the
   * open line, which precedes that chunk; returns undefined, and changes nothing, if the line has been edited or `next`
   * is too long to hold.
   */
  pass(next: string): string | undefined {
    if (this.#isEdited || this.#column !== this.#line.length || next.length > MAX_OPEN_LINE) {
      return undefined;
    }
    const line = this.#line;
    this.#line = next;
    this.#column = next.length;
    return line;
  }

  /** Returns the line that never ended. */
  end(): string {
    const { line } = this;
    this.#startLine();
    return line;
  }

  #edit(control: string): string {
    switch (control) {
      case "\n": {
        const { line } = this;
        this.#startLine();
        return `${line}\n`;
      }
      case "\r":
        this.#column = 0;
        return "";
      case "\b":
        this.#column -= this.#column === 0 ? 0 : isInsidePair(this.#line, this.#column - 1) ? 2 : 1;
        return "";
      case ERASE_RIGHT:
        this.#isEdited ||= this.#column < this.#line.length;
        this.#line = this.#line.slice(0, this.#column);
        return "";
      case ERASE_LINE:
        this.#isEdited ||= this.#line !== "";
        this.#line = " ".repeat(this.#column);
        return "";
      default:
        return "";
    }
  }

  /** Writes characters at the current column; returns the start of a line that has become too long. */
  #write(text: string): string {
    if (this.#column === this.#line.length) {
      this.#line += text;
    } else {
      const behind = this.#line.slice(this.#column);
      const kept =
        PAIR.test(text) || PAIR.test(behind)
          ? behind.slice(unitsOf(behind, charactersOf(text)))
          : behind.slice(text.length);
      this.#line = this.#line.slice(0, this.#column) + text + kept;
      this.#isEdited = true;
    }
    this.#column += text.length;
    let from = 0;
    while (this.#line.length - from > MAX_OPEN_LINE) {
      from += isInsidePair(this.#line, from + MAX_OPEN_LINE) ? MAX_OPEN_LINE - 1 : MAX_OPEN_LINE;
    }
    const fixed = this.#line.slice(0, from);
    this.#line = this.#line.slice(from);
    this.#column -= from;
    return fixed;
  }

  #startLine(): void {
    this.#line = "";
    this.#column = 0;
    this.#isEdited = false;
  }
}

function charactersOf(text: string): number {
  return text.length - (text.match(PAIRS)?.length ?? 0);
}

/** Returns the length of a text's first characters, in code units. */
function unitsOf(text: string, characters: number): number {
  let units = 0;
  for (let count = 0; count < characters && units < text.length; count++) {
    units += isInsidePair(text, units + 1) ? 2 : 1;
  }
  return units;
}

function trimmed(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") {
    end--;
  }
  return line.slice(0, end);
}
