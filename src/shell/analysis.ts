/** What a command line would run and touch, as far as its text proves it. Nothing here is run or looked up. */
export interface CommandAnalysis {
  /**
   * Every simple command, in the order it is written: those in pipes, lists, loops, functions, substitutions and
   * here-documents, and those that another command runs (`sudo`, `xargs`, `bash -c`, `find -exec`), beside that command
   * itself.
   */
  commands: readonly SimpleCommand[];
  /** Files that redirections read and write, by their place; `/dev/null` and file descriptors are none. */
  redirections: readonly PathUse[];
  /**
   * What the text does not prove, a sentence each: an expansion, a name that is not literal, a construct that is not
   * known. With one of them nothing can be said of what else would run, and every rule that allows is off.
   */
  doubts: readonly string[];
}

/** How much a command is known to do. */
export type Effect =
  /** It only reads and prints: proven for the command with exactly these words. */
  | "reads"
  /** Known and ordinary work in the workspace: `git add`, `mkdir`, `npm test`. */
  | "changes"
  /** It destroys, publishes, or takes rights: `rm`, `git push`, `sudo`, `kill`. */
  | "destroys"
  /** Nothing is known of it. */
  | "unknown";

/** One command with its words, wrappers taken off. */
export interface SimpleCommand {
  /** Its part of the line, as it is written. */
  text: string;
  /** The words with quotes removed, its name first. One that depends on the run (`$x`, a glob) is undefined. */
  words: readonly (string | undefined)[];
  /** Names of the commands that run it, the outermost first: `["sudo", "env"]`. */
  wrappers: readonly string[];
  effect: Effect;
  /** Why it is no more than that; completes «`git log --output=x`: …». Empty for `reads`. */
  why: string;
  /**
   * Whether a flag or word writes a file, runs another program or reaches another place, although the command is
   * otherwise ordinary (`git log --output=x`, `rg --pre cmd`). A rule by prefix does not cover it.
   */
  beyondPrefix: boolean;
  /** Folders it may be in, relative to where the line starts. */
  bases: readonly string[];
  /** Files that its words name, as far as the command is known; every word that may be a path where it is not. */
  paths: readonly PathUse[];
  /**
   * How many words say what it does, its name among them: 2 for `git status -s`, 3 for `npm run build`. A derived rule
   * keeps as many. 0 when no prefix is safe to allow (interpreters, `curl`, `sudo`, `xargs`).
   */
  prefix: number;
  /**
   * Whether a derived rule names all its words, since further ones are goals or packages of their own: `make test`,
   * `npm install x`.
   */
  closed?: true;
  /** Files that would make something else of it. */
  steeredBy?: Steering;
  /** What it prints of the files that git tracks. Nothing when absent. */
  tracked?: TrackedUse;
  /** The file that it runs, in the folder it runs in or in one above. Where there is none, it is downloaded. */
  installedAs?: string;
  /** For a search that can skip files: the offset in the line where such a flag can be inserted, and its kind. */
  narrowable?: { at: number; by: Narrowing };
}

/** The kind of flag by which a search skips files of a name: `grep --exclude=x`, `rg --glob='!x'`. */
export type Narrowing = "exclude" | "glob";

/**
 * Files that make a command run or fetch something else when they are in the folder it runs in, in a folder it names,
 * or in one above these. The command's listed effect holds only where there are none.
 */
export interface Steering {
  files: readonly {
    /** Below such a folder: `.mvn`, `gradle/gradle-daemon-jvm.properties`. */
    name: string;
    /** Matches the text of such a file when it has no such effect. */
    harmless?: RegExp;
  }[];
  /** Names of variables that do the same, where commands have them in their environment. */
  variables?: readonly string[];
  /** Completes «`mvn -v`: `.mvn` …». */
  why: string;
}

/** Name patterns that a search always skips; only `*` is special in them. */
export interface LeftOut {
  files: readonly string[];
  folders: readonly string[];
}

/** What git prints of the files that it tracks. */
export interface TrackedUse {
  /** Each a path where a file or folder is called so, and else a revision; empty for one that is not known. */
  words: readonly string[];
  /** Paths and patterns for sure. */
  paths: readonly string[];
  /** Paths in a revision, from the top of the repository on. */
  atTop: readonly string[];
  /** Paths that are left out. */
  except: readonly string[];
  /** Where no word is a revision, only of files that were changed since they were staged. */
  unstaged?: true;
}

/** A path in a command's words. */
export interface PathUse {
  kind: "read" | "write";
  /** As the command gets it, relative to `base`. */
  path: string;
  /**
   * Whether a folder is read with every file below it, hidden ones too (`grep -r`, `cp -r`, `diff -r`); not when
   * absent.
   */
  deep?: boolean;
  /**
   * Of what lies below, hidden files are left out, as ripgrep does, but for names that one of these globs, or an ignore
   * file, brings back.
   */
  shownOnly?: readonly string[];
  /**
   * Of what lies below, only files are read that end as sources and documents do (`--include=*.ts`): few secrets are
   * called so.
   */
  ordinaryOnly?: boolean;
  /** It is a pattern, and a name that it matches is a flag of the command when it begins with a dash. */
  flagLike?: boolean;
  /** Of what lies below, these are left out (`grep --exclude=.env`). */
  leftOut?: LeftOut;
  /** Links below it are followed, too (`grep -R`, `diff -r`). */
  links?: boolean;
  /** It is one of the files that something else lists: which of those at `path` and below it. */
  listed?: Listed;
  /** Folders the command may be in, relative to where the line starts: more than `.` after a `cd`. */
  bases: readonly string[];
}

/** Which names a listing tells of what lies at a place and below it. Never less than it tells. */
export interface Listed {
  /** Patterns of `find -name`, one of which the last part of the path matches. Any name when absent. */
  names?: readonly string[];
  /**
   * What is left out: the paths, as they are printed, that a pattern of `find -path` matches; the names that one of
   * `find -name` matches; or what lies below folders of such a name.
   */
  except?: readonly { of: "path" | "name" | "below"; pattern: string }[];
  /** Links are not among them. */
  regular?: true;
  /** Folders that are gone into: 0 for none. All when absent. */
  depth?: number;
  /** Hidden files are not among them. */
  shownOnly?: true;
  /** They are told without the place before them, so that their own first character counts. */
  bare?: true;
  /** Git tells them, or ripgrep: what a .gitignore leaves out is not among them. */
  byGit?: true;
  /** Git tells them by its index, or by commits, so that names are among them of files that are not there. */
  from?: "index" | "commits";
  /** Git puts a name in quotes, and escapes, that is more than plain ASCII (git-config(1), core.quotePath). */
  quoted?: true;
  /** How they are taken apart on their way to the command: a name that this would change is none that is known. */
  parting?: "blanks" | "patterns" | "none";
  /** A colon in a name means something to what reads it. */
  colons?: true;
}
