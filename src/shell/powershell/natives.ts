/** Programs that are the same on every system, as PowerShell calls them. */
import type { ArgWord, judge } from "../judge.js";
import type { Value } from "./tree.js";

/** The table of commands. It is passed on, since it is large, and this is loaded apart. */
export type JudgeNative = typeof judge;

/** Programs that are usually an .exe file: they get their words as they are. */
const PROGRAMS: ReadonlySet<string> = new Set(
  "git gh rg fd jq node deno cargo rustc rustup go gofmt dotnet uv ruff docker kubectl java javac cmake ctest ninja".split(
    " ",
  ),
);

/**
 * Programs that are scripts on Windows (`npm.ps1`, `npm.cmd`): `cmd` reads some characters of their words again
 * (CVE-2024-27980), and PowerShell's scripts never see `--`.
 */
const SCRIPTS: ReadonlySet<string> = new Set(
  (
    "npm npx pnpm pnpx yarn bun bunx corepack tsc eslint oxlint stylelint prettier jest vitest mocha ava playwright cypress karma mvn gradle composer " +
    "bundle rake rspec python python3 pip pip3 pytest mypy black poetry make"
  ).split(" "),
);

/**
 * Returns how a program is called in the table of commands; undefined for another command. With an ending other than
 * `.exe`, a name leads to another file than the program that is looked up.
 */
export function nativeName(name: string): string | undefined {
  const plain = name.toLowerCase().replace(/\.exe$/, "");
  return PROGRAMS.has(plain) || SCRIPTS.has(plain) ? plain : undefined;
}

/**
 * Commits that no file's short name can be written like: the names of those have one dot at most, and `HEAD~1` and `@~1`
 * are none of files that anybody keeps secrets in.
 */
const COMMITS = /^(?:HEAD|@)(?:[~^]\d*)+$|^[\w-]+(?:[~^]\d*)*\.{2,3}[\w-]+(?:[~^]\d*)*$/;

/** A file in a commit. A single letter in front would be a drive. */
const FILE_IN_COMMIT = /^[\w-][\w./-]+(?:[~^]\d*)*:(?![\\/])[^:]+$/;

/**
 * Whether Git reads a word of a call as a commit, or a file in one, and never as the path of a file on the disk, as
 * which Windows would read it otherwise.
 * @param words of the call, from the program's name on
 */
export function isOnlyRevision(words: readonly ArgWord[], path: string): boolean {
  const [program, subcommand] = words.map(({ value }) => value);
  if (program !== "git" || !["diff", "log", "show", "rev-list", "shortlog"].includes(subcommand ?? "")) {
    return false;
  }
  const before = words.slice(0, (words.findIndex(({ value }) => value === "--") + 1 || words.length + 1) - 1);
  return (
    words.filter(({ value }) => value === path).length === before.filter(({ value }) => value === path).length &&
    before.some(({ value }) => value === path) &&
    (COMMITS.test(path) || (subcommand === "show" && FILE_IN_COMMIT.test(path)))
  );
}

/** Returns the words of a program's call, for the table of commands. @param name as `nativeName` returns it */
export function nativeWords(name: string, args: readonly Value[]): readonly ArgWord[] {
  const isScript = SCRIPTS.has(name);
  return [{ value: name }, ...args.map((arg) => nativeWord(arg, isScript))];
}

/** Returns the word that a program gets; its value is undefined where the versions of PowerShell differ. */
function nativeWord(value: Value, isScript: boolean): ArgWord {
  if (value.kind === "word") {
    return isAsWritten(value.text, isScript)
      ? /[*?]/.test(value.text)
        ? { value: undefined, glob: value.text }
        : { value: value.text }
      : { value: undefined };
  }
  // 5.1 passes quotes on without escaping them, and leaves empty words out (about_Parsing).
  return value.kind === "quoted" &&
    value.text !== undefined &&
    /^[^"\n\r]+$/.test(value.text) &&
    !/\\$/.test(value.text) &&
    !(isScript && /[%&^|<>!()]/.test(value.text))
    ? { value: value.text }
    : { value: undefined };
}

function isAsWritten(text: string, isScript: boolean): boolean {
  // `-a.b` and `-a:b` become two words (tokenizer.cs, `ScanParameter`).
  const isSplit = /^-[^-].*[.:]/.test(text);
  const isNumber = /^[+-]?(?:0x[\da-f]+|\d*\.?\d+(?:e[+-]?\d+)?)[a-z]{0,3}$/i.test(text);
  return (
    !isSplit &&
    (!isNumber || /^-?(?:0|[1-9]\d{0,8})$/.test(text)) &&
    !(isScript && (text === "--" || /[%^!]/.test(text)))
  );
}
