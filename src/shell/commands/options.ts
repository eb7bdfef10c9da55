/** Sorts a command's words into flags, values and operands, using the table's entry for it. */
import type { Effect } from "../analysis.js";
import type { ArgWord } from "../judge.js";
import type { CommandSpec, Exception, Finding, Flags } from "./spec.js";
import { beyond } from "./spec.js";

/** A flag found in the words. */
interface GivenFlag {
  /** As listed in the table, without its value: `-o`, `--output`. */
  name: string;
  /** Its values; empty if it has none. */
  values: readonly string[];
}

/** The words of one call, sorted. */
export interface Call {
  flags: readonly GivenFlag[];
  operands: readonly ArgWord[];
  /** How many of the operands precede a `--`; all of them if there is none. */
  operandsBeforeDashes: number;
  /** Whether there was a `--`. */
  hasDashes: boolean;
  /** Glob operands that become flags if files with such names exist. */
  flagLike: ReadonlySet<ArgWord>;
  /** Files that flags name. */
  paths: readonly { kind: "read" | "write"; path: string }[];
  findings: readonly Finding[];
}

type Takes = "none" | "value" | "joined" | "two";

interface KnownFlag {
  takes: Takes;
  /** Whether the (last) value is a file to read. */
  reads: boolean;
  /** Whether its value may be any word at all, even one only known at run time. */
  anyText: boolean;
  exception: Exception | undefined;
}

type FlagIndex = ReadonlyMap<string, KnownFlag>;

const indexes = new WeakMap<Flags, Map<string, FlagIndex>>();

/** Sorts the words after a command's name. */
export function parseOptions(words: readonly ArgWord[], spec: CommandSpec): Call {
  const sorter = new Sorter(words, spec);
  sorter.run();
  return sorter;
}

/** Whether one of the flags of a list (`"-r --recursive"`) was given. */
export function given(call: Call, list: string | undefined): boolean {
  const names = list === undefined ? [] : list.split(" ");
  return names.includes("always") || call.flags.some((flag) => names.includes(flag.name));
}

/** Returns the values of the flags in a list, in order. */
export function valuesOf(call: Call, list: string): readonly string[] {
  const names = list.split(" ");
  return call.flags.filter((flag) => names.includes(flag.name)).flatMap((flag) => flag.values);
}

/** Returns the known flags by name. */
export function flagIndex(flags: Flags, style: "gnu" | "single"): FlagIndex {
  const byStyle = indexes.get(flags) ?? new Map<string, FlagIndex>();
  indexes.set(flags, byStyle);
  const known = byStyle.get(style) ?? buildIndex(flags, style);
  byStyle.set(style, known);
  return known;
}

function buildIndex(flags: Flags, style: "gnu" | "single"): FlagIndex {
  const index = new Map<string, KnownFlag>();
  const add = (list: string | undefined, takes: Takes, reads: boolean, exception?: Exception): void => {
    for (const name of listed(list, style)) {
      index.set(name, {
        takes,
        reads,
        anyText: takes === "value" && !reads && listed(flags.anyText, style).includes(name),
        exception,
      });
    }
  };
  add(flags.plain, "none", false);
  add(flags.value, "value", false);
  add(flags.joined, "joined", false);
  add(flags.two, "two", false);
  add(flags.read, "value", true);
  add(flags.nameAndRead, "two", true);
  for (const [list, takes] of [
    [flags.whole, "none"],
    [flags.wholeValue, "value"],
  ] as const) {
    for (const name of listed(list, "single")) {
      index.set(name, { takes, reads: false, anyText: false, exception: undefined });
    }
  }
  if (flags.digits === true) {
    add("-0123456789", "none", false);
  }
  for (const exception of flags.exceptions ?? []) {
    add(exception.flags, exception.takes ?? "none", false, exception);
  }
  return index;
}

function listed(list: string | undefined, style: "gnu" | "single"): readonly string[] {
  const names = list === undefined || list === "" ? [] : list.split(" ");
  return names.flatMap((name) =>
    style === "gnu" && /^-[^-]/u.test(name) ? [...name.slice(1)].map((letter) => `-${letter}`) : [name],
  );
}

/** Walks through the words once. */
class Sorter implements Call {
  readonly flags: GivenFlag[] = [];
  readonly operands: ArgWord[] = [];
  readonly flagLike = new Set<ArgWord>();
  readonly paths: { kind: "read" | "write"; path: string }[] = [];
  readonly findings: Finding[] = [];
  operandsBeforeDashes = 0;
  hasDashes = false;
  private at = 0;
  private readonly index: FlagIndex;
  private readonly style: "gnu" | "single";

  constructor(
    private readonly words: readonly ArgWord[],
    private readonly spec: CommandSpec,
  ) {
    this.style = spec.style === "single" ? "single" : "gnu";
    this.index = flagIndex(spec.flags ?? {}, this.style);
  }

  run(): void {
    for (; this.at < this.words.length; this.at += 1) {
      const word = this.words[this.at];
      if (word === undefined) {
        continue;
      }
      if (this.hasDashes || !this.mayBeFlag(word)) {
        this.operands.push(word);
      } else if (word.value === undefined) {
        this.unproven(word);
      } else if (word.value === "--" && this.style === "gnu") {
        this.hasDashes = true;
        this.operandsBeforeDashes = this.operands.length;
      } else {
        this.flag(word.value);
      }
    }
    if (!this.hasDashes) {
      this.operandsBeforeDashes = this.operands.length;
    }
  }

  private mayBeFlag(word: ArgWord): boolean {
    if (this.spec.style === "text") {
      return false;
    }
    if (word.value !== undefined) {
      return word.value.startsWith("-") && word.value !== "-";
    }
    const { known } = word;
    if (known !== undefined && !known.before.startsWith("-")) {
      // Numbers, commits and pipes never begin with a dash. Names that represent only themselves are checked by their
      // position.
      return (
        known.before === "" && known.known.kind === "ref" && known.known.isName === true && known.known.isTag !== true
      );
    }
    const start = word.glob ?? word.head ?? "";
    return start === "" || (word.glob === undefined ? start.startsWith("-") : /^[-*?[+@!({]/u.test(start));
  }

  /**
   * Handles a word that might become a flag when the command runs. It also counts as an operand: any path in it is
   * still reported.
   */
  private unproven(word: ArgWord): void {
    const { glob } = word;
    if (glob?.startsWith("-") === true && this.patternValue(glob)) {
      return;
    }
    this.operands.push(word);
    if (glob?.startsWith("-") === false) {
      // The files it matches are looked up later, in the folder itself.
      this.flagLike.add(word);
    } else if (this.spec.anyFlag !== true) {
      const name = glob === undefined ? "a word only known at run time" : `\`${glob}\``;
      this.findings.push(beyond("unknown", `${name} may expand to any flag; put \`--\` or \`./\` before it`));
    }
  }

  /**
   * Handles a flag with a pattern. Unquoted, `--include=*.ts` is one: it expands to names that begin with `--include=`,
   * or to itself if there are none. Either way the word is that flag.
   */
  private patternValue(glob: string): boolean {
    const [, name = "", value = ""] = /^(--[\w-]+)=(.*)$/su.exec(glob) ?? [];
    const known = this.index.get(name);
    if (known === undefined || known.takes !== "value" || known.reads || known.exception !== undefined) {
      return false;
    }
    this.flags.push({ name, values: [value] });
    return true;
  }

  private flag(text: string): void {
    if (text.startsWith("--") || this.style === "single" || (text.length > 2 && this.index.has(text))) {
      this.long(text);
    } else if (this.spec.anyDashes === true && /^-[A-Za-z]{2}/u.test(text)) {
      this.oneDash(text);
    } else {
      this.bundle(text);
    }
  }

  private long(text: string): void {
    const equals = text.indexOf("=");
    const name = equals === -1 ? text : text.slice(0, equals);
    const joined = equals === -1 ? undefined : text.slice(equals + 1);
    const known = this.index.get(name) ?? this.abbreviated(name);
    if (known === undefined || (joined !== undefined && known.takes === "none" && known.exception === undefined)) {
      this.unknown(name, joined);
      return;
    }
    this.take(name, known, joined);
  }

  /**
   * Finds the flag that a word abbreviates: GNU getopt, git, npm and Python accept `--outp` for `--output`. Only
   * exceptions are matched this way: an abbreviated harmless flag is treated as unknown.
   */
  private abbreviated(name: string): KnownFlag | undefined {
    if (this.style === "single" || name.length < 3) {
      return undefined;
    }
    for (const [flag, known] of this.index) {
      if (known.exception !== undefined && flag.startsWith(name)) {
        return known;
      }
    }
    return undefined;
  }

  /**
   * Handles a word with one dash. npm reads `-prefix` as `--prefix`, and `-gC` as `-g -C`: a word that is not certainly
   * the former is unknown.
   */
  private oneDash(text: string): void {
    const name = text.replace(/=.*$/su, "");
    if (this.index.has(`-${name}`) || this.abbreviated(`-${name}`) !== undefined) {
      this.long(`-${text}`);
    } else {
      this.findings.push(beyond("unknown", `unknown flag \`${name}\``));
    }
  }

  private bundle(text: string): void {
    for (let at = 1; at < text.length; at += 1) {
      const name = `-${text.charAt(at)}`;
      const known = this.index.get(name);
      if (known === undefined && this.spec.lenient === true) {
        // The rest may be this letter's value or more flags: check it for paths, and check each later letter for
        // exceptions.
        this.unknownPaths(at === 1 ? /^.*?[/~.].*$/su.exec(text.slice(2))?.[0] : undefined);
        continue;
      }
      if (known === undefined) {
        this.unknown(name, text.slice(at + 1));
        // `-xf/etc/passwd`: where the value begins is unknown.
        this.unknownPaths(/(?:\.\.\/|[/~]).*$/su.exec(text)?.[0]);
        return;
      }
      const rest = text.slice(at + 1);
      if (known.takes !== "none") {
        this.take(name, known, rest === "" ? undefined : rest);
        return;
      }
      this.take(name, known, undefined);
    }
  }

  private unknown(name: string, value: string | undefined): void {
    this.flags.push({ name, values: value === undefined ? [] : [value] });
    if (this.spec.lenient !== true) {
      this.findings.push(beyond("unknown", `unknown flag \`${name}\``));
    }
    this.unknownPaths(value);
  }

  private unknownPaths(value: string | undefined): void {
    this.paths.push(...possiblePaths(value).map((path) => ({ kind: "write" as const, path })));
  }

  private take(name: string, known: KnownFlag, joined: string | undefined): void {
    if (known.reads && joined !== undefined && this.words[this.at]?.known !== undefined) {
      this.findings.push(beyond("unknown", "a flag's value is only known at run time"));
    }
    const values = this.values(known, joined);
    this.flags.push({ name, values });
    const last = values.at(-1);
    if (known.reads && last !== undefined && last !== "-") {
      this.paths.push({ kind: "read", path: last });
    }
    if (known.exception !== undefined) {
      this.except(name, known.exception, last);
    }
  }

  private values({ takes, anyText, reads }: KnownFlag, joined: string | undefined): readonly string[] {
    const wanted = takes === "two" ? 2 : takes === "value" ? 1 : 0;
    const values = joined === undefined ? [] : [joined];
    while (values.length < wanted && this.at + 1 < this.words.length) {
      this.at += 1;
      const word = this.words[this.at];
      if (anyText && word?.splits === false && word.glob === undefined) {
        values.push(word.value ?? "");
      } else if (word?.value === undefined || (reads && word.known !== undefined)) {
        this.findings.push(beyond("unknown", "a flag's value is only known at run time"));
      } else {
        values.push(word.value);
      }
    }
    return values;
  }

  private except(name: string, exception: Exception, value: string | undefined): void {
    this.findings.push({
      ...beyond(effects[exception.does], `\`${name}\` ${exception.why}`),
      ...(exception.inPlace === true && value === undefined ? { inPlace: true } : {}),
      ...(exception.local === true ? { local: true } : {}),
    });
    const kind = exception.does === "writes" ? "write" : "read";
    this.paths.push(...possiblePaths(value).map((path) => ({ kind, path }) as const));
  }
}

const effects: Readonly<Record<Exception["does"], Effect>> = {
  writes: "changes",
  runs: "unknown",
  reaches: "unknown",
  destroys: "destroys",
};

/**
 * Returns the paths that a text inside a word may hold: the text itself, and whatever follows `=`, `@`, `file:` or a
 * `/`.
 */
export function possiblePaths(text: string | undefined): readonly string[] {
  if (text === undefined || text === "" || /^\d+$/u.test(text)) {
    return [];
  }
  const url = /^([a-z][a-z\d+.-]*):\/\//iu.exec(text);
  if (url !== null && url[1]?.toLowerCase() !== "file") {
    return [];
  }
  const inner = [/^@(.+)$/su.exec(text)?.[1], /^file:(?:\/\/)?(.+)$/isu.exec(text)?.[1], /=(.+)$/su.exec(text)?.[1]];
  return [text, ...inner.filter((part) => part !== undefined && part !== text).flatMap((part) => possiblePaths(part))];
}
