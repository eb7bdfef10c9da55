/** Builtins of bash that change what later commands mean, or evaluate their words. */

type Check = (words: readonly string[]) => boolean;

const always: Check = () => true;

/** A word that may be a subscript, whose inside is evaluated as arithmetic. */
const hasSubscript: Check = (words) => words.some((word) => word.includes("["));

/** By name: when the builtin is a doubt, and why. Words that depend on the run are given as `[`, the worst. */
const BUILTINS: Readonly<Record<string, readonly [Check, string]>> = {
  source: [always, "runs the commands in a file"],
  ".": [always, "runs the commands in a file"],
  alias: [always, "gives names another meaning"],
  shopt: [always, "changes how the shell reads commands"],
  enable: [always, "replaces commands of the shell"],
  bind: [always, "binds keys to commands"],
  complete: [always, "registers commands"],
  compgen: [always, "evaluates its words"],
  fc: [always, "runs earlier commands again"],
  history: [always, "changes the history of commands"],
  let: [always, "evaluates its words"],
  hash: [(words) => words.some((word) => word.startsWith("-") && word !== "-r"), "gives names another meaning"],
  set: [(words) => !isPlainSet(words), "changes how the shell reads commands"],
  printf: [(words) => words[0]?.startsWith("-v") === true && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(words[1] ?? ""), "evaluates a subscript"],
  read: [hasSubscript, "evaluates a subscript"],
  wait: [(words) => words.some((word) => word.startsWith("-") && word !== "-n" && word !== "-f"), "sets a variable"],
  getopts: [always, "sets variables"],
  mapfile: [(words) => words.some((word) => /^-[A-Za-z]*[Cc]/.test(word)) || hasSubscript(words), "runs a command for each line"],
  readarray: [(words) => words.some((word) => /^-[A-Za-z]*[Cc]/.test(word)) || hasSubscript(words), "runs a command for each line"],
  unset: [hasSubscript, "evaluates a subscript"],
  test: [isUnsureTest, "evaluates a subscript"],
  "[": [isUnsureTest, "evaluates a subscript"],
  declare: [isUnsureDeclaration, "declares more than a plain variable"],
  typeset: [isUnsureDeclaration, "declares more than a plain variable"],
  local: [isUnsureDeclaration, "declares more than a plain variable"],
  export: [isUnsureDeclaration, "declares more than a plain variable"],
  readonly: [isUnsureDeclaration, "declares more than a plain variable"],
};

/** Why a builtin makes what runs uncertain; undefined for other commands, and where it does not. */
export function builtinDoubt(name: string, words: readonly (string | undefined)[]): string | undefined {
  const entry = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
  return entry?.[0](words.slice(1).map((word) => word ?? "[")) === true ? `\`${name}\` ${entry[1]}` : undefined;
}

/** `set -e`, `set -euo pipefail` and the like: options that only stop or print. */
function isPlainSet(words: readonly string[]): boolean {
  return words.every((word, index) => /^[-+][euxfCb]*o?$/.test(word) || (/o$/.test(words[index - 1] ?? "") && ["pipefail", "errexit", "nounset", "xtrace", "noclobber", "noglob"].includes(word)));
}

/** `-v name` looks at a variable by a name that may have a subscript. */
function isUnsureTest(words: readonly string[]): boolean {
  return words.some((word, index) => (word === "-v" || word === "-R") && (words[index + 1] ?? "").includes("[")) || words.some((word, index) => word === "[" && index === 0);
}

function isUnsureDeclaration(words: readonly string[]): boolean {
  return words.some((word) => (word.startsWith("-") ? !/^-[xgrpaAulF]+$/.test(word) : !/^[A-Za-z_][A-Za-z0-9_]*(?:\+?=[^]*)?$/.test(word)));
}
