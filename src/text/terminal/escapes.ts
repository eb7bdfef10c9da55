/** Code units kept of a control string (a title, a link, a clipboard) in case it turns out to be none. */
const MAX_KEPT_STRING = 4_096;

/**
 * What is left of the sequences that erase in a line, for `LineCollapser`. C1 controls never come out of
 * `EscapeStripper` otherwise: those of the output are shown as U+FFFD.
 */
export const ERASE_RIGHT = "\u0080";
export const ERASE_LINE = "\u0081";

const ESCAPE = "\x1b";
/** All controls but backspace, tab, line feed and carriage return, which act on the text itself. */

const CONTROL = /[\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
/** One of them, as often as it stands in a row. */

const CONTROL_RUN = /([\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f])\1*/g;
/**
 * What begins no sequence: most controls, and an introducer before what goes on with none. Binary data is full of them,
 * so a run is taken at once.
 */

const INERT =
  /(?:[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x8f\x91-\x97\x99\x9a\x9c]|(?:\x1b\[?|\x9b)(?=[\x00-\x1f\x7f-\uffff]))+/y;
// ECMA-48: CSI with parameters, intermediates and a final byte. Longer ones than any terminal knows are text.

const CSI = /(?:\x1b\[|\x9b)([0-?]{0,64})[ -/]{0,8}([@-~])/y;
/** DCS, SOS, OSC, PM and APC: a string that ST ends. */

const STRING_START = /(?:\x1b[PX\]^_]|[\x90\x98\x9d-\x9f])/y;
/** ST, BEL (xterm), CAN and SUB end a string, ESC begins something else; a string has no line feeds. */

const STRING_END = /[\x07\x18\x1a\x1b\x9c\n]/g;
/** Every other sequence: ESC, intermediates, a final byte. */

const SHORT = /\x1b[ -/]{0,8}[0-Z\\-~]/y;

const UNFINISHED = /(?:(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}|\x1b[ -/]{0,8})$/y;
/** Characters of the longest one: an introducer of two, parameters, intermediates. */
const LONGEST_UNFINISHED = 2 + 64 + 8;

/**
 * Takes escape sequences out of a text that arrives in chunks: the same result wherever they end, in bounded memory.
 *
 * What a terminal would not take for a sequence stays, its controls shown (`␛`); so does a control string that is open
 * at the end of its line, or else a stray introducer would swallow all that follows. Bells and character set shifts
 * vanish.
 */
export class EscapeStripper {
  /**
   * The start of a sequence that the next chunk goes on with; inside a control string an ESC that may be half an ST.
   */
  #held = "";
  #string: { kept: string; isLonger: boolean } | undefined;

  /** Whether the next chunk begins outside of all sequences. */
  get isIdle(): boolean {
    return this.#held === "" && this.#string === undefined;
  }

  push(chunk: string): string {
    // By `join`, which copies: each search in the two put together by `+` would copy them again (V8 of Node 24: 1,000
    // times slower).
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

  /** What is left of a sequence that never ended. */
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

/** Control characters so that they can be seen and act on nothing. */
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

/** What a sequence does to the line it stands in: erase it (EL), or go to its start (CHA). */
function editOf(parameters: string | undefined, final: string | undefined): string {
  const first = parameters === undefined || parameters === "" ? 0 : Number(parameters);
  if (final === "K") {
    return first === 0 ? ERASE_RIGHT : first === 2 ? ERASE_LINE : "";
  }
  return final === "G" && first <= 1 ? "\r" : "";
}

/** Where the pattern, of one character, is found next; the end of the text when it is not. */
function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
