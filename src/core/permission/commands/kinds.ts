import type { SimpleCommand } from "../../../shell/analysis.js";
import { findCommand } from "../../../shell/commands/lookUp.js";
import { table } from "../../../shell/commands/index.js";
import { oneLine, shorten } from "../../../text/clip.js";
import type { CommandTouch, GatedSimple } from "../touches.js";

/** Maximum length of a command's part in a reason, in characters. */
export const MAX_PART = 120;

/** Commands that run another as another user: never covered by a rule, never proven to only read. */
const RIGHTS: ReadonlySet<string> = new Set(["sudo", "doas", "su", "pkexec", "run0", "sg", "runuser"]);

/** Wrappers that leave a command and its words unchanged. */
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

/**
 * Wrappers under which a command that only reads still only reads: the words they add were judged together with the
 * command.
 */
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

/** Commands that print names, sizes (including line counts) and times of files, and nothing of their contents. */
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
  // Of PowerShell.
  "Get-ChildItem",
  "Get-Item",
  "Test-Path",
  "Resolve-Path",
  "Convert-Path",
  "Set-Location",
]);

/** Whether a command, with what runs it, is proven to only read. Where it reads is another question. */
export function onlyReads({ simple, uses }: GatedSimple): boolean {
  return (
    simple.effect === "reads" &&
    uses.every(({ kind }) => kind === "read") &&
    simple.wrappers.every((name) => READING_WRAPPERS.has(baseName(name)))
  );
}

/**
 * Whether a command only changes files that its words name, or stages them, and undo takes that back. Where these files
 * are is another question.
 */
export function changesNamedFiles({ simple, uses }: GatedSimple): boolean {
  return (
    simple.changesNamed === true &&
    simple.effect === "changes" &&
    changingWrapper(simple) === undefined &&
    uses.every(({ beyondUndo }) => beyondUndo === undefined)
  );
}

/**
 * Whether every command of a line is still what it was judged to be once others of the line have changed files: files
 * decide which others a search skips, and what some commands run.
 */
export function isSteady({ commands }: CommandTouch): boolean {
  return commands.every((each) => changesNamedFiles(each) || (onlyReads(each) && readsNamedFiles(each)));
}

function readsNamedFiles({ simple, uses }: GatedSimple): boolean {
  const [name, subcommand] = simple.words;
  return (
    simple.steeredBy === undefined &&
    changingWrapper(simple) === undefined &&
    uses.every(({ deep }) => !deep) &&
    (baseName(name) !== "git" || (subcommand === "status" && simple.tracked === undefined))
  );
}

/** Returns the command that runs this one as another user, itself or a wrapper around it. */
export function rightsTaken({ wrappers, words }: SimpleCommand): string | undefined {
  return [...wrappers, words[0]].map(baseName).find((name) => RIGHTS.has(name));
}

/** Returns a wrapper that makes a command do something other than its words say. */
export function changingWrapper({ wrappers }: SimpleCommand): string | undefined {
  return wrappers.find((name) => !HARMLESS_WRAPPERS.has(baseName(name)));
}

/** Whether a command may run unasked for what the table says of it. */
export function isListedEffect({ effect, changesNamed }: SimpleCommand): boolean {
  return effect === "reads" || changesNamed === true;
}

export function tellsNamesOnly({ effect, words }: SimpleCommand): boolean {
  return (
    effect === "reads" && (NAMES_ONLY.has(baseName(words[0])) || (words[0] === "git" && words[1] === "check-ignore"))
  );
}

/**
 * Returns how many words a rule must name before it covers a destructive or unknown command with any words after them:
 * two for `git push`. No number is enough for a command that runs or reaches anything (`python3`, `curl`): its rule
 * must name all words.
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
    // `npm run --silent deploy`: its first words do not say what it does.
    return Number.POSITIVE_INFINITY;
  }
  return names.length > 1 || effect === "destroys" ? names.length : Number.POSITIVE_INFINITY;
}

/** Returns a command as shown in a reason. */
export function shownCommand({ text }: SimpleCommand): string {
  return `\`${shorten(oneLine(text), MAX_PART)}\``;
}

/** Returns a command's name without its folder. */
export function baseName(word: string | undefined): string {
  return word === undefined ? "" : word.slice(word.lastIndexOf("/") + 1);
}
