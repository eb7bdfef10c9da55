import { plainName, type Target } from "./ripgrepTarget.js";

/** Entries kept of a log. With more, all is searched again: each is an argument, and its folder is listed. */
const MAX_IGNORED_ENTRIES = 200;
/** Characters of their names together: Windows takes 32,767 on a command line, and pattern and globs stand there, too. */
const MAX_NAMES_LENGTH = 8_000;

/** Lines of a log that are waited for: ripgrep writes each piece of one by itself, some 50 µs a line, so that 20,000 ignored files take a second. */
const MAX_LOG_LINES = 1_000;

const WALK = "rg: DEBUG|ignore::walk|";
/** A line on an entry that rules leave out. What stands in quotes is escaped, the name of the entry is not. */
const IGNORED =
  /^rg: DEBUG\|ignore::walk\|[^|: ]*walk\.rs:\d+: ignoring (\.[\\/].+): Ignore\(IgnoreMatch\(Gitignore\(Glob \{ from: (?:None|Some\(".*"\)), original: ".*", actual: ".*", is_whitelist: false, is_only_dir: (?:true|false) \}\)\)\)$/;
/** One on an entry that our own globs leave out. */
const EXCLUDED = /^rg: DEBUG\|ignore::walk\|[^|: ]*walk\.rs:\d+: ignoring .+: Ignore\(IgnoreMatch\(Override\(.*\)\)\)$/;
/** One on an entry that rules let in again. */
const LET_IN = /^rg: DEBUG\|ignore::walk\|[^|: ]*walk\.rs:\d+: whitelisting ./;
const VERDICT = ": Ignore(";
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

/** What rules leave out of a search, as `rg --debug` tells it: each file, and each folder without what is in it. */
export class IgnoredEntries {
  readonly #names: string[] = [];
  readonly #target: Target;
  #length = 0;
  #lines = 0;
  #isSure = true;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Their names below the folder; undefined when they are too many, or the log was not understood. */
  get names(): readonly string[] | undefined {
    return this.#isSure ? this.#names : undefined;
  }

  /** Whether the log is so long that it takes time. */
  get isLong(): boolean {
    return this.#lines > MAX_LOG_LINES;
  }

  /** Takes one line of the log. */
  take(line: string): void {
    this.#lines++;
    if (!this.#isSure || !line.startsWith(WALK) || LET_IN.test(line)) {
      return;
    }
    // Where a name, or a rule, reads like a verdict, the line could be taken apart in two ways.
    const isPlain = line.indexOf(VERDICT) === line.lastIndexOf(VERDICT);
    if (isPlain && EXCLUDED.test(line)) {
      return;
    }
    const name = plainName(IGNORED.exec(line)?.[1] ?? "", this.#target);
    this.#isSure = isPlain && name !== "" && !name.includes(NOT_UTF8) && this.#names.length < MAX_IGNORED_ENTRIES && this.#length + name.length <= MAX_NAMES_LENGTH;
    if (this.#isSure) {
      this.#names.push(name);
      this.#length += name.length;
    }
  }
}
