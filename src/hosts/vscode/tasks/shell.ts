/** How an argument of a task is quoted; VS Code's names are `escape`, `strong` and `weak`. */
export type Quoting = "escape" | "strong" | "weak";

/** A word of a shell task: plain, or with the quoting it requests. */
export type TaskWord = string | { value: string; quoting: Quoting };

/** Quotes a text as one word of bash, whatever it contains. */
export function bashWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Builds the command line of a shell task, as VS Code does: a command alone is a complete shell line, already quoted.
 * With arguments, words with spaces outside quotes are quoted; the shell may expand everything else.
 */
export function shellLine(command: TaskWord, args: readonly TaskWord[]): string {
  if (args.length === 0 && typeof command === "string") {
    return command;
  }
  return [command, ...args].map(shellWord).join(" ");
}

/** Builds the command line that passes exactly these arguments to a process. */
export function processLine(command: string, args: readonly string[]): string {
  return [command, ...args].map(bashWord).join(" ");
}

function shellWord(word: TaskWord): string {
  if (typeof word === "string") {
    // Without quotes an empty argument would disappear.
    return word === "" ? "''" : hasOpenBlank(word) ? strong(word) : word;
  }
  switch (word.quoting) {
    case "strong":
      return strong(word.value);
    case "weak":
      return `"${word.value.replaceAll('"', '\\"')}"`;
    case "escape":
      return word.value.replaceAll(/[ "']/g, (character) => `\\${character}`);
  }
}

function strong(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Whether a word contains a space outside quotes and not after a backslash: VS Code's own rule. */
function hasOpenBlank(word: string): boolean {
  let quote: string | undefined;
  for (let at = 0; at < word.length; at++) {
    const character = word[at];
    if (character === quote) {
      quote = undefined;
    } else if (quote === undefined) {
      if (character === "\\") {
        at++;
      } else if (character === "'" || character === '"') {
        quote = character;
      } else if (character === " ") {
        return true;
      }
    }
  }
  return false;
}
