import { InvalidArgumentError, Option, type Command } from "commander";
import { MAX_ITERATIONS } from "../../agent/turn.js";
import type { Tool } from "../../core/contract.js";
import { Cancelled } from "../../core/errors.js";
import type { ModelContent } from "../../ports/models.js";
import type { PlacedRule } from "../../ports/rules.js";
import { ALLOW_ALL, ALLOW_FORMS, readAllowedRules } from "./allow.js";
import { readChosenTools } from "./chosenTools.js";
import { manifestRules } from "./manifest.js";
import { messageOf } from "../../text/words.js";
import { collect } from "./collect.js";

/** Maximum characters of standard input: about 250,000 tokens, roughly the maximum that models accept. */
const MAX_ATTACHED = 1_000_000;
/** Upper limit of `--max-iterations`. */
const MOST_ITERATIONS = 1_000;

/** One turn of an agent, as the command line requests it. */
export interface AgentRequest {
  content: ModelContent[];
  model: string | undefined;
  baseUrl: string | undefined;
  apiKey: string | undefined;
  /** The session to continue: by id or a prefix of it, or the latest one. A new session if absent. */
  session: { id: string } | "latest" | undefined;
  planOnly: boolean;
  /** Whether a tool is sent with every request, although few turns need it. */
  isSent: (tool: Tool) => boolean;
  maxIterations: number | undefined;
  /** Rules for this turn only. */
  rules: readonly PlacedRule[];
  /** Whether calls are decided on in mode bypass. */
  allowAll: boolean;
  json: boolean;
}

/** What the command needs from the command line. */
export interface AgentDoor {
  /** All tools of Toolhost that a rule may name. */
  tools: readonly Tool[];
  /** Reads the user's own tools, which a rule may name, too. */
  ownTools(): Promise<readonly Tool[]>;
  /** Whether something is piped into standard input: a file or another program, not a terminal. */
  isPiped(): boolean;
  readStdin(): Promise<string>;
  readFile(path: string): Promise<string>;
  /** Runs and shows the turn. Returns the exit code. */
  run(request: AgentRequest): Promise<number>;
  /** Creates an error about wrong usage. */
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
  allowAll?: boolean;
  manifest?: string;
  tools?: string[];
  json?: boolean;
}

/** Adds `toolhost agent`: one turn of an agent in the workspace, on any OpenAI-compatible server. */
export function addAgentCommand(program: Command, door: AgentDoor): void {
  program
    .command("agent [prompt...]")
    .description(
      "let a model work in this folder with Toolhost's tools; prints its answer to standard output and logs its actions to standard error",
    )
    .option("--model <id>", "the model (default: OPENAI_MODEL, else the server's only one)")
    .option("--base-url <url>", "the OpenAI-compatible server, up to /v1 (default: OPENAI_BASE_URL)")
    .option("--api-key <key>", "its API key (default: OPENAI_API_KEY, which other users of this machine cannot see)")
    .addOption(new Option("--session <id>", "continue a session, by its id or a prefix of it").conflicts("continue"))
    .option("--continue", "continue the latest session of this command")
    .option("--plan", "look around and plan, without changing anything")
    .addOption(
      new Option(
        "--max-iterations <n>",
        `requests to the model, 1 to ${MOST_ITERATIONS} (default: ${MAX_ITERATIONS})`,
      ).argParser(iterations),
    )
    .option("--allow <rule>", `allow instead of asking: ${ALLOW_FORMS} (repeatable)`, collect)
    .option("--allow-all", ALLOW_ALL)
    .option(
      "--manifest <file>",
      "keep to the permissions of a workspace manifest: the only files to read, or to change",
    )
    .option(
      "--tools <names>",
      "send these tools with every request, too: names, groups or all; the model finds the others when it needs them (repeatable)",
      collect,
    )
    .option("--json", "print every event as a line of JSON")
    .addHelpText(
      "after",
      "\nThe prompt is the words, standard input (if piped, or with -), or both: then standard input is attached." +
        "\nCalls that need permission ask on the terminal; without one they are denied unless --allow covers them or --allow-all is given (docs/permissions.md)." +
        "\nExit code 0: the turn ended well, 1: it did not, 2: the command line is wrong, 130: stopped (Ctrl+C; a second one kills it).",
    )
    .action(async (words: string[], options: Given) => {
      const own = options.allow === undefined && options.tools === undefined ? [] : await door.ownTools();
      door.finish(await door.run(await readRequest({ ...door, tools: [...door.tools, ...own] }, words, options)));
    });
}

async function readRequest(door: AgentDoor, words: readonly string[], options: Given): Promise<AgentRequest> {
  const rules = [
    ...readAllowedRules(options.allow, door),
    ...(options.manifest === undefined ? [] : await manifestRules((file) => door.readFile(file), options.manifest)),
  ];
  const isSent = readChosenTools(options.tools ?? [], door);
  return {
    content: await readPrompt(door, words),
    ...{ model: options.model, baseUrl: options.baseUrl, apiKey: options.apiKey },
    session:
      options.session === undefined ? (options.continue === true ? "latest" : undefined) : { id: options.session },
    planOnly: options.plan === true,
    isSent,
    maxIterations: options.maxIterations,
    rules,
    allowAll: options.allowAll === true,
    json: options.json === true,
  };
}

async function readPrompt(door: AgentDoor, words: readonly string[]): Promise<ModelContent[]> {
  const said = words.filter((word) => word !== "-").join(" ");
  const input = words.includes("-") || door.isPiped() ? await readInput(door) : "";
  if (said.trim() === "" && input.trim() === "") {
    throw door.usage('There is no prompt. Say what to do: toolhost agent "…", or pipe it to standard input.');
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
    throw door.usage("Standard input is not text. Save it as a file in the folder and name the file in the prompt.");
  }
  if (input.length > MAX_ATTACHED) {
    throw door.usage(
      `Standard input has ${input.length} characters; the limit is ${MAX_ATTACHED}. Save it as a file in the folder and name the file in the prompt.`,
    );
  }
  return input;
}

/** Wraps standard input in tags that nothing in it can close. */
function attached(input: string): string {
  return `<standard_input>\n${input.replaceAll(/<(?=\/?standard_input)/gi, "‹").replace(/\n$/, "")}\n</standard_input>`;
}

function iterations(word: string): number {
  const number = Number(word);
  if (!/^\d+$/.test(word) || number < 1 || number > MOST_ITERATIONS) {
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${MOST_ITERATIONS}.`);
  }
  return number;
}
