/**
 * What can be said of a program before it is parsed: its size, its depth, and characters that no shell program needs.
 */

/** Longest program that is parsed, in UTF-16 units: the longest that is given to a shell as an argument. */
const MAX_LENGTH = 100_000;

/** Deepest nesting of brackets. People write less than ten levels; the walk below recurses. */
const MAX_DEPTH = 100;

/**
 * Characters that make a text look like another one: bidirectional controls (Unicode TR36, CVE-2021-42574), and what is
 * shown as nothing at all. They are refused within quotes, too, since a person is asked with the text.
 */
const DECEPTIVE = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/;

/**
 * Characters that some programs take for the end of a line or for a blank, and bash for a part of a word; other
 * controls. Within quotes they are data.
 */
const ODD_OUTSIDE_QUOTES =
  /[\x00-\x08\x0B-\x1F\x7F-\xA0\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF]/;

/** Why a program is not even parsed; undefined when it can be. Takes time linear in its length, whatever the text. */
export function textDoubt(program: string): string | undefined {
  if (program.length > MAX_LENGTH) {
    return `the command is longer than ${MAX_LENGTH} characters`;
  }
  if (program.includes("\0")) {
    return "the command has a NUL character";
  }
  // Half a character becomes another one on its way to the shell.
  if (/\p{Surrogate}/u.test(program)) {
    return "the command has half a character";
  }
  if (DECEPTIVE.test(program)) {
    return "the command has invisible or direction-changing characters";
  }
  return depth(program) > MAX_DEPTH ? `the command is nested more than ${MAX_DEPTH} levels deep` : undefined;
}

/** Why a piece of text outside quotes is not taken for what it looks like. */
export function oddCharacter(text: string): string | undefined {
  const found = ODD_OUTSIDE_QUOTES.exec(text)?.[0];
  return found === undefined
    ? undefined
    : `the character U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")} stands outside quotes`;
}

/**
 * How deep brackets nest, quotes not looked at: never less than the true depth of what opens with a bracket, unless a
 * closing one is quoted.
 */
function depth(program: string): number {
  let open = 0;
  let most = 0;
  for (const character of program) {
    if (character === "(" || character === "{") {
      most = Math.max(most, ++open);
    } else if (character === ")" || character === "}") {
      open = Math.max(0, open - 1);
    }
  }
  return most;
}
