/** The format of the table of commands: the facts about each command, as data. */
import type { Effect, LeftOut, Narrowing, Steering, TrackedUse } from "../analysis.js";
import type { Registry } from "../../text/hosts/presets.js";
import type { Call } from "./options.js";

/** The meaning of a word: `text` is not a file, `read` and `write` are files, and `rev` is a git revision or a path. */
export type Kind = "text" | "read" | "write" | "rev";

/** A flag that makes a command do more than its entry says. */
export interface Exception {
  /** The flags, separated by spaces: `"-o --output"`. */
  flags: string;
  /**
   * The words that follow the flag: none, a value (joined or the next word), a value only in the same word, or two
   * values.
   */
  takes?: "value" | "joined" | "two";
  /** `writes` the file it names, `runs` a program, `reaches` another place or configuration, `destroys` something. */
  does: "writes" | "runs" | "reaches" | "destroys";
  /** Completes «`--output`: …». */
  why: string;
  /** Whether, without a value, it only makes the command change the files that it otherwise reads. */
  inPlace?: true;
  /** Whether it only makes the command work on more of the project, of which the system can contain what it does. */
  local?: true;
}

/** A command's known flags. Lists are separated by spaces; `-alR` means `-a -l -R` where short flags can be bundled. */
export interface Flags {
  /** Harmless flags without a value. */
  plain?: string;
  /** Harmless flags with a value in the same word or the next. */
  value?: string;
  /**
   * Those of `value` whose value is text that nothing acts on: it may be any single word, even one only known at run
   * time.
   */
  anyText?: string;
  /** Harmless flags whose value can only be in the same word: `--color=always`, `-U3`. */
  joined?: string;
  /** Harmless flags followed by two words. */
  two?: string;
  /** Flags followed by a file to read, in the same word or the next. */
  read?: string;
  /** Harmless flags of one dash and several letters (`-ntp`); if not listed here, they are treated as bundles. */
  whole?: string;
  /** The same, with a value in the next word: `-pl core`. */
  wholeValue?: string;
  /** Flags followed by a name and then a file to read. */
  nameAndRead?: string;
  /** Whether numbers are flags: `head -5`. */
  digits?: true;
  exceptions?: readonly Exception[];
}

/** The meaning of operands, by position. Without any of these fields, none are allowed. */
export interface Operands {
  /** The first operands, one entry each. */
  first?: readonly Kind[];
  /** All other operands. */
  rest?: Kind;
  /** The last operand, if there are two or more. */
  last?: Kind;
  /** Flags that replace the `first` operands, such as grep's `-e`. */
  firstGivenBy?: string;
}

/** Something in a call that goes beyond what is proven. */
export interface Finding {
  effect: Effect;
  /** Completes «`git log --output=x`: …». */
  why: string;
  /** Whether a rule by prefix does not cover it. */
  beyond: boolean;
  /** Whether an offered rule names exactly these words. */
  closed?: true;
  /** Whether it only means that the files that the call reads are changed in place. */
  inPlace?: true;
  /** Whether it only means that the command works on more of the project than its words name. */
  local?: true;
}

/** One command, or one subcommand. */
export interface CommandSpec {
  /** Its effect when all its words are known. */
  effect: Effect;
  /** Why it is not a milder effect, which is the reason for the entry. Empty for `reads`. */
  why?: string;
  /** How many words a derived rule keeps; by default those that name the command and its subcommands. */
  prefix?: number;
  flags?: Flags;
  /**
   * How flags are written: `gnu` (bundled, `--long=value`, anywhere), `single` (`-name value`, never bundled), `text`
   * (no flags, every word is text). Defaults to `gnu`.
   */
  style?: "gnu" | "single" | "text";
  /** Whether flags that are not listed are harmless. Exceptions still apply, including abbreviated ones. */
  lenient?: true;
  /**
   * Whether all its flags, listed or not, only change what is printed, so that a word only known at run time may be a
   * flag.
   */
  anyFlag?: true;
  /** Whether one dash before a long flag is equivalent to two, as in npm. */
  anyDashes?: true;
  operands?: Operands;
  /**
   * When it works on the current folder: `always`, if no file is named (`else`), or if no file is named and it is
   * `deep`.
   */
  here?: "always" | "else" | "deep";
  /** Flags that make it read a folder's files, hidden ones included; `always` if it needs no flag. */
  deepWith?: string;
  /** Flags that make a deep read follow links; `always` if it needs no flag. */
  linksWith?: string;
  /** Flags that make it print only names. */
  namesWith?: string;
  /** Returns globs that bring hidden files back into a deep read that omits them; undefined if it omits none. */
  shownOnly?: (call: Call) => readonly string[] | undefined;
  /** Returns the names that a deep read omits. */
  leavesOut?: (call: Call) => LeftOut;
  /** The kind of flag that makes it omit more files. */
  narrowedBy?: Narrowing;
  /** Whether a deep read covers only files whose extensions secrets never have. */
  ordinaryOnly?: (call: Call) => boolean;
  /**
   * Set if its operands are separate goals (`make test deploy`): matches those that publish, or install outside the
   * workspace.
   */
  goals?: RegExp;
  /**
   * Whether its first operand names the program that it runs: an interpreter, or a destructive program, is not ordinary
   * work here either.
   */
  runs?: true;
  /** Whether it is work on the project, with code of the project, which needs neither the network nor the user's home. */
  local?: true;
  /** The registry from which it fetches what the project's files name; it needs nothing else but these files. */
  fetches?: Registry;
  /** Whether it changes nothing but the files that its operands name. */
  changesNamed?: true;
  /** Flags with which it changes others, too. */
  changesMoreWith?: string;
  /** Flags that make it write the files that it otherwise reads. */
  writeWith?: string;
  /** Checks that a list of words cannot express. */
  check?: (call: Call) => readonly Finding[];
  /** Returns the tracked files whose contents it prints. */
  prints?: (call: Call) => TrackedUse | undefined;
  /** Returns further files that its words name. */
  paths?: (call: Call) => readonly { kind: "read" | "write"; path: string; moved?: true }[];
  subcommands?: Readonly<Record<string, CommandSpec>>;
  /** Other names of subcommands. */
  aliases?: Readonly<Record<string, string>>;
  /** Whether a subcommand may be abbreviated, as npm allows. */
  abbreviated?: true;
  /** Flags before the subcommand. */
  globals?: Flags;
  /** The entry that applies without a subcommand. */
  bare?: CommandSpec;
  /** The entry that applies if no word follows at all. */
  alone?: CommandSpec;
  /** Files that would change its effect; it then works `here`. */
  steeredBy?: Steering;
}

/** The family's commands by name. */
export type Family = Readonly<Record<string, CommandSpec>>;

/** Returns one entry under several names. */
export function each(names: string, spec: CommandSpec): Family {
  return Object.fromEntries(names.split(" ").map((name) => [name, spec]));
}

/** Returns a finding that a rule by prefix does not cover. */
export function beyond(effect: Effect, why: string): Finding {
  return { effect, why, beyond: true };
}

/** Returns the entry of a command that may do anything. Its words may be files that it writes. */
export function unknown(why: string): CommandSpec {
  return { effect: "unknown", why, prefix: 0, lenient: true, operands: { rest: "write" } };
}

/** Returns the entry of a command that no undo takes back. Its words may be files that it writes. */
export function destroys(why: string): CommandSpec {
  return { ...unknown(why), effect: "destroys" };
}
