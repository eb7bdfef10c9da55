// The arguments of a command tool: `{name}` stands for a parameter's value.
import { ToolError } from "../../core/errors.js";
import { excerpt } from "../../text/clip.js";
import { splitArguments } from "../../text/skillArguments.js";

/** An argument, or several that are left out or repeated together. */
export type Argument = string | readonly string[];

/** The parameter that holds any arguments, split at whitespace outside of quotes. */
export const FREE_ARGUMENTS = "args";

/**
 * A placeholder: `{{name}}` is the text `{name}`; `{name?text}` is `text` if the parameter is true, else nothing;
 * `{name}` is its value. Other braces are text.
 */
const PLACEHOLDER = /\{\{(\w+)\}\}|\{([A-Za-z]\w*)(?:\?([^{}]*))?\}/g;

/** The parameters that arguments use. */
export function usedParameters(args: readonly Argument[]): string[] {
  const names = args.flat().flatMap((text) => [...text.matchAll(PLACEHOLDER)].flatMap(([, , name]) => name ?? []));
  return [...new Set(names)];
}

/** The parameters that one argument uses. */
export function parametersIn(argument: Argument): string[] {
  return usedParameters([argument]);
}

/** The parameters that are only used as `{name?text}`: they are true or false. */
export function switchParameters(args: readonly Argument[]): string[] {
  const uses = args.flat().flatMap((text) => [...text.matchAll(PLACEHOLDER)]);
  const valued = new Set(uses.flatMap(([, , name, then]) => (then === undefined ? (name ?? []) : [])));
  return usedParameters(args).filter((name) => !valued.has(name));
}

export interface Filling {
  args: readonly Argument[];
  input: Readonly<Record<string, unknown>>;
  /** Parameters whose values cannot be options: they have fixed choices. */
  isChosen: (parameter: string) => boolean;
}

/**
 * Puts the values of a call into the arguments: each value is one argument or a part of one, whatever characters it has.
 * An argument whose parameter has no value is left out; one with a list is repeated.
 *
 * @throws ToolError `invalid_input` for a value that a program would read as an option
 */
export function fillArguments({ args, input, isChosen }: Filling): string[] {
  const filled: string[] = [];
  let afterOptions = false;
  for (const argument of args) {
    const names = parametersIn(argument);
    const texts = [argument].flat();
    if (texts.length === 1 && texts[0] === `{${FREE_ARGUMENTS}}`) {
      filled.push(...splitArguments(textOf(valueOf(input, FREE_ARGUMENTS) ?? "")));
      continue;
    }
    if (names.some((name) => isNothing(valueOf(input, name)))) {
      continue;
    }
    const list = names.find((name) => Array.isArray(valueOf(input, name)));
    const rounds = list === undefined ? [undefined] : (valueOf(input, list) as unknown[]);
    for (const item of rounds) {
      const value = (name: string): string => textOf(name === list ? item : valueOf(input, name));
      for (const text of texts) {
        // Where the argument still begins: values before it may be empty.
        let beginning = 0;
        filled.push(
          text.replaceAll(
            PLACEHOLDER,
            (
              whole: string,
              literal: string | undefined,
              name: string | undefined,
              then: string | undefined,
              at: number,
            ) => {
              if (name === undefined) {
                return `{${literal ?? ""}}`;
              }
              const put = then ?? value(name);
              const isFirst = at === beginning;
              beginning += isFirst && put === "" ? whole.length : 0;
              const mayBeOption = then === undefined && isFirst && !afterOptions && !isChosen(name);
              return mayBeOption ? notAnOption(name, put) : put;
            },
          ),
        );
      }
    }
    afterOptions ||= texts.length === 1 && texts[0] === "--";
  }
  return filled;
}

/** Whether a parameter has no value, so that its argument is left out. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false;
}

function valueOf(input: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function notAnOption(name: string, value: string): string {
  if (value.startsWith("-") && Number.isNaN(Number(value))) {
    throw new ToolError(
      "invalid_input",
      `${name}: ${excerpt(value)} begins with a dash, so the program would read it as an option. Nothing was run.`,
      'Write ./ before the name of a file. To allow any value, put the argument "--" before it in the tool\'s definition.',
    );
  }
  return value;
}
