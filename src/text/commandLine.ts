// A command line as people type it, and its words, where no shell will run it.

/** What an unquoted character would mean to a shell. */
const OPERATORS: Readonly<Record<string, string>> = {
  "|": "a pipe",
  "&": "a background command, or another one",
  ";": "another command",
  "<": "a redirection",
  ">": "a redirection",
  "(": "a subshell",
  ")": "a subshell",
  "`": "a command substitution",
  $: "a variable or a command substitution",
  "*": "file names",
};

/** In double quotes, a backslash escapes only these. */
const ESCAPED_IN_QUOTES = '"\\$`';

/**
 * Splits a command line into words as a POSIX shell does. Placeholders such as `{path}` are text.
 *
 * @returns what is wrong with it, as a sentence, where it needs a shell: pipes, variables, wildcards
 */
export function splitCommandLine(line: string): { words: string[] } | { problem: string } {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index);
    const next = line.charAt(index + 1);
    if (quote === "'") {
      quote = character === "'" ? undefined : quote;
      word = (word ?? "") + (character === "'" ? "" : character);
    } else if (quote === '"') {
      if (character === '"') {
        quote = undefined;
      } else if (character === "\\" && next !== "" && ESCAPED_IN_QUOTES.includes(next)) {
        word = (word ?? "") + next;
        index++;
      } else if (character === "$" || character === "`") {
        return { problem: needsShell(character) };
      } else {
        word = (word ?? "") + character;
      }
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (character === "\\") {
      if (next === "") {
        return { problem: "The line ends with a backslash, which would continue it." };
      }
      word = (word ?? "") + next;
      index++;
    } else if (/\s/.test(character)) {
      words.push(...(word === undefined ? [] : [word]));
      word = undefined;
    } else if (Object.hasOwn(OPERATORS, character)) {
      return { problem: needsShell(character) };
    } else if (character === "~" && word === undefined) {
      return { problem: "No shell runs the command, so ~ is not the home folder. Write the whole path." };
    } else {
      word = (word ?? "") + character;
    }
  }
  if (quote !== undefined) {
    return { problem: `A quote (${quote}) is not closed.` };
  }
  return { words: [...words, ...(word === undefined ? [] : [word])] };
}

/** Returns a word as `splitCommandLine` reads it back. */
export function quoteWord(word: string): string {
  return /^[\w./:@%+,=?{}-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function needsShell(character: string): string {
  return `No shell runs the command, so ${character} is not ${OPERATORS[character] ?? "special"}. Quote it if it is text; otherwise put the line into a script.`;
}
