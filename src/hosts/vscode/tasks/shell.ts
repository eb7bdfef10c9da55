/** How an argument of a task is quoted: what VS Code names `escape`, `strong` and `weak`. */
export type Quoting = "escape" | "strong" | "weak";

/** A word of a shell task: as it is, or with the quoting it asks for. */
export type TaskWord = string | { value: string; quoting: Quoting };

/** A text as one word of bash, whatever it holds. */
export function bashWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * The command line of a shell task, as VS Code makes it: a command alone is a line of the shell's, already written as
 * it should be. With arguments, words that hold blanks outside quotes are quoted; everything else the shell may expand.
 */
export function shellLine(command: TaskWord, args: readonly TaskWord[]): string {
  if (args.length === 0 && typeof command === "string") {
    return command;
  }
  return [command, ...args].map(shellWord).join(" ");
}

/** The command line that gives a process exactly these arguments. */
export function processLine(command: string, args: readonly string[]): string {
  return [command, ...args].map(bashWord).join(" ");
}

function shellWord(word: TaskWord): string {
  if (typeof word === "string") {
    // Without quotes an empty argument would be none at all.
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

/** Whether a blank stands outside quotes and not behind a backslash: VS Code's own rule. */
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
