/** The result of a key press in a terminal without a pty. */
export type LineEvent =
  /** To be shown: what the user typed, or its erasure. */
  | { echo: string }
  /** A complete text: a line with its ending, or the current line when the user pressed Ctrl+D. */
  | { text: string }
  | { key: "interrupt" | "end" };

/**
 * Escape sequences: keys that are not text (arrows, function keys), and the terminal's own answers to a program's
 * queries. A program could choose such an answer, which would then be read as the user's typing: none is passed on.
 */
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|O[ -~]|[ -/]*[0-~]?)/g;

/** Characters that are two cells wide. */
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303F\uFF01-\uFF60]/u;

/**
 * Maximum length of a line that is typed or pasted: a terminal's own lines end at 4,096 bytes, but here a paste may be
 * whole.
 */
const MAX_LINE = 1_000_000;

/** A line being typed, as a terminal's line discipline keeps it: nothing is sent before Enter. */
export class LineInput {
  #line: string[] = [];

  /** @param data as VS Code passes it: Enter is `\r`, Backspace `\x7f` */
  take(data: string): LineEvent[] {
    return [...data.replaceAll(ESCAPES, "").replaceAll("\r\n", "\r")].flatMap((key) => this.#press(key));
  }

  #press(key: string): LineEvent[] {
    switch (key) {
      case "\r":
      case "\n":
        return [{ echo: "\r\n" }, { text: `${this.#takeLine()}\n` }];
      case "\x03":
        this.#takeLine();
        return [{ key: "interrupt" }];
      case "\x04":
        return [this.#line.length === 0 ? { key: "end" } : { text: this.#takeLine() }];
      case "\x7f":
      case "\b":
        return this.#erase(1);
      case "\x15":
        return this.#erase(this.#line.length);
    }
    if ((key < " " && key !== "\t") || this.#line.length >= MAX_LINE) {
      return [];
    }
    this.#line.push(key);
    return [{ echo: key }];
  }

  #erase(characters: number): LineEvent[] {
    const erased = characters === 0 ? [] : this.#line.splice(-characters);
    const cells = erased.reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);
    return cells === 0 ? [] : [{ echo: "\b \b".repeat(cells) }];
  }

  #takeLine(): string {
    const line = this.#line.join("");
    this.#line = [];
    return line;
  }
}
