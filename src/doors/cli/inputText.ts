import type { Tool } from "../../core/contract.js";
import { Cancelled } from "../../core/errors.js";
import { failure, type Outcome } from "../../core/outcome.js";
import { parseInput } from "../../core/pipeline/input.js";
import { readJson } from "../../text/repairJson.js";
import { messageOf } from "../../text/words.js";
import type { CliHost } from "./host.js";
import { stdinFields, withStdin } from "./stdinTexts.js";
import { UsageError } from "./usageError.js";

/** Reads what `--input` gives: the words themselves, standard input or a file. */
export async function readInput(host: CliHost, given: string): Promise<string> {
  if (given !== "-" && !given.startsWith("@")) {
    return given;
  }
  return readOption(`--input ${given}`, () => (given === "-" ? host.readStdin() : host.readFile(given.slice(1))));
}

/** Returns an input with the text that comes from standard input. */
export async function withTexts(
  host: CliHost,
  tool: Tool,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const [field, ...others] = stdinFields(tool, input, () => host.isPiped());
  if (field === undefined) {
    return input;
  }
  if (others.length > 0) {
    throw new UsageError(`${[field, ...others].join(" and ")} cannot both come from standard input.`);
  }
  try {
    const text = await host.readText();
    // An empty pipe that nobody meant must not empty a file.
    return text === "" && !Object.hasOwn(input, field) ? input : withStdin(tool, input, field, text);
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") {
      throw new Cancelled(tool.name);
    }
    throw new UsageError(`${field} cannot be read from standard input: ${messageOf(error)}`);
  }
}

/** @param option as given, for the error message */
export async function readOption(option: string, read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    throw new UsageError(`${option} cannot be read: ${messageOf(error)}`);
  }
}

/** Returns the failure if the input does not match the tool's schema; undefined if it matches. */
export function checkInput(tool: Tool, input: unknown): Outcome | undefined {
  try {
    parseInput(tool, input);
    return undefined;
  } catch (error) {
    return failure(tool.name, error);
  }
}

/**
 * Parses `--input`, which a model may have written.
 *
 * @returns the input, and what was repaired in it
 */
export function parseInputJson(text: string): { value: unknown; notes: string[] } {
  const { value, note } = parsed("--input", text, readJson);
  return { value, notes: note === undefined ? [] : [note] };
}

/** @param option as given, for the error message */
export function parseJson(option: string, text: string): unknown {
  return parsed<unknown>(option, text, JSON.parse);
}

function parsed<T>(option: string, text: string, parse: (text: string) => T): T {
  try {
    // Windows' own editors start a file with a byte order mark.
    return parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new UsageError(`${option} is not JSON: ${messageOf(error)}`);
  }
}
