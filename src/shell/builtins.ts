/**
 * bash builtins: the facts about each, with the versions they were read from. Anything not listed – a builtin, an
 * option, a form of a word – is a doubt.
 */
import type { ArgWord } from "./judge.js";
import { plainFormat } from "./printfFormat.js";
import { variableDoubt } from "./words/variables.js";

/** The facts about one builtin. */
export interface Builtin {
  /** The bash versions whose manual and source the entry was read from. */
  from: string;
  /** Letters of its options, without and with a value. Any other option is a doubt. */
  flags?: string;
  valued?: string;
  /** Whether it has no options: words that begin with a dash are ordinary words. */
  noOptions?: true;
  /**
   * Returns why a call is a doubt, completing «`read` …»; undefined if it is none. If absent, the words are text that
   * nothing evaluates.
   */
  doubt?: (call: BuiltinCall) => string | undefined;
  /** Returns the words that name a variable that the builtin sets or unsets, as `name` or `name=value`. */
  sets?: (call: BuiltinCall) => readonly ArgWord[];
  /** Whether programs get these variables in their environment. */
  exports?: (call: BuiltinCall) => boolean;
  /** Whether a variable becomes an array. */
  makesArray?: (call: BuiltinCall) => boolean;
}

/** A builtin's words, with its options removed. */
interface BuiltinCall {
  flags: ReadonlySet<string>;
  /** Option values by letter. */
  values: ReadonlyMap<string, readonly ArgWord[]>;
  words: readonly ArgWord[];
}

const ALL = "3.2–5.3";
const text: Builtin = { from: ALL, noOptions: true };
const always = (why: string): Builtin => ({ from: ALL, noOptions: true, doubt: () => why });
/** A builtin that prints its state if it has no words, and otherwise changes it. */
const printing = (why: string, flags = ""): Builtin => ({
  from: ALL,
  flags,
  doubt: ({ words }) => (words.length > 0 ? why : undefined),
});

const allWords = ({ words }: BuiltinCall): readonly ArgWord[] => words;
const orDefault = (words: readonly ArgWord[], name: string): readonly ArgWord[] =>
  words.length > 0 ? words : [{ value: name }];
const declaring: Builtin = {
  from: ALL,
  flags: "gprxaA",
  doubt: declarationDoubt,
  sets: allWords,
  exports: ({ flags }) => flags.has("x"),
  makesArray: ({ flags, words }) => flags.has("a") || flags.has("A") || words.some((word) => word.isList === true),
};
const filling: Builtin = {
  from: "4.0–5.3",
  flags: "t",
  valued: "dnOsu",
  sets: ({ words }) => orDefault(words, "MAPFILE"),
  makesArray: () => true,
};
const testing: Builtin = { from: ALL, noOptions: true, doubt: testDoubt };
const loading = always("runs the commands in a file");

/**
 * By name: all builtins of bash 5.3 (manual, "Shell Builtin Commands" and "Job Control Builtins") except those that run
 * a command.
 */
export const BUILTINS: Readonly<Record<string, Builtin>> = {
  ":": text,
  true: text,
  false: text,
  echo: text,
  printf: { from: ALL, valued: "v", doubt: printfDoubt, sets: ({ values }) => values.get("v") ?? [] },
  test: testing,
  "[": testing,
  read: {
    from: ALL,
    flags: "rs",
    valued: "adnNptu",
    sets: ({ values, words }) => orDefault([...words, ...(values.get("a") ?? [])], "REPLY"),
    makesArray: ({ values }) => values.has("a"),
  },
  mapfile: filling,
  readarray: filling,
  unset: { from: ALL, flags: "v", sets: allWords },
  declare: declaring,
  typeset: declaring,
  local: declaring,
  export: { ...declaring, flags: "p", exports: () => true },
  readonly: { ...declaring, flags: "paA" },
  set: {
    from: ALL,
    noOptions: true,
    doubt: ({ words }) => (isPlainSet(words) ? undefined : "changes how the shell reads commands"),
  },
  // If the folder in these words is literal, `runCommand.ts` follows it.
  cd: text,
  pushd: text,
  popd: text,
  dirs: text,
  pwd: text,
  type: text,
  hash: {
    from: ALL,
    flags: "rlt",
    doubt: ({ flags, words }) => (words.length > 0 && !flags.has("t") ? "changes what names mean" : undefined),
  },
  wait: {
    from: ALL,
    flags: "nf",
    doubt: ({ words }) => (words.every((word) => /^%?\d+$/.test(word.value ?? "")) ? undefined : "may set a variable"),
  },
  jobs: { from: ALL, flags: "lnprs" },
  exit: text,
  return: text,
  break: text,
  continue: text,
  shift: text,
  times: text,
  caller: text,
  help: { from: ALL, flags: "dms" },
  logout: text,
  alias: printing("changes what names mean", "p"),
  unalias: always("changes what names mean"),
  history: printing("changes the history of commands"),
  ulimit: printing("changes resource limits", "aSHbcdefiklmnpqrstuvxPRT"),
  umask: printing("changes the permissions of new files", "pS"),
  shopt: printing("changes how the shell reads commands"),
  source: loading,
  ".": loading,
  enable: always("replaces the shell's commands"),
  bind: always("binds keys to commands"),
  complete: always("registers commands"),
  compopt: always("registers commands"),
  compgen: always("evaluates its words"),
  fc: always("runs earlier commands again"),
  let: always("evaluates its words"),
  getopts: always("sets variables"),
  bg: always("resumes another process"),
  fg: always("resumes another process"),
  disown: always("leaves a process running"),
  suspend: always("stops the shell"),
};

/**
 * Builtins whose words the shell reads as assignments, which it does not split (bash manual, "Simple Command
 * Expansion").
 */
const DECLARING: ReadonlySet<string> = new Set(["declare", "typeset", "local", "export", "readonly"]);

/**
 * Returns why a builtin makes what runs uncertain; undefined if it does not, and for other commands.
 * @param words its name first
 */
export function builtinDoubt(
  words: readonly ArgWord[],
  table: Readonly<Record<string, Builtin>> = BUILTINS,
): string | undefined {
  const { name, builtin, call } = lookUp(words, table);
  if (builtin === undefined) {
    return undefined;
  }
  if (typeof call === "string") {
    return `\`${name}\` has ${call}`;
  }
  const why = builtin.doubt?.(call);
  return namesDoubt(builtin, call) ?? (why === undefined ? undefined : `\`${name}\` ${why}`);
}

/** Returns the known names of the variables that a builtin sets or unsets. */
export function variablesSet(words: readonly ArgWord[]): { names: readonly string[]; isExported: boolean } {
  const { builtin, call } = lookUp(words, BUILTINS);
  if (builtin?.sets === undefined || typeof call === "string") {
    return { names: [], isExported: false };
  }
  return {
    names: builtin.sets(call).flatMap((word) => nameOf(word) ?? []),
    isExported: builtin.exports?.(call) === true,
  };
}

/** Whether a builtin makes a variable an array, so that a later `declare x='(…)'` expands its text. */
export function makesArray(words: readonly ArgWord[]): boolean {
  const { builtin, call } = lookUp(words, BUILTINS);
  return builtin?.makesArray !== undefined && typeof call === "object" && builtin.makesArray(call);
}

/**
 * Whether `declare` or a similar builtin gives a variable a value only known at run time: it would be expanded if an
 * array has that name.
 */
export function declaresUnknown(words: readonly ArgWord[]): boolean {
  return DECLARING.has(words[0]?.value ?? "") && words.some((word) => word.value === undefined && word.isList !== true);
}

function lookUp(
  words: readonly ArgWord[],
  table: Readonly<Record<string, Builtin>>,
): { name: string; builtin: Builtin | undefined; call: BuiltinCall | string } {
  const name = words[0]?.value ?? "";
  const builtin = Object.hasOwn(table, name) ? table[name] : undefined;
  return { name, builtin, call: builtin === undefined ? "no entry" : readOptions(builtin, words.slice(1)) };
}

/**
 * Removes the options as bash's own getopt does: they end at the first other word. Returns a problem as text,
 * completing «`read` has …».
 */
function readOptions({ flags = "", valued = "", noOptions }: Builtin, words: readonly ArgWord[]): BuiltinCall | string {
  const given = new Set<string>();
  const values = new Map<string, ArgWord[]>();
  let at = 0;
  for (; noOptions === undefined && at < words.length; at++) {
    const word = words[at]?.value;
    if (word === undefined && mayBeOption(words[at])) {
      return "a word only known at run time that may be an option";
    }
    if (word === undefined || word === "-" || !word.startsWith("-")) {
      // `+x` removes an attribute from a variable.
      if (word?.startsWith("+") === true) {
        return `an unknown option: \`${word.slice(0, 20)}\``;
      }
      break;
    }
    if (word === "--") {
      at += 1;
      break;
    }
    for (let letter = 1; letter < word.length; letter++) {
      const option = word.charAt(letter);
      if (valued.includes(option)) {
        const value = letter + 1 < word.length ? { value: word.slice(letter + 1) } : words[(at += 1)];
        if (value?.value === undefined && value?.splits !== false) {
          return "an option's value only known at run time";
        }
        values.set(option, [...(values.get(option) ?? []), value]);
        break;
      }
      if (!flags.includes(option)) {
        return `an unknown option: \`${word.slice(0, 20)}\``;
      }
      given.add(option);
    }
  }
  return { flags: given, values, words: words.slice(at) };
}

/** Whether a word of unknown text may begin with a dash, or expand to several words. */
function mayBeOption(word: ArgWord | undefined): boolean {
  return word?.head === undefined || word.head === "" || /^[-+]/.test(word.head);
}

/** Whether these are `set -e`, `set -euo pipefail` or similar: options that only stop or print. */
function isPlainSet(words: readonly ArgWord[]): boolean {
  const values = words.map((word) => word.value ?? "[");
  return values.every(
    (word, index) =>
      /^[-+][euxfCb]*o?$/.test(word) ||
      (/o$/.test(values[index - 1] ?? "") &&
        ["pipefail", "errexit", "nounset", "xtrace", "noclobber", "noglob"].includes(word)),
  );
}

/** Returns what is wrong with the names of variables to set or unset. */
function namesDoubt({ sets, exports }: Builtin, call: BuiltinCall): string | undefined {
  for (const word of sets?.(call) ?? []) {
    const name = nameOf(word);
    const doubt =
      name === undefined ? "the variable it sets is only known at run time" : variableDoubt(name, exports?.(call));
    if (doubt !== undefined) {
      return doubt;
    }
  }
  return undefined;
}

/** Returns the name in `name` or `name=value`. */
function nameOf({ value, head }: ArgWord): string | undefined {
  const assigned = /^([^=]*?)\+?=/.exec(value ?? head ?? "")?.[1];
  return assigned ?? value;
}

/**
 * Reports `-v name`, which reads a variable by a name that may have a subscript; a word only known at run time may be
 * `-v`.
 */
function testDoubt({ words }: BuiltinCall): string | undefined {
  const values = words.map((word) => word.value ?? "[");
  return values.some((word, index) => ["-v", "-R", "["].includes(word) && (values[index + 1] ?? "").includes("["))
    ? "evaluates a subscript"
    : undefined;
}

/** Reports a format with `%n`, which sets a variable, as `-v` does, or one only known at run time. */
function printfDoubt({ words: [format] }: BuiltinCall): string | undefined {
  const isPlain = format === undefined || (format.value !== undefined && plainFormat(format.value));
  return isPlain ? undefined : "has a format that may set a variable (`%n`)";
}

/**
 * Accepts a name alone, `name=value`, or a list of values. A value that begins with `(` is expanded if the variable is
 * already an array (bash 5.2, `declare_internal`): `x=(1); declare x='($(id))'` runs id.
 */
function declarationDoubt({ flags, words }: BuiltinCall): string | undefined {
  const isOfArrays = flags.has("a") || flags.has("A");
  const isExpanded = words.some(({ value, head, isList = false }) => {
    const [, text] = /^[^=]*=([^]*)$/.exec(value ?? head ?? "") ?? [];
    return !isList && text !== undefined && (isOfArrays || /^\s*\(/.test(text));
  });
  return isExpanded ? "gives an array text that is expanded" : undefined;
}
