import type { CommandAnalysis, PathUse, SimpleCommand } from "./analysis.js";
import type { Folders } from "./folders.js";
import { variableDoubt } from "./words/variables.js";

/** A program's language: what `sh` runs has fewer constructs, and reads some of bash's differently. */
export type Dialect = "bash" | "sh";

/** A program within a program (`bash -c '…'`), to be parsed on its own. */
export interface InnerProgram {
  text: string;
  dialect: Dialect;
  folders: Folders;
  wrappers: readonly string[];
  /** How many programs enclose it. */
  level: number;
  /** The place of its commands among those of the enclosing program. */
  place: CommandList;
}

/** Commands in source order; those of an inner program are inserted later. */
export type CommandList = (SimpleCommand | CommandList)[];

/**
 * The kind of statement that sets a variable: a loop that is not inside another over the same variable, or an
 * assignment of a number or other known text.
 */
export type Setter = "loop" | "number" | "text" | "something";

/** Maximum number of commands: more than a person reads. Each is judged, which takes time. */
const MAX_COMMANDS = 1_000;

/**
 * Maximum number of parts visited. Parts that are not understood are visited again for the commands they contain, which
 * could take long.
 */
const MAX_STEPS = 50_000;

/** Maximum number of nested programs in total, and of nesting levels. */
const MAX_PROGRAMS = 50;
const MAX_LEVEL = 8;

/** Everything found out about a line so far. */
export class Findings {
  readonly #doubts = new Set<string>();
  readonly #commands: CommandList = [];
  readonly #redirections: PathUse[] = [];
  readonly #programs: InnerProgram[] = [];
  readonly #functions = new Set<string>();
  readonly #exported: ReadonlySet<string>;
  readonly #distrusted: ReadonlySet<string>;
  readonly #set = new Set<string>();
  readonly #tested = new Set<string>();
  /** The kinds of values each variable is set to, once for each place that sets it. */
  readonly #setBy = new Map<string, Setter[]>();
  /** Variables whose value was treated as known. */
  readonly #trusted = new Set<string>();
  #count = 0;
  #steps = 0;
  #programCount = 0;
  #makesArray = false;
  #declaresUnknown = false;
  #changesFolder = false;
  #runsLater = false;

  /**
   * @param exported variables that are already in the shell's environment: setting one sets it for programs too
   * @param distrusted variables whose value must not be treated as known
   */
  constructor(exported: ReadonlySet<string>, distrusted: ReadonlySet<string>) {
    this.#exported = exported;
    this.#distrusted = distrusted;
  }

  doubt(sentence: string): void {
    this.#doubts.add(sentence);
  }

  /** Counts the work. Throws if it is too much. */
  step(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) {
      throw new Error("the command is too complex to analyze in time");
    }
  }

  command(place: CommandList, command: SimpleCommand): void {
    this.#count += 1;
    if (this.#count > MAX_COMMANDS) {
      this.doubt(`it runs more than ${MAX_COMMANDS} commands`);
      return;
    }
    place.push(command);
  }

  redirection(use: PathUse): void {
    this.#redirections.push(use);
  }

  /** Records that a function is defined: commands with its name are no longer known. */
  defines(name: string): void {
    this.#functions.add(name);
  }

  /**
   * Records that the line sets or unsets a variable.
   * @param isExported whether programs get it
   * @param by the kind of its value, if known
   */
  sets(name: string, isExported = false, by: Setter = "something"): void {
    this.#set.add(name);
    this.#setBy.set(name, [...(this.#setBy.get(name) ?? []), by]);
    const doubt = variableDoubt(name, isExported || this.#exported.has(name));
    if (doubt !== undefined) {
      this.doubt(doubt);
    }
  }

  /** Records that the setter recorded last is the head of a loop over known words. */
  setByLoop(name: string): void {
    this.#setBy.set(name, [...(this.#setBy.get(name) ?? []).slice(0, -1), "loop"]);
  }

  /** Treats a variable's value as known, if allowed. Whether anything else sets it is only known at the end. */
  trusts(name: string): boolean {
    if (this.#distrusted.has(name)) {
      return false;
    }
    this.#trusted.add(name);
    return true;
  }

  /** Returns the variables that were treated as known but are also set by something else. */
  unsettled(): readonly string[] {
    return [...this.#trusted].filter((name) => !this.#isSettled(name));
  }

  /** Records that the line has an array variable. */
  makesArray(): void {
    this.#makesArray = true;
  }

  /** Records that `declare` or a similar builtin gives a variable a value only known at run time. */
  declaresUnknown(): void {
    this.#declaresUnknown = true;
  }

  /**
   * Records that `[ … ]` contains an unquoted variable; undefined for another expansion, whose text may be anything.
   */
  tests(name: string | undefined): void {
    if (name === undefined) {
      this.doubt("`[ … ]` contains an unquoted expansion, whose value could change what it tests");
    } else {
      this.#tested.add(name);
    }
  }

  /** Records that part of the line runs at another time than its position suggests. */
  runsLater(): void {
    this.#runsLater = true;
  }

  /** Records a change of folder: a function or trap in the same line may then run in any of the folders. */
  entersFolder(): void {
    this.#changesFolder = true;
  }

  program(program: InnerProgram): void {
    this.#programCount += 1;
    if (this.#programCount > MAX_PROGRAMS || program.level > MAX_LEVEL) {
      this.doubt("it has too many nested programs");
      return;
    }
    this.#programs.push(program);
  }

  /** Returns the next program to analyze. */
  nextProgram(): InnerProgram | undefined {
    return this.#programs.shift();
  }

  /** The list for the line's own commands. */
  get commands(): CommandList {
    return this.#commands;
  }

  finish(): CommandAnalysis {
    if (this.#changesFolder && (this.#runsLater || this.#functions.size > 0)) {
      this.doubt("the line changes folders, and a function or trap could run in any of these");
    }
    if (this.#makesArray && this.#declaresUnknown) {
      this.doubt(
        "the line makes an array, and `declare` or a similar builtin could assign it text that the shell expands",
      );
    }
    if ([...this.#tested].some((name) => this.#set.has(name))) {
      this.doubt("`[` evaluates a variable that the line sets; put quotes around it");
    }
    for (const name of this.unsettled()) {
      this.doubt(`\`$${name}\` is set in more than one place`);
    }
    return {
      commands: flat(this.#commands).map((command) => this.#withoutRedefined(command)),
      redirections: this.#redirections,
      doubts: [...this.#doubts],
    };
  }

  /** Whether everything that sets a variable is known, wherever the line uses it. */
  #isSettled(name: string): boolean {
    const by = this.#setBy.get(name) ?? [];
    const isLoops = by.every((each) => each === "loop") && this.#functions.size === 0 && !this.#runsLater;
    // The loops must not be nested; a function or a trap may run in the middle of one.
    return !by.includes("something") && (by.length === 1 || by.every((each) => each === "number") || isLoops);
  }

  #withoutRedefined(command: SimpleCommand): SimpleCommand {
    const name = command.words[0];
    return name === undefined || !this.#functions.has(name)
      ? command
      : {
          ...command,
          effect: "unknown",
          why: `\`${name}\` is a function that the line defines`,
          prefix: 0,
          beyondPrefix: true,
        };
  }
}

function flat(list: CommandList): SimpleCommand[] {
  return list.flatMap((item) => (Array.isArray(item) ? flat(item) : [item]));
}
