import { plainName, type Target } from "./target.js";

/** Entries kept of a log. With more, all is looked through again: each is an argument or is looked at by itself. */
const MAX_ENTRIES = 200;
/**
 * Characters of their names together: Windows takes 32,767 on a command line, and pattern and globs stand there, too.
 */
const MAX_NAMES_LENGTH = 8_000;

/**
 * Lines of a log that are waited for: ripgrep writes each piece of one by itself, some 50 µs a line, so that 20,000
 * ignored files take a second.
 */
const MAX_LOG_LINES = 1_000;

const WALK = "rg: DEBUG|ignore::walk|";
/** A line that tells that a file of rules was read. */
const OPENED = /^rg: DEBUG\|ignore::gitignore\|[^|: ]*gitignore\.rs:\d+: opened gitignore file: (.+)$/;
/** A line on an entry that rules leave out. What stands in quotes is escaped, the name of the entry is not. */
const IGNORED =
  /^rg: DEBUG\|ignore::walk\|[^|: ]*walk\.rs:\d+: ignoring (\.[\\/].+): Ignore\(IgnoreMatch\(Gitignore\(Glob \{ from: (?:None|Some\(".*"\)), original: ".*", actual: ".*", is_whitelist: false, is_only_dir: (?:true|false) \}\)\)\)$/;
/** One on an entry that our own globs leave out. */
const EXCLUDED = /^rg: DEBUG\|ignore::walk\|[^|: ]*walk\.rs:\d+: ignoring .+: Ignore\(IgnoreMatch\(Override\(.*\)\)\)$/;
/** One on an entry that rules let in again. */
const LET_IN = /^rg: DEBUG\|ignore::walk\|[^|: ]*walk\.rs:\d+: whitelisting ./;
/** One of those, whole: the entry's name. */
const LET_IN_BY =
  /^rg: DEBUG\|ignore::walk\|[^|: ]*walk\.rs:\d+: whitelisting (\.[\\/].+): Whitelist\(IgnoreMatch\(Gitignore\(Glob \{ from: (?:None|Some\(".*"\)), original: ".*", actual: ".*", is_whitelist: true, is_only_dir: (?:true|false) \}\)\)\)$/;
const VERDICT = ": Ignore(";
const LET_IN_VERDICT = ": Whitelist(";
/** What bytes show as that are no UTF-8. */
const NOT_UTF8 = "\uFFFD";

/**
 * Whether the log of a ripgrep is the one that is read here. It is no interface, so only what was looked at counts.
 *
 * @param version first line of `rg --version`
 */
export function isKnownLog(version: string): boolean {
  return /^ripgrep 15\.\d+\.\d+\b/.test(version);
}

/** Whether `rg --debug` wrote an error of several lines, or a name with a newline, whose rest looks like an error. */
export function isTorn(errors: string): boolean {
  return errors.split("\n").some((line) => line !== "" && !line.startsWith("rg: "));
}

/**
 * Whether a name could pass for the end of a line of the log: what is behind a newline in it, or in a name further
 * down, would then be read as lines of their own.
 */
export function endsLogLine(name: string): boolean {
  return name.includes(VERDICT);
}

/** What `rg --debug` tells of a search beside its matches: what rules leave out, and what they let in by name. */
export class WalkLog {
  readonly #ignored: Names;
  readonly #refused: Names;
  readonly #target: Target;
  readonly #admits: (name: string) => boolean;
  readonly #secretRules: string | undefined;
  #hasSecretRules = false;
  #lines = 0;

  /**
   * @param admits whether a file may be shown, by its name below the folder
   * @param secretRules path of the file of `secretRules`, where ripgrep was given one
   */
  constructor(target: Target, admits: (name: string) => boolean, secretRules: string | undefined) {
    this.#target = target;
    this.#admits = admits;
    this.#secretRules = secretRules;
    this.#ignored = new Names();
    this.#refused = new Names();
  }

  /**
   * What rules leave out, each file, and each folder without what is in it: their names below the folder; undefined
   * when they are too many, or the log was not understood.
   */
  get ignored(): readonly string[] | undefined {
    return this.#ignored.known;
  }

  /**
   * Entries whose names may not be shown, whatever kind of entry they are; undefined when they are too many, or the log
   * was not understood, or ripgrep did not read the rules that make it name them.
   */
  get refused(): readonly string[] | undefined {
    return this.#hasSecretRules ? this.#refused.known : undefined;
  }

  /** Whether the log is so long that it takes time. */
  get isLong(): boolean {
    return this.#lines > MAX_LOG_LINES;
  }

  /** Takes one line of the log. */
  take(line: string): void {
    this.#lines++;
    if (!line.startsWith(WALK)) {
      this.#hasSecretRules ||= this.#secretRules !== undefined && OPENED.exec(line)?.[1] === this.#secretRules;
    } else if (LET_IN.test(line)) {
      this.#takeLetIn(line);
    } else {
      this.#takeIgnored(line);
    }
  }

  #takeLetIn(line: string): void {
    const name = isSaidOnce(line, LET_IN_VERDICT) ? this.#nameIn(LET_IN_BY.exec(line)) : undefined;
    if (name === undefined) {
      this.#refused.giveUp();
    } else if (!this.#admits(name)) {
      this.#refused.add(name);
    }
  }

  #takeIgnored(line: string): void {
    // Where a name, or a rule, reads like a verdict, the line could be taken apart in two ways.
    const isPlain = isSaidOnce(line, VERDICT);
    if (isPlain && EXCLUDED.test(line)) {
      return;
    }
    const name = isPlain ? this.#nameIn(IGNORED.exec(line)) : undefined;
    if (name === undefined) {
      this.#ignored.giveUp();
    } else {
      this.#ignored.add(name);
    }
  }

  #nameIn(match: RegExpExecArray | null): string | undefined {
    const name = plainName(match?.[1] ?? "", this.#target);
    return name === "" || name.includes(NOT_UTF8) ? undefined : name;
  }
}

function isSaidOnce(line: string, verdict: string): boolean {
  return line.indexOf(verdict) === line.lastIndexOf(verdict);
}

/** A short list of names, or none where there are more or one is not known for sure. */
class Names {
  #names: string[] | undefined = [];
  #length = 0;

  get known(): readonly string[] | undefined {
    return this.#names;
  }

  add(name: string): void {
    this.#length += name.length;
    this.#names?.push(name);
    if (this.#length > MAX_NAMES_LENGTH || (this.#names?.length ?? 0) > MAX_ENTRIES) {
      this.giveUp();
    }
  }

  giveUp(): void {
    this.#names = undefined;
  }
}
