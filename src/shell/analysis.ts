import type { Registry } from "../text/hosts/presets.js";

/**
 * The commands that a line would run and the files it would touch, as far as its text proves it. Nothing is run or
 * looked up.
 */
export interface CommandAnalysis {
  /**
   * Every simple command, in source order: those in pipes, lists, loops, functions, substitutions and here-documents,
   * and those that another command runs (`sudo`, `xargs`, `bash -c`, `find -exec`), in addition to that command itself.
   */
  commands: readonly SimpleCommand[];
  /** Files that redirections read and write, in source order; `/dev/null` and file descriptors do not count. */
  redirections: readonly PathUse[];
  /**
   * Facts that the text does not prove, one sentence each: an expansion, a name that is not literal, an unknown
   * construct. If there are any, nothing is certain about what else would run, and no rule that allows applies.
   */
  doubts: readonly string[];
}

/** The doubt about a line that the shell's grammar does not cover. It is the cause of most others. */
export const NOT_VALID =
  "it is not valid for the shell; check its quotes, its brackets, and the ends of its loops and conditions";

/** The worst effect that a command is known to have. */
export type Effect =
  /** It only reads and prints: proven for the command with exactly these words. */
  | "reads"
  /** Known, ordinary work in the workspace: `git add`, `mkdir`, `npm test`. */
  | "changes"
  /** It destroys, publishes, or gains privileges: `rm`, `git push`, `sudo`, `kill`. */
  | "destroys"
  /** Nothing is known about it. */
  | "unknown";

/** One command with its words, wrappers removed. */
export interface SimpleCommand {
  /** Its part of the line, as written. */
  text: string;
  /** The words with quotes removed, its name first. Undefined for a word only known at run time (`$x`, a glob). */
  words: readonly (string | undefined)[];
  /** Names of the commands that run it, outermost first: `["sudo", "env"]`. */
  wrappers: readonly string[];
  effect: Effect;
  /** Why it is not a milder effect; completes «`git log --output=x`: …». Empty for `reads`. */
  why: string;
  /**
   * Whether a flag or word writes a file, runs another program or reaches another place, although the command is
   * otherwise ordinary (`git log --output=x`, `rg --pre cmd`). A rule by prefix does not cover it.
   */
  beyondPrefix: boolean;
  /** Folders it may run in, relative to where the line starts. */
  bases: readonly string[];
  /** Files that its words name, if the command is known; otherwise every word that may be a path. */
  paths: readonly PathUse[];
  /**
   * How many words determine what it does, including its name: 2 for `git status -s`, 3 for `npm run build`. A derived
   * rule keeps as many. 0 if no prefix is safe to allow (interpreters, `curl`, `sudo`, `xargs`).
   */
  prefix: number;
  /**
   * Whether a derived rule names all its words, because further ones are separate goals or packages: `make test`, `npm
   * install x`.
   */
  closed?: true;
  /** Files that would change its effect. */
  steeredBy?: Steering;
  /** The tracked files whose contents it prints. None if absent. */
  tracked?: TrackedUse;
  /** The file that it runs, in its working folder or a parent folder. If there is none, it is downloaded. */
  installedAs?: string;
  /**
   * Whether it changes nothing but the files that its words name, each of them in `paths` as written: it can be undone
   * where these can.
   */
  changesNamed?: true;
  /** Whether it is work on the project, with code of the project, which needs neither the network nor the user's home. */
  local?: true;
  /** The registry from which it fetches what the project's files name; it needs nothing else but these files. */
  fetches?: Registry;
  /**
   * For a search that can skip files: the offset in the line where such a flag can be inserted, and the flag's kind.
   */
  narrowable?: { at: number; by: Narrowing };
}

/** The kind of flag that makes a search skip files by name: `grep --exclude=x`, `rg --glob='!x'`. */
export type Narrowing = "exclude" | "glob";

/**
 * Files that make a command run or fetch something else if they are in the command's working folder, in a folder that
 * the command names, or in a parent of either. The command's listed effect holds only if there are none.
 */
export interface Steering {
  files: readonly {
    /** The file's path below such a folder: `.mvn`, `gradle/gradle-daemon-jvm.properties`. */
    name: string;
    /** Matches the text of a file without such an effect. */
    harmless?: RegExp;
  }[];
  /** Names of environment variables that have the same effect. */
  variables?: readonly string[];
  /** Completes «`mvn -v`: `.mvn` …». */
  why: string;
}

/** Name patterns that a search always skips; only `*` is special in them. */
export interface LeftOut {
  files: readonly string[];
  folders: readonly string[];
}

/** The tracked files whose contents git prints. */
export interface TrackedUse {
  /**
   * Words that are each a path if a file or folder has that name, and otherwise a revision; empty for an unknown word.
   */
  words: readonly string[];
  /** Definite paths and patterns. */
  paths: readonly string[];
  /** Paths in a revision, relative to the repository's top folder. */
  atTop: readonly string[];
  /** Paths that are excluded. */
  except: readonly string[];
  /** Whether, if no word is a revision, only files changed since they were staged are printed. */
  unstaged?: true;
}

/** A path in a command's words. */
export interface PathUse {
  kind: "read" | "write";
  /** As passed to the command, relative to `base`. */
  path: string;
  /**
   * Whether a folder is read with every file below it, hidden ones too (`grep -r`, `cp -r`, `diff -r`); not if absent.
   */
  deep?: boolean;
  /**
   * Set if hidden files below it are skipped, as ripgrep does, except names that one of these globs, or an ignore file,
   * brings back.
   */
  shownOnly?: readonly string[];
  /**
   * Whether only files with the extensions of sources and documents are read below it (`--include=*.ts`): few secrets
   * have such names.
   */
  ordinaryOnly?: boolean;
  /** Whether it is moved away, with everything below it. */
  moved?: true;
  /** Whether it is a pattern, and a matching file whose name begins with a dash would act as a flag. */
  flagLike?: boolean;
  /** Whether a pattern in it matches names in any case, and those with a leading dot, as PowerShell's patterns do. */
  anyCase?: boolean;
  /** Names that are skipped below it (`grep --exclude=.env`). */
  leftOut?: LeftOut;
  /** Whether links below it are followed too (`grep -R`, `diff -r`). */
  links?: boolean;
  /** Set if it is one of the files that another command lists: which files at and below `path` it lists. */
  listed?: Listed;
  /** Folders the command may run in, relative to where the line starts: more than `.` after a `cd`. */
  bases: readonly string[];
}

/** The names at and below a place that a listing prints. If in doubt, more names than it prints, never fewer. */
export interface Listed {
  /** `find -name` patterns, one of which matches the path's last part. Any name if absent. */
  names?: readonly string[];
  /**
   * The excluded names: paths, as printed, that match a `find -path` pattern; names that match a `find -name` pattern;
   * or whatever is below folders with such a name.
   */
  except?: readonly { of: "path" | "name" | "below"; pattern: string }[];
  /** Whether links are excluded. */
  regular?: true;
  /** How deep folders are entered: 0 for not at all. No limit if absent. */
  depth?: number;
  /** Whether hidden files are excluded. */
  shownOnly?: true;
  /** Whether names are printed without the path before them, so that their own first character counts. */
  bare?: true;
  /** Whether git or ripgrep prints them: files that a .gitignore excludes are not among them. */
  byGit?: true;
  /** Where git gets the names from, if the files may no longer exist: its index, or commits. */
  from?: "index" | "commits";
  /** Whether git quotes and escapes names that are more than plain ASCII (git-config(1), core.quotePath). */
  quoted?: true;
  /** How the names are split before the command gets them: a name that splitting would change is not a known name. */
  parting?: "blanks" | "patterns" | "none";
  /** Whether a colon in a name is special to the command that reads it. */
  colons?: true;
}
