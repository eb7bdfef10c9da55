import type { CommandAnalysis, PathUse, SimpleCommand } from "./analysis.js";
import type { Folders } from "./folders.js";
import { variableDoubt } from "./words/variables.js";

/** Which language a program is in: what `sh` runs has fewer constructs, and takes some of bash's for something else. */
export type Dialect = "bash" | "sh";

/** A program within a program (`bash -c '…'`), to be parsed on its own. */
export interface InnerProgram {
  text: string;
  dialect: Dialect;
  folders: Folders;
  wrappers: readonly string[];
  /** How many programs are around it. */
  level: number;
  /** Where its commands stand among those of the program around it. */
  place: CommandList;
}

/** Commands in the order of the text; those of an inner program are put in later. */
export type CommandList = (SimpleCommand | CommandList)[];

/**
 * What sets a variable: a loop that stands in no other of the same variable, or an assignment of a number or another
 * known text.
 */
export type Setter = "loop" | "number" | "text" | "something";

/** More commands than a person reads. Each is judged, which takes time. */
const MAX_COMMANDS = 1_000;

/**
 * Parts that are looked at. What is not understood is looked at again for what is in it, which could go on for long.
 */
const MAX_STEPS = 50_000;

/** Programs within programs, in all and one in another. */
const MAX_PROGRAMS = 50;
const MAX_LEVEL = 8;

/** What has been found out about a line so far. */
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
  /** By what kind of thing each variable is set, once for each place that sets it. */
  readonly #setBy = new Map<string, Setter[]>();
  /** Variables whose value was taken for known. */
  readonly #trusted = new Set<string>();
  #count = 0;
  #steps = 0;
  #programCount = 0;
  #makesArray = false;
  #declaresUnknown = false;
  #changesFolder = false;
  #runsLater = false;

  /** @param exported names that are in the environment already: setting one sets it for programs, too */
  /**
   * @param exported variables that the shell has in its environment anyway
   * @param distrusted variables of which nothing is to be taken for known
   */
  constructor(exported: ReadonlySet<string>, distrusted: ReadonlySet<string>) {
    this.#exported = exported;
    this.#distrusted = distrusted;
  }

  doubt(sentence: string): void {
    this.#doubts.add(sentence);
  }

  /** Counts the work. Throws when it is too much. */
  step(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) {
      throw new Error("the command is too complicated to be understood in time");
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

  /** Notes that a function is defined: commands of its name are no longer known. */
  defines(name: string): void {
    this.#functions.add(name);
  }

  /**
   * Notes that the line sets a variable, or takes it away.
   *
   * @param isExported whether programs get it
   * @param by what its value is, when that is known
   */
  sets(name: string, isExported = false, by: Setter = "something"): void {
    this.#set.add(name);
    this.#setBy.set(name, [...(this.#setBy.get(name) ?? []), by]);
    const doubt = variableDoubt(name, isExported || this.#exported.has(name));
    if (doubt !== undefined) {
      this.doubt(doubt);
    }
  }

  /** Notes that what was just noted to set a variable is the head of a loop over known words. */
  setByLoop(name: string): void {
    this.#setBy.set(name, [...(this.#setBy.get(name) ?? []).slice(0, -1), "loop"]);
  }

  /** Takes a variable for what it was set to, where it may be. Whether nothing else sets it shows at the end. */
  trusts(name: string): boolean {
    if (this.#distrusted.has(name)) {
      return false;
    }
    this.#trusted.add(name);
    return true;
  }

  /** Variables that were taken for known, and are set by something else, too. */
  unsettled(): readonly string[] {
    return [...this.#trusted].filter((name) => !this.#isSettled(name));
  }

  /** Notes that the line has a variable that is an array. */
  makesArray(): void {
    this.#makesArray = true;
  }

  /** Notes that `declare` or one of its kin gives a variable a value that depends on the run. */
  declaresUnknown(): void {
    this.#declaresUnknown = true;
  }

  /** Notes that `[ … ]` has a variable unquoted; undefined for another expansion, whose text is anybody's. */
  tests(name: string | undefined): void {
    if (name === undefined) {
      this.doubt("`[` evaluates what an unquoted expansion in it becomes");
    } else {
      this.#tested.add(name);
    }
  }

  /** Notes that a part of the line runs at another time than its place tells. */
  runsLater(): void {
    this.#runsLater = true;
  }

  /** Notes a change of folder. A function's body runs wherever it is called. */
  entersFolder(): void {
    this.#changesFolder = true;
  }

  program(program: InnerProgram): void {
    this.#programCount += 1;
    if (this.#programCount > MAX_PROGRAMS || program.level > MAX_LEVEL) {
      this.doubt("it has too many programs within programs");
      return;
    }
    this.#programs.push(program);
  }

  /** The next program to look into. */
  nextProgram(): InnerProgram | undefined {
    return this.#programs.shift();
  }

  /** Where the commands of the line itself stand. */
  get commands(): CommandList {
    return this.#commands;
  }

  finish(): CommandAnalysis {
    if (this.#changesFolder && (this.#runsLater || this.#functions.size > 0)) {
      this.doubt("it changes the folder, and a function or trap may run in any of them");
    }
    if (this.#makesArray && this.#declaresUnknown) {
      this.doubt("it makes an array, and `declare` or one of its kin may give it a text that is expanded");
    }
    if ([...this.#tested].some((name) => this.#set.has(name))) {
      this.doubt("`[` evaluates what a variable of the line becomes: quote it");
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

  /** Whether all that sets a variable is known, wherever in the line it is used. */
  #isSettled(name: string): boolean {
    const by = this.#setBy.get(name) ?? [];
    const isLoops = by.every((each) => each === "loop") && this.#functions.size === 0 && !this.#runsLater;
    // Loops that do not stand in each other; a function or a trap may run in the middle of one.
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
