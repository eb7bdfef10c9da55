/** Checks a program before it is parsed: its size, its depth, and characters that no shell program needs. */

/** Longest program that is parsed, in UTF-16 units: the longest that is passed to a shell as an argument. */
const MAX_LENGTH = 100_000;

/** Deepest nesting of brackets. People write fewer than ten levels; the walk over the tree recurses. */
const MAX_DEPTH = 100;

/**
 * Characters that make a text look like a different one: bidirectional controls (Unicode TR36, CVE-2021-42574), and
 * invisible ones. They are refused even within quotes, since the person who is asked sees the text.
 */
const DECEPTIVE = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/;

/**
 * Characters that some programs read as a line ending or whitespace but bash as part of a word; and other control
 * characters. Within quotes they are data.
 */
const ODD_OUTSIDE_QUOTES =
  /[\x00-\x08\x0B-\x1F\x7F-\xA0\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF]/;

/** Returns why a program is not even parsed; undefined if it can be. Takes time linear in its length for any text. */
export function textDoubt(program: string): string | undefined {
  if (program.length > MAX_LENGTH) {
    return `the command is longer than ${MAX_LENGTH} characters`;
  }
  if (program.includes("\0")) {
    return "the command has a NUL character";
  }
  // An unpaired surrogate becomes another character on its way to the shell.
  if (/\p{Surrogate}/u.test(program)) {
    return "the command has an unpaired surrogate";
  }
  if (DECEPTIVE.test(program)) {
    return "the command has invisible or direction-changing characters";
  }
  return depth(program) > MAX_DEPTH ? `the command is nested more than ${MAX_DEPTH} levels deep` : undefined;
}

/** Returns why text outside quotes may not be what it looks like. */
export function oddCharacter(text: string): string | undefined {
  const found = ODD_OUTSIDE_QUOTES.exec(text)?.[0];
  return found === undefined
    ? undefined
    : `the character U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")} is outside quotes`;
}

/**
 * Returns how deep brackets nest, ignoring quotes: never less than the true depth of constructs that open with a
 * bracket, unless a closing one is quoted.
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
