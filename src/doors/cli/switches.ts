import { Command, Option } from "commander";

/** A flag for a field that is true or false: `--enabled`, `--no-enabled`, `--enabled=false`, `--enabled false`. */
export class SwitchOption extends Option {
  /** Turns it off; help shows both as one. */
  readonly negation: Option;

  constructor(flag: string, description: string) {
    super(flag, description);
    this.negation = new Option(`--no-${flag.slice(2)}`).hideHelp();
  }
}

/** How help writes an option. */
export function optionTerm(option: Option): string {
  return option instanceof SwitchOption ? `--[no-]${option.flags.slice(2)}` : option.flags;
}

/**
 * A command whose flags without a value also take `true` or `false`, since users of other command lines write it. Only
 * commander's own reading would take `--enabled false` for the flag and a word.
 */
export class SwitchCommand extends Command {
  /** Arguments that a call cannot do without, in order; a flag may give them, too. Default: those that commander knows. */
  neededArguments: readonly { name: string; flag?: string }[] | undefined;

  override createCommand(name?: string): Command {
    return new SwitchCommand(name);
  }

  override parseOptions(words: string[]): ReturnType<Command["parseOptions"]> {
    // The words of a group belong to its commands.
    return super.parseOptions(this.commands.length > 0 ? words : this.#withSwitches(words));
  }

  /** Returns words in which no switch has a value. */
  #withSwitches(words: readonly string[]): string[] {
    const read: string[] = [];
    let given = 0;
    for (let index = 0; index < words.length; index++) {
      const word = words[index] ?? "";
      if (word === "--") {
        return [...read, ...words.slice(index)];
      }
      const [, flag, value] = /^(--[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
      const option = this.options.find(({ long }) => long !== undefined && long === flag);
      if (option === undefined) {
        given += word.startsWith("-") && word !== "-" ? 0 : 1;
        read.push(word);
        continue;
      }
      const next = words[index + 1];
      if (option.required || option.optional || option.negate) {
        read.push(word);
        if (option.required && value === undefined && next !== undefined) {
          read.push(next);
          index++;
        }
        continue;
      }
      if (value === undefined && next !== "true" && next !== "false") {
        read.push(word);
        continue;
      }
      if (value === undefined) {
        this.#checkMeant(option, next ?? "", given, words);
        index++;
      }
      read.push(...this.#turned(option, value ?? next ?? ""));
    }
    return read;
  }

  /** Returns the words that turn a switch on or off. */
  #turned({ long }: Option, value: string): string[] {
    if (long === undefined || (value !== "true" && value !== "false")) {
      this.error(`error: ${long}=${value}: expected true or false`);
    }
    if (value === "true") {
      return [long];
    }
    const negation = `--no-${long.slice(2)}`;
    // A switch without a negation is off unless it is given.
    return this.options.some((option) => option.long === negation) ? [negation] : [];
  }

  /** Refuses a word behind a switch that may as well be an argument: `grep --literal false`. */
  #checkMeant({ long }: Option, value: string, given: number, words: readonly string[]): void {
    const needed: NonNullable<typeof this.neededArguments> =
      this.neededArguments ??
      this.registeredArguments.flatMap((each) => (each.required || each.variadic ? [{ name: each.name() }] : []));
    const missing = needed.filter(
      ({ flag }) => flag === undefined || !words.some((word) => word === flag || word.startsWith(`${flag}=`)),
    )[given];
    if (missing !== undefined) {
      this.error(
        `error: ${long} ${value}: this can be the flag's value or ${missing.name}. Write ${long}=${value}, or ${missing.name} before the flag.`,
      );
    }
  }
}
