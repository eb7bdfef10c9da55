/** The form of the table of commands: what is known of each, as data. */
import type { Effect, LeftOut, Narrowing, Steering, TrackedUse } from "../analysis.js";
import type { Call } from "./options.js";

/**
 * What a word stands for: `text` is no file, `read` and `write` are files, and `rev` is
 * a revision of git or a path.
 */
export type Kind = "text" | "read" | "write" | "rev";

/** A flag that takes a command beyond what it is known to do. */
export interface Exception {
  /** The flags, apart by blanks: `"-o --output"`. */
  flags: string;
  /** What follows: nothing, a value (joined or the next word), a value in the same word alone, two values. */
  takes?: "value" | "joined" | "two";
  /** `writes` the file it names, `runs` a program, `reaches` another place or configuration, `destroys` something. */
  does: "writes" | "runs" | "reaches" | "destroys";
  /** Completes «`--output`: …». */
  why: string;
}

/** Flags that are known. Lists are apart by blanks; `-alR` stands for `-a -l -R` where short flags can be bundled. */
export interface Flags {
  /** Harmless, and no value follows. */
  plain?: string;
  /** Harmless, with a value in the same word or the next. */
  value?: string;
  /**
   * Those of `value` whose value is a text that nothing acts on: it may be any one word, also one that depends on the
   * run.
   */
  anyText?: string;
  /** Harmless, with a value that can only be in the same word: `--color=always`, `-U3`. */
  joined?: string;
  /** Harmless, with two words behind it. */
  two?: string;
  /** A file to read follows, in the same word or the next. */
  read?: string;
  /** Harmless flags of one dash and several letters (`-ntp`); without it they are taken for bundles. */
  whole?: string;
  /** The same, with a value in the next word: `-pl core`. */
  wholeValue?: string;
  /** A name and then a file to read follow. */
  nameAndRead?: string;
  /** Numbers are flags: `head -5`. */
  digits?: true;
  exceptions?: readonly Exception[];
}

/** What the words that are no flags stand for, by their place. Without any of the fields there may be none. */
export interface Operands {
  /** The first ones, one each. */
  first?: readonly Kind[];
  /** All others. */
  rest?: Kind;
  /** The last one, when there are two or more. */
  last?: Kind;
  /** Flags with one of which the `first` ones are not there: the `-e` of grep. */
  firstGivenBy?: string;
}

/** Something in a call that takes it beyond a proof. */
export interface Finding {
  effect: Effect;
  /** Completes «`git log --output=x`: …». */
  why: string;
  /** Whether a rule by prefix stops here. */
  beyond: boolean;
  /** Whether a rule that is offered names these very words. */
  closed?: true;
}

/** One command, or one subcommand. */
export interface CommandSpec {
  /** What it does with words that are known. */
  effect: Effect;
  /** Why it is no more than that; the reason for the entry. Empty for `reads`. */
  why?: string;
  /** How many words a derived rule keeps; without it those that name the command and its subcommands. */
  prefix?: number;
  flags?: Flags;
  /**
   * How flags are written: `gnu` (bundled, `--long=value`, anywhere), `single` (`-name value`, never bundled), `text`
   * (there are none, every word is text). `gnu` without it.
   */
  style?: "gnu" | "single" | "text";
  /** Flags that are not listed do nothing that matters. Exceptions hold, abbreviated ones, too. */
  lenient?: true;
  /**
   * None of its flags, listed or not, does more than change what is printed: a word that depends on the run may be one.
   */
  anyFlag?: true;
  /** One dash before a long flag is as good as two, as npm allows. */
  anyDashes?: true;
  operands?: Operands;
  /**
   * It works in the folder it is in: `always`, when no file is named (`else`), or when no file is named and it is
   * `deep`.
   */
  here?: "always" | "else" | "deep";
  /** Flags with which a folder's files are read, hidden ones included; `always` when it takes no flag. */
  deepWith?: string;
  /** Flags with which a deep read follows the links that it meets; `always` when it takes no flag. */
  linksWith?: string;
  /** Flags with which names alone are told. */
  namesWith?: string;
  /** Globs that bring hidden files back into a deep read which leaves them out; undefined when it leaves none out. */
  shownOnly?: (call: Call) => readonly string[] | undefined;
  /** What a deep read leaves out. */
  leavesOut?: (call: Call) => LeftOut;
  /** How it can be told to leave further files out. */
  narrowedBy?: Narrowing;
  /** Whether a deep read is of files alone whose endings no secret has. */
  ordinaryOnly?: (call: Call) => boolean;
  /**
   * Its words that are no flags are goals, each of its own (`make test deploy`); those that match publish, or install
   * outside.
   */
  goals?: RegExp;
  /**
   * Its first word names the program that it runs: an interpreter, or one that destroys, is no ordinary work here
   * either.
   */
  runs?: true;
  /** Flags with which it writes the files that it reads otherwise. */
  writeWith?: string;
  /** What a list of words cannot say. */
  check?: (call: Call) => readonly Finding[];
  /** What it prints of the files that git tracks. */
  prints?: (call: Call) => TrackedUse | undefined;
  /** Further files in its words. */
  paths?: (call: Call) => readonly { kind: "read" | "write"; path: string }[];
  subcommands?: Readonly<Record<string, CommandSpec>>;
  /** Other names of subcommands. */
  aliases?: Readonly<Record<string, string>>;
  /** Whether a subcommand may be abbreviated, as npm allows. */
  abbreviated?: true;
  /** Flags before the subcommand. */
  globals?: Flags;
  /** What it is without a subcommand. */
  bare?: CommandSpec;
  /** What it is when no word follows at all. */
  alone?: CommandSpec;
  /** Files that would make something else of it; it works `here`, then. */
  steeredBy?: Steering;
}

/** The family's commands by name. */
export type Family = Readonly<Record<string, CommandSpec>>;

/** One entry for several names. */
export function each(names: string, spec: CommandSpec): Family {
  return Object.fromEntries(names.split(" ").map((name) => [name, spec]));
}

/** An ask that a rule by prefix does not answer. */
export function beyond(effect: Effect, why: string): Finding {
  return { effect, why, beyond: true };
}
