/**
 * Facts about a word whose value is only known at run time: as much as its position in the line proves, and no more.
 */
import type { PathUse } from "./analysis.js";
import type { Folders } from "./folders.js";

/**
 * The words that a word may become. Never more than one word if it is quoted, and never one that begins with a dash,
 * except for names of branches and tags.
 */
export type Known =
  /** Any value it may have is judged like this text: a number. */
  | { kind: "alike"; text: string }
  /**
   * A commit by its object name, or, if `isName`, by the name of a branch or tag (git-check-ref-format(1)), which
   * whoever made the repository may have called `--output=x` or like a file; or one of these words, which may also name
   * files. Whether a tag's name (`isTag`) can be a flag is checked in the repository.
   */
  | { kind: "ref"; words: readonly string[]; isName?: true; isTag?: true }
  /** File names, relative to the line's folders at that point. */
  | { kind: "names"; uses: readonly NamedUse[]; folders: Folders }
  /** A pipe, by its name in /dev/fd. */
  | { kind: "pipe" };

/** Names that a command may print: where the files are, and which of the files there. */
export type NamedUse = Pick<PathUse, "path" | "listed">;

/** The output of a command, as far as it is known. */
export type Printed =
  | Extract<Known, { kind: "alike" | "ref" }>
  /** One name per line, or each followed by NUL. */
  | { kind: "names"; uses: readonly NamedUse[]; folders: Folders; ends: "line" | "nul" };

/** A known part of a word, and the text before and after it. */
export interface KnownWord {
  known: Known;
  before: string;
  after: string;
}

/**
 * How names are split before the next command reads them: at whitespace with quotes removed, at whitespace with
 * patterns expanded (the shell), or only at line endings.
 */
export type Parting = "blanks" | "patterns" | "none";

/** Returns the names as they reach a reader that splits them in this way. */
export function parted(uses: readonly NamedUse[], parting: Parting): readonly NamedUse[] {
  return uses.map((use) => ({ ...use, listed: { ...use.listed, parting: stricter(use.listed?.parting, parting) } }));
}

const STRICTNESS: readonly Parting[] = ["none", "blanks", "patterns"];

function stricter(one: Parting | undefined, other: Parting): Parting {
  return STRICTNESS.indexOf(one ?? "none") > STRICTNESS.indexOf(other) ? (one ?? "none") : other;
}

/** Whether arithmetic evaluates a text to exactly that number. */
export function isDigits(text: string): boolean {
  return /^(?:0|[1-9][0-9]*)$/.test(text);
}

/**
 * Returns a name as xargs gets it, which removes quotes: the unquoted name is in the same place with the same
 * extension.
 */
export function unquoted({ listed, ...use }: NamedUse): NamedUse {
  const { quoted: _quotes, ...rest } = listed ?? {};
  return listed === undefined ? use : { ...use, listed: rest };
}
