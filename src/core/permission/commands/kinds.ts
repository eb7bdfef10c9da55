import type { SimpleCommand } from "../../../shell/analysis.js";
import { findCommand } from "../../../shell/commands/lookUp.js";
import { table } from "../../../shell/commands/index.js";
import { oneLine, shorten } from "../../../text/clip.js";
import type { GatedSimple } from "../touches.js";

/** Characters of a part of a command in a reason. */
export const MAX_PART = 120;

/** Commands that run another with the rights of another user: never covered by a rule, never proven. */
const RIGHTS: ReadonlySet<string> = new Set(["sudo", "doas", "su", "pkexec", "run0", "sg", "runuser"]);

/** Wrappers that leave a command what it is, with the words it has. */
const HARMLESS_WRAPPERS: ReadonlySet<string> = new Set([
  "timeout",
  "time",
  "nice",
  "ionice",
  "nohup",
  "stdbuf",
  "env",
  "command",
  "builtin",
  "setsid",
  "chronic",
  "caffeinate",
  "unbuffer",
  "chrt",
  "taskset",
]);

/** Wrappers under which what only reads still only reads: the words they add were counted when it was judged. */
const READING_WRAPPERS: ReadonlySet<string> = new Set([
  ...HARMLESS_WRAPPERS,
  "xargs",
  "find",
  "fd",
  "bash",
  "sh",
  "dash",
  "eval",
  "exec",
]);

/** Commands that tell names, sizes (in lines, too) and times of files, and nothing of what stands in them. */
const NAMES_ONLY: ReadonlySet<string> = new Set([
  "ls",
  "stat",
  "du",
  "wc",
  "tree",
  "test",
  "[",
  "[[",
  "basename",
  "dirname",
  "realpath",
  "readlink",
  "find",
  "fd",
  "which",
  "type",
  "command",
  "cd",
  "pushd",
]);

/** Whether a command is proven to only read, with what runs it. Where it reads is another question. */
export function onlyReads({ simple, uses }: GatedSimple): boolean {
  return (
    simple.effect === "reads" &&
    uses.every(({ kind }) => kind === "read") &&
    simple.wrappers.every((name) => READING_WRAPPERS.has(baseName(name)))
  );
}

/** What takes another user's rights for a command, itself or around it. */
export function rightsTaken({ wrappers, words }: SimpleCommand): string | undefined {
  return [...wrappers, words[0]].map(baseName).find((name) => RIGHTS.has(name));
}

/** A wrapper that makes something else of a command than its words say. */
export function changingWrapper({ wrappers }: SimpleCommand): string | undefined {
  return wrappers.find((name) => !HARMLESS_WRAPPERS.has(baseName(name)));
}

export function tellsNamesOnly({ effect, words }: SimpleCommand): boolean {
  return (
    effect === "reads" && (NAMES_ONLY.has(baseName(words[0])) || (words[0] === "git" && words[1] === "check-ignore"))
  );
}

/**
 * How many words a rule has to name before it covers a command that destroys or is not known, with any words behind
 * them: two for
 * `git push`. No number is enough for what runs or reaches anything (`python3`, `curl`): such a rule has to name all of them.
 */
export function wordsToName({ words, effect, prefix }: SimpleCommand): number {
  if (prefix > 0) {
    return prefix;
  }
  const { names, spec } = findCommand(words.map((value) => ({ value })));
  const name = baseName(words[0]);
  if (!Object.hasOwn(table, name)) {
    return 1;
  }
  if (spec === undefined) {
    return 2;
  }
  if (spec.prefix !== undefined && spec.prefix > names.length) {
    // `npm run --silent deploy`: what it does is not named by its first words.
    return Number.POSITIVE_INFINITY;
  }
  return names.length > 1 || effect === "destroys" ? names.length : Number.POSITIVE_INFINITY;
}

/** A command as a reason names it. */
export function shownCommand({ text }: SimpleCommand): string {
  return `\`${shorten(oneLine(text), MAX_PART)}\``;
}

/** A command's name without its folder. */
export function baseName(word: string | undefined): string {
  return word === undefined ? "" : word.slice(word.lastIndexOf("/") + 1);
}
