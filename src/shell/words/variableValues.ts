/** Values of variables that the line itself sets, wherever they are certain. */
import type { Setter } from "../findings.js";
import type { ArgWord } from "../judge.js";
import { isDigits, parted, type Known, type NamedUse } from "../known.js";
import type { Folders } from "../folders.js";

/** A variable's value: literal text, or what is known about it. */
export type Value = { kind: "literal"; text: string } | Known;

/**
 * Variables that the shell itself sets or reads (Bash manual, 5.2), so that an assignment does not determine their
 * value.
 */
const OF_THE_SHELL =
  /^(?:_|BASH.*|COMP_?.*|COPROC.*|DIRSTACK|E?UID|EPOCH.*|FUNCNAME|FUNCNEST|GLOB.*|GROUPS|HIST.*|HOST(?:NAME|TYPE|FILE)|IFS|INSIDE_.*|LANG|LC_.*|LINENO|LINES|COLUMNS|MACHTYPE|MAIL.*|MAPFILE|OLDPWD|OPT(?:ARG|IND|ERR)|OSTYPE|PIPESTATUS|POSIXLY.*|PPID|PROMPT.*|PS[0-4]|PWD|READLINE.*|REPLY|S?RANDOM|SECONDS|SHELL.*|SHLVL|TIMEFORMAT|TMOUT|TMPDIR)$/;

/** Text that an unquoted expansion leaves unchanged. */
const PLAIN = /^[A-Za-z0-9_./:@%+,=-]+$/;

/** The values that are certain at one point. Immutable, so that code after a loop does not see what the loop set. */
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

/** Whether a variable with this name simply keeps the value it is set to. */
function keepsValue(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !OF_THE_SHELL.test(name);
}

/** Returns the value after `name=…`, if known. */
export function assignedValue(name: string, { value, known }: ArgWord): Value | undefined {
  const start = `${name}=`;
  if (!keepsValue(name)) {
    return undefined;
  }
  if (value !== undefined) {
    const text = value.slice(start.length);
    return isDigits(text) ? { kind: "alike", text } : PLAIN.test(text) ? { kind: "literal", text } : undefined;
  }
  // Several names in one variable become one text with line endings, or several words.
  const isWhole =
    known?.before === start && known.after === "" && known.known.kind !== "names" && known.known.kind !== "pipe";
  return isWhole ? known.known : undefined;
}

/** Returns what kind of value a variable is set to. */
export function setterOf(value: Value | undefined): Setter {
  return value === undefined ? "something" : value.kind === "alike" ? "number" : "text";
}

/** Returns the value of the variable of a loop over words, if all of them are known. */
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

/** Returns the names that a loop's word may become. */
function loopWord({ value, glob, known }: ArgWord): readonly NamedUse[] | undefined {
  const path = value ?? glob;
  if (path !== undefined) {
    // `find` prints a match at the top level without a path before it.
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
