/**
 * Characters that people do not see, or that change how others look: controls, direction marks, joiners, whitespace
 * other than the space, fillers, unpaired surrogates.
 */
const HIDDEN = /(?![ \n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}]/gu;

/** Names for a sentence, of the hidden characters used in attacks. */
const NAMES: Readonly<Record<string, string>> = {
  "\0": "NUL",
  "\b": "backspace",
  "\r": "carriage return",
  "\u001b": "escape",
  "\u00a0": "no-break space",
  "\u200b": "zero width space",
  "\u202d": "left-to-right override",
  "\u202e": "right-to-left override",
  "\u2066": "left-to-right isolate",
  "\u2067": "right-to-left isolate",
  "\ufeff": "byte order mark",
};

/** A text without hidden characters. */
export interface Shown {
  text: string;
  /** A sentence on what was made visible; undefined if nothing was. */
  notice: string | undefined;
}

/**
 * Shows hidden characters as escapes (`\u202e`, `\u{e0041}`), so that people see what a program gets.
 *
 * @param crlf whether a carriage return before a line feed is part of a line ending, as in a file, or an ordinary
 * character, as in a command
 */
export function showHidden(text: string, crlf: boolean): Shown {
  let first: string | undefined;
  let count = 0;
  const shown = (crlf ? text.replaceAll("\r\n", "\n") : text).replaceAll(
    HIDDEN,
    (character, at: number, whole: string) => {
      if (belongsToPictograph(character, at, whole)) {
        return character;
      }
      first ??= character;
      count++;
      return escapeOf(character);
    },
  );
  return { text: shown, notice: first === undefined ? undefined : noticeOf(count, first) };
}

/** Returns a text for people on one line, without hidden characters. */
export function visibleLine(text: string): string {
  return showHidden(text.replaceAll(/[ \n\t]+/g, " ").trim(), false).text;
}

/** Whether the character only joins several into one emoji (`❤️`, families). */
function belongsToPictograph(character: string, at: number, whole: string): boolean {
  const before = whole.slice(Math.max(0, at - 4), at);
  return character === "\ufe0f"
    ? /\p{Extended_Pictographic}$/u.test(before)
    : character === "\u200d" &&
        /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?$/u.test(before) &&
        /^\p{Extended_Pictographic}/u.test(whole.slice(at + 1, at + 3));
}

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}

function noticeOf(count: number, first: string): string {
  const name = NAMES[first] === undefined ? "" : ` (${NAMES[first]})`;
  return count === 1
    ? `An invisible character is shown as ${escapeOf(first)}${name}.`
    : `${count} invisible characters are shown as escapes, such as ${escapeOf(first)}${name}.`;
}
