import { InvalidArgumentError, Option, type Command } from "commander";
import { MAX_ITERATIONS } from "../../agent/turn.js";
import type { Tool } from "../../core/contract.js";
import { Cancelled } from "../../core/errors.js";
import type { ModelContent } from "../../ports/models.js";
import type { PlacedRule } from "../../ports/rules.js";
import { ALLOW_FORMS, readAllowedRules } from "./allow.js";
import { messageOf } from "../../text/words.js";

/** Characters of standard input that a model is given: some 250,000 tokens, which is all that models take. */
const MAX_ATTACHED = 1_000_000;
/** The most requests of one turn that can be asked for. */
const MOST_ITERATIONS = 1_000;

/** One turn of an agent, as a command line asks for it. */
export interface AgentRequest {
  content: ModelContent[];
  model: string | undefined;
  baseUrl: string | undefined;
  apiKey: string | undefined;
  /** The session to go on with, by its id or the beginning of it, or the latest one; a new one when absent. */
  session: { id: string } | "latest" | undefined;
  planOnly: boolean;
  maxIterations: number | undefined;
  /** Rules that allow, for this turn alone. */
  rules: readonly PlacedRule[];
  json: boolean;
}

/** What the command needs of the command line. */
export interface AgentDoor {
  /** All tools that a rule may name. */
  tools: readonly Tool[];
  /** Whether something is piped into standard input: a file or another program, not a terminal. */
  isPiped(): boolean;
  readStdin(): Promise<string>;
  /** Runs the turn, shows it, and gives the exit code. */
  run(request: AgentRequest): Promise<number>;
  /** Makes an error that says the command line is wrong. */
  usage(message: string): Error;
  finish(exitCode: number): void;
}

interface Given {
  model?: string;
  baseUrl?: string;
  apiKey?: string;
  session?: string;
  continue?: boolean;
  plan?: boolean;
  maxIterations?: number;
  allow?: string[];
  json?: boolean;
}

/** `toolhost agent`: one turn of an agent in the workspace, on any OpenAI-compatible server. */
export function addAgentCommand(program: Command, door: AgentDoor): void {
  program
    .command("agent [prompt...]")
    .description(
      "let a model work in the folder with these tools: the answer goes to standard output, what it does to standard error",
    )
    .option("--model <id>", "the model (default: OPENAI_MODEL, else the server's only one)")
    .option("--base-url <url>", "the OpenAI-compatible server, up to /v1 (default: OPENAI_BASE_URL)")
    .option("--api-key <key>", "its key (default: OPENAI_API_KEY, which other users of this machine do not see)")
    .addOption(
      new Option("--session <id>", "go on with a session, by its id or the beginning of it").conflicts("continue"),
    )
    .option("--continue", "go on with the latest session of this command")
    .option("--plan", "only look: nothing is changed")
    .addOption(
      new Option(
        "--max-iterations <n>",
        `requests to the model, 1 to ${MOST_ITERATIONS} (default: ${MAX_ITERATIONS})`,
      ).argParser(iterations),
    )
    .option("--allow <rule>", `allow what would be asked: ${ALLOW_FORMS} (repeatable)`, collect)
    .option("--json", "print every event as a line of JSON")
    .addHelpText(
      "after",
      "\nThe prompt is the words, standard input (with - or without words), or both: then standard input is attached." +
        "\nWhat needs permission is asked on the terminal; without one it is denied unless --allow covers it (docs/permissions.md)." +
        "\nExit code 0: the turn ended well, 1: it did not, 2: the command line is wrong, 130: stopped (Ctrl+C; a second one ends at once).",
    )
    .action(async (words: string[], options: Given) =>
      door.finish(await door.run(await readRequest(door, words, options))),
    );
}

async function readRequest(door: AgentDoor, words: readonly string[], options: Given): Promise<AgentRequest> {
  const rules = readAllowedRules(options.allow, door);
  return {
    content: await readPrompt(door, words),
    ...{ model: options.model, baseUrl: options.baseUrl, apiKey: options.apiKey },
    session:
      options.session === undefined ? (options.continue === true ? "latest" : undefined) : { id: options.session },
    planOnly: options.plan === true,
    maxIterations: options.maxIterations,
    rules,
    json: options.json === true,
  };
}

async function readPrompt(door: AgentDoor, words: readonly string[]): Promise<ModelContent[]> {
  const said = words.filter((word) => word !== "-").join(" ");
  const input = words.includes("-") || door.isPiped() ? await readInput(door) : "";
  if (said.trim() === "" && input.trim() === "") {
    throw door.usage('There is no prompt. Say what to do: toolhost agent "…", or give it on standard input.');
  }
  if (said.trim() === "") {
    return [{ type: "text", text: input }];
  }
  return [
    { type: "text", text: said },
    ...(input.trim() === "" ? [] : [{ type: "text" as const, text: attached(input) }]),
  ];
}

async function readInput(door: AgentDoor): Promise<string> {
  let input: string;
  try {
    input = await door.readStdin();
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") {
      throw new Cancelled("agent");
    }
    throw door.usage(`Standard input cannot be read: ${messageOf(error)}`);
  }
  if (input.includes("\0")) {
    throw door.usage("Standard input is no text. Save it as a file in the folder, and name that in the prompt.");
  }
  if (input.length > MAX_ATTACHED) {
    throw door.usage(
      `Standard input has ${input.length} characters, and a model is given ${MAX_ATTACHED} at most. Save it as a file in the folder, and name that in the prompt.`,
    );
  }
  return input;
}

/** Marked, so that nothing in it can pass for the end of the mark. */
function attached(input: string): string {
  return `<standard_input>\n${input.replaceAll(/<(?=\/?standard_input)/gi, "‹").replace(/\n$/, "")}\n</standard_input>`;
}

function iterations(word: string): number {
  const number = Number(word);
  if (!/^\d+$/.test(word) || number < 1 || number > MOST_ITERATIONS) {
    throw new InvalidArgumentError(`A whole number from 1 to ${MOST_ITERATIONS} is expected.`);
  }
  return number;
}

function collect(word: string, before: string[] | undefined): string[] {
  return [...(before ?? []), word];
}
