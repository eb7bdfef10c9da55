import { matchesParts } from "./patterns.js";

/** The texts between the unquoted `*` of a word: a single part if it is literal. */
type PatternWord = readonly string[];

/** A rule's `command`: literal words, in which `*` matches any characters, and a final `**` for any further words. */
export interface CommandPattern {
  /** The pattern as written, which may be a whole command line. */
  line: string;
  words: readonly PatternWord[];
  /** Whether any number of words may follow. */
  open: boolean;
  /** Whether it matches exactly one command, word for word. */
  exact: boolean;
  /** Why it is not a pattern of words; `words` ends before the problem. */
  odd?: string;
}

export type Certainty = "yes" | "maybe" | "no";

/** Characters that are special to a shell: with one of them unquoted a pattern can only be a whole line. */
const SHELL = /[;|&<>()$`\n\r]/;

/** Parses a pattern: words with quotes as in a shell, but without expansion. */
export function commandPattern(line: string): CommandPattern {
  const words: PatternWord[] = [];
  const scanner = { text: line.trim(), at: 0 };
  let open = false;
  let odd: string | undefined;
  while (odd === undefined && scanner.at < scanner.text.length) {
    const word = nextWord(scanner);
    if (word.odd !== undefined) {
      ({ odd } = word);
    } else if (open) {
      odd = "** is only allowed at the end";
    } else if (word.isOpen) {
      open = true;
    } else {
      words.push(word.parts);
    }
  }
  if (words.length === 0 && !open && odd === undefined) {
    odd = "it is empty";
  }
  return {
    line: scanner.text,
    words,
    open: open || odd !== undefined,
    exact: !open && odd === undefined && words.every((parts) => parts.length === 1),
    ...(odd === undefined ? {} : { odd }),
  };
}

function nextWord(scanner: { text: string; at: number }): { parts: PatternWord; isOpen: boolean; odd?: string } {
  const { text } = scanner;
  const parts = [""];
  const add = (more: string): void => void (parts[parts.length - 1] += more);
  const from = scanner.at;
  let odd: string | undefined;
  while (scanner.at < text.length && !/[ \t]/.test(text.charAt(scanner.at))) {
    const character = text.charAt(scanner.at++);
    if (character === "'" || character === '"') {
      const end = text.indexOf(character, scanner.at);
      odd ??= end < 0 ? `its ${character} is not closed` : undefined;
      add(text.slice(scanner.at, end < 0 ? undefined : end));
      scanner.at = end < 0 ? text.length : end + 1;
    } else if (character === "\\") {
      add(text.charAt(scanner.at++));
    } else if (character === "*") {
      parts.push("");
    } else {
      odd ??= SHELL.test(character) ? `${JSON.stringify(character)} is not part of a word` : undefined;
      add(character);
    }
  }
  const isOpen = text.slice(from, scanner.at) === "**";
  while (/[ \t]/.test(text.charAt(scanner.at))) {
    scanner.at++;
  }
  return { parts, isOpen, ...(odd === undefined ? {} : { odd }) };
}

/**
 * Whether a pattern matches a command's words. `maybe`: it has a word only known at run time.
 * @param words its name first; undefined for a word only known at run time
 */
export function matchesWords(
  { words: pattern, open }: CommandPattern,
  words: readonly (string | undefined)[],
): Certainty {
  for (const [index, wanted] of pattern.entries()) {
    if (index >= words.length) {
      return "no";
    }
    const word = words[index];
    if (word === undefined) {
      // It may expand to no word, one or several: words after it have no fixed position.
      return "maybe";
    }
    if (!matchesParts(wanted, word)) {
      return "no";
    }
  }
  const rest = words.slice(pattern.length);
  if (open || rest.length === 0) {
    return "yes";
  }
  return rest.every((word) => word === undefined) ? "maybe" : "no";
}

/** Returns a pattern that matches exactly these words. */
export function patternOf(words: readonly string[], open: boolean): string {
  return [...words.map(quoted), ...(open ? ["**"] : [])].join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~^-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
