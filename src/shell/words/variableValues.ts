/** Values of variables that the line itself sets, in the stretch of it where they are sure. */
import type { Setter } from "../findings.js";
import type { ArgWord } from "../judge.js";
import { isDigits, parted, type Known, type NamedUse } from "../known.js";
import type { Folders } from "../folders.js";

/** A variable's value: a literal text, or what is known of it. */
export type Value = { kind: "literal"; text: string } | Known;

/**
 * Variables that the shell sets or reads by itself (Bash manual, 5.2), for which an assignment does not say what they
 * hold.
 */
const OF_THE_SHELL =
  /^(?:_|BASH.*|COMP_?.*|COPROC.*|DIRSTACK|E?UID|EPOCH.*|FUNCNAME|FUNCNEST|GLOB.*|GROUPS|HIST.*|HOST(?:NAME|TYPE|FILE)|IFS|INSIDE_.*|LANG|LC_.*|LINENO|LINES|COLUMNS|MACHTYPE|MAIL.*|MAPFILE|OLDPWD|OPT(?:ARG|IND|ERR)|OSTYPE|PIPESTATUS|POSIXLY.*|PPID|PROMPT.*|PS[0-4]|PWD|READLINE.*|REPLY|S?RANDOM|SECONDS|SHELL.*|SHLVL|TIMEFORMAT|TMOUT|TMPDIR)$/;

/** Texts that an unquoted expansion leaves as they are. */
const PLAIN = /^[A-Za-z0-9_./:@%+,=-]+$/;

/** The values that are sure at a place. A change makes a new one: what comes behind a loop does not see what it set. */
export class VariableValues {
  static readonly none = new VariableValues(new Map());
  readonly #values: ReadonlyMap<string, Value>;

  private constructor(values: ReadonlyMap<string, Value>) {
    this.#values = values;
  }

  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  with(name: string, value: Value): VariableValues {
    return new VariableValues(new Map([...this.#values, [name, value]]));
  }

  without(name: string): VariableValues {
    return new VariableValues(new Map([...this.#values].filter(([each]) => each !== name)));
  }
}

/** Whether the value of a variable of this name is just what it is set to. */
function keepsValue(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !OF_THE_SHELL.test(name);
}

/** The value after `name=…`, where it is known. */
export function assignedValue(name: string, { value, known }: ArgWord): Value | undefined {
  const start = `${name}=`;
  if (!keepsValue(name)) {
    return undefined;
  }
  if (value !== undefined) {
    const text = value.slice(start.length);
    return isDigits(text) ? { kind: "alike", text } : PLAIN.test(text) ? { kind: "literal", text } : undefined;
  }
  // Several names in one variable are one text with line ends, or several words.
  const isWhole =
    known?.before === start && known.after === "" && known.known.kind !== "names" && known.known.kind !== "pipe";
  return isWhole ? known.known : undefined;
}

/** What kind of thing sets a variable to a value. */
export function setterOf(value: Value | undefined): Setter {
  return value === undefined ? "something" : value.kind === "alike" ? "number" : "text";
}

/** What the variable of a loop over words is, where all of them are known. */
export function loopValue(name: string, words: readonly ArgWord[], folders: Folders): Value | undefined {
  const values = words.map(loopWord);
  if (!keepsValue(name) || values.length === 0 || values.includes(undefined)) {
    return undefined;
  }
  const numbers = words.every(({ value, known }) =>
    value === undefined ? known?.known.kind === "alike" && known.before === "" && known.after === "" : isDigits(value),
  );
  return numbers
    ? { kind: "alike", text: "1" }
    : { kind: "names", uses: values.flatMap((uses) => uses ?? []), folders };
}

/** The names that a word of a loop may become. */
function loopWord({ value, glob, known }: ArgWord): readonly NamedUse[] | undefined {
  const path = value ?? glob;
  if (path !== undefined) {
    // What is matched at the top is told without a place before it.
    return path === "" || path.startsWith("-")
      ? undefined
      : [
          {
            path,
            ...(glob !== undefined && /^[^A-Za-z0-9_./]/.test(glob)
              ? { listed: { depth: 0, bare: true as const } }
              : {}),
          },
        ];
  }
  if (known?.known.kind === "alike" && known.before === "" && known.after === "") {
    return [];
  }
  return known?.known.kind === "names" && known.before === "" && known.after === ""
    ? parted(known.known.uses, "none")
    : undefined;
}
