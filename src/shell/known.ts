/** What is known of a word that depends on the run: as much as its place in the line proves, and no more. */
import type { PathUse } from "./analysis.js";
import type { Folders } from "./folders.js";

/**
 * What a word may become. Never more than one word when it is quoted, and never one that begins with a dash, but for
 * names of branches and tags.
 */
export type Known =
  /** Whatever it becomes, it is judged as this text is: a number. */
  | { kind: "alike"; text: string }
  /**
   * A commit by its object's name, or, where it `isName`, by that of a branch or a tag (git-check-ref-format(1)), which
   * a repository that somebody made may have called `--output=x` or as a file is; or one of these words, which may name
   * files, too. Whether the name of a tag (`isTag`) can be a flag is checked in the repository.
   */
  | { kind: "ref"; words: readonly string[]; isName?: true; isTag?: true }
  /** Names of files, relative to the folders the line is in there. */
  | { kind: "names"; uses: readonly NamedUse[]; folders: Folders }
  /** A pipe, by its name in /dev/fd. */
  | { kind: "pipe" };

/** What the names may be that something tells: where they lie, and which of those that lie there. */
export type NamedUse = Pick<PathUse, "path" | "listed">;

/** What a command prints, as far as it is known. */
export type Printed =
  | Extract<Known, { kind: "alike" | "ref" }>
  /** A name a line, or each with a NUL behind it. */
  | { kind: "names"; uses: readonly NamedUse[]; folders: Folders; ends: "line" | "nul" };

/** A known part of a word, and the text before and behind it. */
export interface KnownWord {
  known: Known;
  before: string;
  after: string;
}

/**
 * How names are taken apart on their way: at blanks (and quotes go), at blanks and by patterns (the shell), or not but
 * at the ends of lines.
 */
export type Parting = "blanks" | "patterns" | "none";

/** Names as a reader gets them that takes them apart in a way. */
export function parted(uses: readonly NamedUse[], parting: Parting): readonly NamedUse[] {
  return uses.map((use) => ({ ...use, listed: { ...use.listed, parting: stricter(use.listed?.parting, parting) } }));
}

const STRICTNESS: readonly Parting[] = ["none", "blanks", "patterns"];

function stricter(one: Parting | undefined, other: Parting): Parting {
  return STRICTNESS.indexOf(one ?? "none") > STRICTNESS.indexOf(other) ? (one ?? "none") : other;
}

/** Whether a text is a number that arithmetic takes for just that. */
export function isDigits(text: string): boolean {
  return /^(?:0|[1-9][0-9]*)$/.test(text);
}

/** A name as xargs gets it, which takes quotes off: what is in them lies where the name would, and has its ending. */
export function unquoted({ listed, ...use }: NamedUse): NamedUse {
  const { quoted: _quotes, ...rest } = listed ?? {};
  return listed === undefined ? use : { ...use, listed: rest };
}
