/** Builtins of bash that change what later commands mean, or evaluate their words. */
import { variableDoubt } from "./variables.js";

type Check = (words: readonly string[]) => boolean;

const always: Check = () => true;

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
  hash: [(words) => words.some((word) => /^[-[]/.test(word) && word !== "-r"), "gives names another meaning"],
  set: [(words) => !isPlainSet(words), "changes how the shell reads commands"],
  jobs: [(words) => words.length > 0, "may run a command"],
  // A first word that depends on the run may be `-v`.
  printf: [(words) => words[0] === "[" || (words[0]?.startsWith("-v") === true && (words[0] !== "-v" || setsUnsure(words.slice(1, 2)))), "sets a variable that changes what runs, or evaluates a subscript"],
  read: [setsUnsure, "sets a variable that changes what runs, or evaluates a subscript"],
  wait: [(words) => words.some((word) => /^[-[]/.test(word) && word !== "-n" && word !== "-f"), "sets a variable"],
  getopts: [always, "sets variables"],
  mapfile: [(words) => words.some((word) => /^-[A-Za-z]*[Cc]/.test(word)) || setsUnsure(words), "may run a command, or sets a variable that changes what runs"],
  readarray: [(words) => words.some((word) => /^-[A-Za-z]*[Cc]/.test(word)) || setsUnsure(words), "may run a command, or sets a variable that changes what runs"],
  unset: [setsUnsure, "removes a variable that changes what runs, or evaluates a subscript"],
  test: [isUnsureTest, "evaluates a subscript"],
  "[": [isUnsureTest, "evaluates a subscript"],
  declare: [isUnsureDeclaration, "declares more than a plain variable, or one that changes what runs"],
  typeset: [isUnsureDeclaration, "declares more than a plain variable, or one that changes what runs"],
  local: [isUnsureDeclaration, "declares more than a plain variable, or one that changes what runs"],
  export: [isUnsureDeclaration, "declares more than a plain variable, or one that changes what runs"],
  readonly: [isUnsureDeclaration, "declares more than a plain variable, or one that changes what runs"],
};

/**
 * Why a builtin makes what runs uncertain; undefined for other commands, and where it does not.
 *
 * @param words its name first; undefined where a word depends on the run. Of `NAME=$x` the part up to `=` is enough
 */
export function builtinDoubt(words: readonly (string | undefined)[]): string | undefined {
  const name = words[0] ?? "";
  const entry = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
  return entry?.[0](words.slice(1).map((word) => word ?? "[")) === true ? `\`${name}\` ${entry[1]}` : undefined;
}

/** `set -e`, `set -euo pipefail` and the like: options that only stop or print. */
function isPlainSet(words: readonly string[]): boolean {
  return words.every((word, index) => /^[-+][euxfCb]*o?$/.test(word) || (/o$/.test(words[index - 1] ?? "") && ["pipefail", "errexit", "nounset", "xtrace", "noclobber", "noglob"].includes(word)));
}

/** Whether one of the names that are set is no plain one. Values of options are taken for names, too. */
function setsUnsure(words: readonly string[]): boolean {
  return words.some((word) => /^(?:\[|[A-Za-z_])/.test(word) && variableDoubt(word) !== undefined);
}

/** `-v name` looks at a variable by a name that may have a subscript; a word that depends on the run may be `-v`. */
function isUnsureTest(words: readonly string[]): boolean {
  return words.some((word, index) => ["-v", "-R", "["].includes(word) && (words[index + 1] ?? "").includes("["));
}

function isUnsureDeclaration(words: readonly string[]): boolean {
  return words.some((word) => {
    const name = /^([A-Za-z_][A-Za-z0-9_]*)(?:\+?=[^]*)?$/.exec(word)?.[1];
    return name === undefined ? !/^-[xgrpaAulF]+$/.test(word) : variableDoubt(name) !== undefined;
  });
}
