import type { CommandAnalysis, PathUse, SimpleCommand } from "./analysis.js";
import type { Folders } from "./folders.js";
import { variableDoubt } from "./variables.js";

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

/** More commands than a person reads. Each is judged, which takes time. */
const MAX_COMMANDS = 1_000;

/** Parts that are looked at. What is not understood is looked at again for what is in it, which could go on for long. */
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
  readonly #set = new Set<string>();
  readonly #tested = new Set<string>();
  #count = 0;
  #steps = 0;
  #programCount = 0;
  #makesArray = false;
  #declaresUnknown = false;
  #changesFolder = false;
  #runsLater = false;

  /** @param exported names that are in the environment already: setting one sets it for programs, too */
  constructor(exported: Iterable<string> = []) {
    this.#exported = new Set(exported);
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
   */
  sets(name: string, isExported = false): void {
    this.#set.add(name);
    const doubt = variableDoubt(name, isExported || this.#exported.has(name));
    if (doubt !== undefined) {
      this.doubt(doubt);
    }
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
    return { commands: flat(this.#commands).map((command) => this.#withoutRedefined(command)), redirections: this.#redirections, doubts: [...this.#doubts] };
  }

  #withoutRedefined(command: SimpleCommand): SimpleCommand {
    const name = command.words[0];
    return name === undefined || !this.#functions.has(name)
      ? command
      : { ...command, effect: "unknown", why: `\`${name}\` is a function that the line defines`, prefix: 0, beyondPrefix: true };
  }
}

function flat(list: CommandList): SimpleCommand[] {
  return list.flatMap((item) => (Array.isArray(item) ? flat(item) : [item]));
}
