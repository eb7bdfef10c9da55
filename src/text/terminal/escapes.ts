/** Maximum code units kept of a control string (a title, a link, a clipboard) in case it turns out not to be one. */
const MAX_KEPT_STRING = 4_096;

/**
 * Replacements for the sequences that erase in a line, for `LineCollapser`. `EscapeStripper` returns no other C1
 * controls: those in the output are shown as U+FFFD.
 */
export const ERASE_RIGHT = "\u0080";
export const ERASE_LINE = "\u0081";

const ESCAPE = "\x1b";
/** All controls except backspace, tab, line feed and carriage return, which act on the text itself. */

const CONTROL = /[\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
/** A run of the same control. */

const CONTROL_RUN = /([\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f])\1*/g;
/**
 * Controls that begin no sequence: most of them, and an introducer that nothing valid follows. Binary data is full of
 * them, so a run is processed in one step.
 */

const INERT =
  /(?:[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x8f\x91-\x97\x99\x9a\x9c]|(?:\x1b\[?|\x9b)(?=[\x00-\x1f\x7f-\uffff]))+/y;
// ECMA-48: CSI with parameters, intermediates and a final byte. One longer than any terminal knows is text.

const CSI = /(?:\x1b\[|\x9b)([0-?]{0,64})[ -/]{0,8}([@-~])/y;
/** DCS, SOS, OSC, PM and APC each start a string, which ST ends. */

const STRING_START = /(?:\x1b[PX\]^_]|[\x90\x98\x9d-\x9f])/y;
/** ST, BEL (xterm), CAN and SUB end a string, ESC begins something else; a string contains no line feeds. */

const STRING_END = /[\x07\x18\x1a\x1b\x9c\n]/g;
/** Every other sequence: ESC, intermediates, a final byte. */

const SHORT = /\x1b[ -/]{0,8}[0-Z\\-~]/y;

const UNFINISHED = /(?:(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}|\x1b[ -/]{0,8})$/y;
/** Characters of the longest unfinished sequence: a two-character introducer, parameters, intermediates. */
const LONGEST_UNFINISHED = 2 + 64 + 8;

/**
 * Removes escape sequences from a text that arrives in chunks: the same result wherever they end, in bounded memory.
 *
 * Anything that a terminal would not treat as a sequence stays, with visible controls (`␛`); so does a control string
 * that is still open at the end of its line, or else a stray introducer would swallow everything after it. Bells and
 * character set shifts are removed.
 */
export class EscapeStripper {
  /**
   * The start of a sequence that the next chunk continues; inside a control string, an ESC that may be half of an ST.
   */
  #held = "";
  #string: { kept: string; isLonger: boolean } | undefined;

  /** Whether the next chunk begins outside any sequence. */
  get isIdle(): boolean {
    return this.#held === "" && this.#string === undefined;
  }

  push(chunk: string): string {
    // Use `join`, which copies once: after `+`, every search would copy both parts again (V8 of Node 24: 1,000 times
    // slower).
    const text = this.#held === "" ? chunk : [this.#held, chunk].join("");
    this.#held = "";
    let out = "";
    let at = 0;
    while (at < text.length) {
      if (this.#string !== undefined) {
        const end = find(STRING_END, text, at);
        this.#keep(this.#string, text, at, end);
        at = end;
        const character = text[at];
        if (character === ESCAPE && at + 1 === text.length) {
          this.#held = ESCAPE;
          return out;
        }
        if (character === "\n") {
          out += this.#giveBack();
        } else if (character === ESCAPE) {
          this.#string = undefined;
          at += text[at + 1] === "\\" ? 2 : 0;
        } else if (character !== undefined) {
          this.#string = undefined;
          at++;
        }
        continue;
      }
      const control = find(CONTROL, text, at);
      out += text.slice(at, control);
      at = control;
      if (at === text.length) {
        break;
      }
      INERT.lastIndex = at;
      if (INERT.test(text)) {
        out += shown(text.slice(at, INERT.lastIndex));
        at = INERT.lastIndex;
        continue;
      }
      const start = match(STRING_START, text, at);
      if (start !== undefined) {
        this.#string = { kept: start[0], isLonger: false };
        at += start[0].length;
        continue;
      }
      const sequence = match(CSI, text, at) ?? match(SHORT, text, at);
      if (sequence !== undefined) {
        out += editOf(sequence[1], sequence[2]);
        at += sequence[0].length;
        continue;
      }
      if (text.length - at <= LONGEST_UNFINISHED && match(UNFINISHED, text, at) !== undefined) {
        this.#held = text.slice(at);
        break;
      }
      out += shown(text.charAt(at));
      at++;
    }
    return out;
  }

  /** Returns the rest of a sequence that never ended. */
  end(): string {
    const rest = this.#string === undefined ? shown(this.#held) : this.#giveBack();
    this.#held = "";
    return rest;
  }

  #keep(string: { kept: string; isLonger: boolean }, text: string, from: number, to: number): void {
    const room = MAX_KEPT_STRING - string.kept.length;
    string.kept += text.slice(from, Math.min(to, from + room));
    string.isLonger ||= to - from > room;
  }

  #giveBack(): string {
    const { kept, isLonger } = this.#string ?? { kept: "", isLonger: false };
    this.#string = undefined;
    return shown(kept) + (isLonger ? "…" : "");
  }
}

/** Makes control characters visible and inert. */
function shown(text: string): string {
  return text.length === 1
    ? shownControl(text.charCodeAt(0))
    : text.replace(CONTROL_RUN, (run) => shownControl(run.charCodeAt(0)).repeat(run.length));
}

function shownControl(code: number): string {
  if (code === 7 || code === 14 || code === 15) {
    return "";
  }
  return code < 32 ? String.fromCharCode(0x2400 + code) : code === 127 ? "\u2421" : "\uFFFD";
}

/** Returns what an escape sequence does to its line: erases in it (EL), or moves to its start (CHA). */
function editOf(parameters: string | undefined, final: string | undefined): string {
  const first = parameters === undefined || parameters === "" ? 0 : Number(parameters);
  if (final === "K") {
    return first === 0 ? ERASE_RIGHT : first === 2 ? ERASE_LINE : "";
  }
  return final === "G" && first <= 1 ? "\r" : "";
}

/** Returns the index of the next match of a one-character pattern; the text's length if there is none. */
function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
