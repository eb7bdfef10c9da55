import { CommanderError, Option, type Command } from "commander";
import type { Tool } from "../../core/contract.js";
import { Cancelled } from "../../core/errors.js";
import { FORMATS, schemas, toDescribedTool, type Format } from "../../core/formats.js";
import { parseInput } from "../../core/pipeline/input.js";
import type { JsonSchemaProperty } from "../../core/jsonSchema.js";
import { failure, withNotes, type Outcome } from "../../core/outcome.js";
import { firstSentence } from "../../text/sentence.js";
import { otherSystems } from "../../core/pipeline/unknownTool.js";
import { coerce } from "../../core/pipeline/coerce.js";
import type { ServerStart } from "../../features/connect/clients.js";
import type { UndoRequest } from "./undo.js";
import { addAgentCommand, type AgentRequest } from "./agent.js";
import { addToolsCommand, type ToolsRequest } from "./tools.js";
import { addConnectCommand, type ConnectDoor, type ConnectRequest } from "./connect.js";
import { addMcpCommand, type McpRequest } from "./mcp.js";
import type { McpServersRequest } from "./mcpServers.js";
import { addWorkCommand, type WorkRequest } from "./work.js";
import { absentTools } from "./absentTools.js";
import { commandWords } from "./commandWords.js";
import { withParts } from "../../core/toolParts.js";
import { EXIT, EXIT_CODES, exitCodeOf } from "./exitCode.js";
import { addExplainCommand, type Explainer, type ExplainOptions } from "./explain.js";
import { outcomeJson, outcomeText } from "./render.js";
import { stdinFields, stdinHelp, withStdin } from "./stdinTexts.js";
import { optionTerm, SwitchCommand, SwitchOption } from "./switches.js";
import { readJson } from "../../text/repairJson.js";
import { messageOf } from "../../text/words.js";

/** Where to work, from the options before the command. */
export interface CliTarget {
  /** The workspace folder. Default: the current folder. */
  workspace?: string;
  /** More folders that tools may work in. */
  root?: string[];
  /** The workspace's other folders, if it is that of a window with several. */
  others?: string[];
  /** Seconds that a tool without a limit of its own may take. */
  toolTimeout?: number;
}

interface UndoOptions {
  id?: number;
  list?: boolean;
  file?: string[];
  json?: boolean;
  with?: string[];
}

/** What the command line needs from its host. */
export interface CliHost {
  /** This command line, as another program starts it. */
  self: Omit<ServerStart, "flags">;
  version: string;
  tools: readonly Tool[];
  /** Opens the workspace and runs a tool in it. Throws an Error if the folder does not exist. */
  invoke(target: CliTarget, tool: string, input: unknown, readsData: boolean): Promise<Outcome>;
  /** Opens the workspace and undoes changes or lists them. Throws as `invoke` does. */
  undo(target: CliTarget, request: UndoRequest): Promise<Outcome>;
  /** Opens the workspace to explain permission for calls in it. Throws as `invoke` does; creates nothing. */
  explainer(target: CliTarget, options: ExplainOptions): Promise<Explainer>;
  /** Opens the workspace and reads the user's own tools in it that can be called. Throws as `invoke` does. */
  approvedTools(target: CliTarget): Promise<readonly Tool[]>;
  agent: {
    /** The tools an agent can be given. */
    tools: readonly Tool[];
    /** Opens the workspace and reads the user's own tools in it. Throws as `invoke` does. */
    ownTools(target: CliTarget): Promise<readonly Tool[]>;
    /** Opens the workspace, runs and shows an agent's turn, and returns the exit code. Throws as `invoke` does. */
    run(target: CliTarget, request: AgentRequest): Promise<number>;
  };
  /** Opens the workspace, and shows, checks or approves its own tools. Returns the exit code. Throws as `invoke` does. */
  customTools(target: CliTarget, request: ToolsRequest): Promise<number>;
  /** Opens the workspace, does its work until stopped, and returns the exit code. Throws as `invoke` does. */
  work(target: CliTarget, request: WorkRequest): Promise<number>;
  /** Opens the workspace, serves its tools until the client goes, and returns the exit code. Throws as `invoke` does. */
  mcp(target: CliTarget, request: McpRequest): Promise<number>;
  connect: {
    /** Shows a change of another agent's configuration, asks, makes it, and returns the exit code. */
    run(target: CliTarget, request: ConnectRequest): Promise<number>;
    /** Returns the text of an entry alone. */
    entryText: ConnectDoor["entryText"];
  };
  /** Opens the workspace, and shows or approves its MCP servers. Returns the exit code. Throws as `invoke` does. */
  mcpServers(target: CliTarget, request: McpServersRequest): Promise<number>;
  /** Whether standard input is a file or another program. */
  isPiped(): boolean;
  readStdin(): Promise<string>;
  /** Reads standard input as a text of which nothing may be lost. Throws an Error if it is not UTF-8. */
  readText(): Promise<string>;
  readFile(path: string): Promise<string>;
  out(text: string): void;
  err(text: string): void;
}

/** Names of the command line's own flags; a field with such a name has no flag. */
const OWN_FLAGS = new Set(["json", "help"]);
/** Possible names of a flag: none that commander reads as several flags, a short flag, or the negation of another. */
const FLAG_NAME = /^(?!no[-_])[a-z0-9][\w.-]*$/i;

/** Highest value of `--tool-timeout`, in seconds: a day. */
const MAX_TIMEOUT = 86_400;

/** How commander's message about a command that it does not know begins. */
const UNKNOWN_COMMAND = "error: unknown command ";

/** A mistake in the command line itself. */
class UsageError extends Error {}

/**
 * Runs a command line and returns the exit code: 0 done, 1 the tool failed, 2 the command line is wrong, or the exit
 * code of the command that ran.
 *
 * @param words the arguments, without node and the script
 */
export async function runCli(host: CliHost, words: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.ok;
  const finish = (code: number): void => {
    exitCode = code;
  };
  let program = createProgram(host, finish);
  try {
    if (asksForHelp(words)) {
      const own = await helpedTool(host, program, words);
      program = createProgram(own === undefined ? host : { ...host, tools: [...host.tools, own] }, finish);
    }
    try {
      await program.parseAsync([...words], { from: "user" });
    } catch (error) {
      const own = isUnknownCommand(error) ? await ownTool(host, program, program.args[0]) : undefined;
      if (own === undefined) {
        throw error;
      }
      program = createProgram({ ...host, tools: [...host.tools, own] }, finish);
      await program.parseAsync([...words], { from: "user" });
    }
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (isUnknownCommand(error)) {
        tellUnknown(host, program, error);
        const hint = hintFor(host, program.args[0] ?? "");
        if (hint !== undefined) {
          host.err(hint);
        }
      }
      // Commander has already printed it; help and version are not mistakes.
      return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    }
    if (error instanceof Cancelled) {
      return EXIT.cancelled;
    }
    host.err(`toolhost: ${messageOf(error)}`);
    return EXIT.usage;
  }
}

/** Returns what replaces a tool that has no command, or another system's. */
function hintFor({ tools, agent }: CliHost, name: string): string | undefined {
  return otherSystems(name, tools, { absent: absentTools(agent.tools, tools) });
}

function isUnknownCommand(error: unknown): error is CommanderError {
  return error instanceof CommanderError && error.code === "commander.unknownCommand";
}

function asksForHelp(words: readonly string[]): boolean {
  return words.some((word) => word === "--help" || word === "-h" || word === "help");
}

/** Returns the user's own tool whose help a command line asks for. */
async function helpedTool(host: CliHost, program: Command, words: readonly string[]): Promise<Tool | undefined> {
  const { operands } = program.parseOptions([...words]);
  const name = operands[0] === "help" ? operands[1] : operands[0];
  const isKnown = name === undefined || program.commands.some((command) => command.name() === name);
  return isKnown ? undefined : ownTool(host, program, name);
}

/** Returns the user's own tool with a name, as one in no group: its command is its name. */
async function ownTool({ agent }: CliHost, program: Command, name: string | undefined): Promise<Tool | undefined> {
  const own = await agent.ownTools(program.opts()).catch(() => []);
  const tool = own.find((each) => each.name === name);
  return tool && { ...tool, group: "" };
}

/** Says that there is no such command. */
function tellUnknown(host: CliHost, program: Command, { message }: CommanderError): void {
  // What replaces another system's tool is reported below; a name that looks like it would mislead.
  const isOthers = hintFor(host, program.args[0] ?? "") !== undefined;
  host.err(isOthers ? message.replace(/\n\(Did you .*/, "") : message);
}

function createProgram(host: CliHost, finish: (code: number) => void): Command {
  const program = new SwitchCommand("toolhost")
    .description("Toolhost's tools on the command line.")
    .version(host.version)
    .option("--workspace <dir>", "folder to work in (default: the current folder)")
    .option("--root <dir>", "another folder that tools may work in (repeatable)", collect)
    .option(
      "--tool-timeout <seconds>",
      "time limit of each call of a tool that has none of its own (default: 30)",
      timeoutSeconds,
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.out(text.replace(/\n$/, "")),
      writeErr: (text) => host.err(text.replace(/\n$/, "")),
      // It may be one of the user's own tools; otherwise the error follows once that is known.
      outputError: (text, write) => (text.startsWith(UNKNOWN_COMMAND) ? undefined : write(text)),
    })
    .configureHelp({ optionTerm })
    .showSuggestionAfterError()
    .addHelpText("afterAll", `\n${EXIT_CODES}`)
    // Options after the command belong to the command.
    .enablePositionalOptions();
  const print = (outcome: Outcome, json: boolean): void => {
    if (json) {
      host.out(outcomeJson(outcome));
      return;
    }
    const { out, err } = outcomeText(outcome);
    if (out !== "") {
      host.out(out);
    }
    if (err !== "") {
      host.err(err);
    }
  };

  program
    .command("run <tool>")
    .description("run a tool with its input as JSON")
    .option("--input <json>", "the input; - reads it from standard input, @file from a file", "{}")
    .option("--json", "print {ok, text, data, error} as one line of JSON")
    .action(async (tool: string, options: { input: string; json?: boolean }) => {
      const { value, notes } = parseInputJson(await readInput(host, options.input));
      const outcome = withNotes(await host.invoke(program.opts(), tool, value, options.json === true), notes);
      print(outcome, options.json === true);
      finish(exitCodeOf(outcome));
    });

  program
    .command("describe")
    .description("print the tools and their schemas as JSON, with your own that you have approved")
    .addOption(new Option("--format <format>", "print the tools in the form of one model API").choices([...FORMATS]))
    .action(async ({ format }: { format?: Format }) => {
      const all = [...host.tools, ...(await host.approvedTools(program.opts()))];
      host.out(JSON.stringify(format === undefined ? manifest(host, all) : schemas(all, format), undefined, 2));
    });

  if (host.tools.some(({ name }) => name === "capabilities_refresh")) {
    program
      .command("capabilities")
      .description("rewrite .toolhost/capabilities.md, which lists what an agent can do here, one line per theme")
      .option("--no-mcp", "without the tools of MCP servers and other extensions")
      .option("--json", "print {ok, text, data, error} as one line of JSON")
      .action(async ({ mcp, json }: { mcp: boolean; json?: boolean }) => {
        const outcome = await host.invoke(program.opts(), "capabilities_refresh", { include_mcp: mcp }, json === true);
        print(outcome, json === true);
        finish(exitCodeOf(outcome));
      });
  }

  program
    .command("undo")
    .description("undo changes that Toolhost's tools made in this folder, on the command line or in VS Code")
    .addOption(
      new Option("--last", "the last turn (default): all changes from one request or one command").conflicts([
        "id",
        "list",
      ]),
    )
    .addOption(
      new Option("--id <n>", "one call, by its number in the list; an undo is a call, too")
        .conflicts("list")
        .argParser(callId),
    )
    .option("--list", "list the latest turns with their calls, newest first")
    .option(
      "--with <dir>",
      "another folder of a window with several, for the changes made there (repeatable); --list says which there are",
      collect,
    )
    .addOption(new Option("--file <path...>", "only the changes to these files").conflicts("list"))
    .option("--json", "print {ok, text, data, error} as one line of JSON")
    .action(async ({ id, list, file, json, with: others }: UndoOptions) => {
      const files = file === undefined ? {} : { files: file };
      const outcome = await host.undo(
        { ...program.opts(), ...(others && { others }) },
        list === true
          ? { kind: "list" }
          : id === undefined
            ? { kind: "last", ...files }
            : { kind: "call", id, ...files },
      );
      print(outcome, json === true);
      finish(exitCodeOf(outcome));
    });

  addExplainCommand(program, {
    open: (options) => host.explainer(program.opts(), options),
    readInput: (given) => readInput(host, given),
    readStdin: () => host.readStdin(),
    parseJson: (option, text) => parseJson(option, text),
    parseInput: (text) => {
      const { value, notes } = parseInputJson(text);
      notes.forEach((note) => host.err(`toolhost: ${note}`));
      return value;
    },
    readFile: (option, path) => readOption(option, () => host.readFile(path)),
    out: (text) => host.out(text),
    err: (text) => host.err(text),
    finish: (ok) => finish(ok ? EXIT.ok : EXIT.toolError),
  });

  addAgentCommand(program, {
    tools: host.agent.tools,
    ownTools: () => host.agent.ownTools(program.opts()),
    isPiped: () => host.isPiped(),
    readStdin: () => host.readStdin(),
    run: (request) => host.agent.run(program.opts(), request),
    usage: (message) => new UsageError(message),
    finish,
  });

  addWorkCommand(program, {
    tools: host.agent.tools,
    ownTools: () => host.agent.ownTools(program.opts()),
    run: (request) => host.work(program.opts(), request),
    usage: (message) => new UsageError(message),
    finish,
  });

  addToolsCommand(program, {
    run: async (request) => finish(await host.customTools(program.opts(), request)),
    readInput: async (given) => parseInputJson(await readInput(host, given)).value,
    usage: (message) => new UsageError(message),
    call: async (tool, given, json) => {
      const { value, notes } = parseInputJson(await readInput(host, given));
      const outcome = withNotes(await host.invoke(program.opts(), tool, value, json), notes);
      print(outcome, json);
      finish(exitCodeOf(outcome));
    },
  });

  addMcpCommand(program, {
    tools: host.agent.tools,
    ownTools: () => host.agent.ownTools(program.opts()),
    run: (request) => host.mcp(program.opts(), request),
    servers: (request) => host.mcpServers(program.opts(), request),
    usage: (message) => new UsageError(message),
    finish,
  });

  addConnectCommand(program, {
    self: host.self,
    run: async (request) => finish(await host.connect.run(program.opts(), request)),
    entryText: host.connect.entryText,
    out: (text) => host.out(text),
  });

  const unnamed: string[] = [];
  // Added last: a second spelling must not take the name of another tool's own command.
  const wholeNames: { tool: Tool; runTool: (input: Record<string, unknown>, json: boolean) => Promise<void> }[] = [];
  // Parts have commands of their own, since people call them by their kind: `toolhost task list`.
  for (const tool of withParts<Tool>(host.tools)) {
    const place = parentOf(program, tool);
    // Third-party tools can have any name; commander itself uses help.
    if (place.verb === "help" || place.parent.commands.some((command) => command.name() === place.verb)) {
      unnamed.push(tool.name);
      continue;
    }
    const runTool = async (given: Record<string, unknown>, json: boolean): Promise<void> => {
      const input = await withTexts(host, tool, given);
      // Here the fields are command line words, so a wrong or missing one is wrong usage.
      const refused = checkInput(tool, input);
      const outcome = refused ?? (await host.invoke(program.opts(), tool.name, input, json));
      print(outcome, json);
      finish(refused ? EXIT.usage : exitCodeOf(outcome));
    };
    addToolCommand(place, tool, runTool);
    if (commandWords(tool).whole !== undefined) {
      wholeNames.push({ tool, runTool });
    }
  }
  for (const { tool, runTool } of wholeNames) {
    if (!program.commands.some((command) => command.name() === tool.name)) {
      addToolCommand({ parent: program, verb: tool.name, hidden: true }, tool, runTool);
    }
  }
  if (unnamed.length > 0) {
    program.addHelpText(
      "after",
      `\nTools with the name of a command above: ${unnamed.join(", ")}. Run one with: toolhost run <tool> --input '<json>'`,
    );
  }
  return program;
}

/** Finds the parent of a tool's command; creates the group of commands if needed. */
function parentOf(program: Command, tool: Tool): { parent: Command; verb: string } {
  const { parent, verb } = commandWords(tool);
  if (parent === undefined) {
    return { parent: program, verb };
  }
  const known = program.commands.find((command) => command.name() === parent);
  return { parent: known ?? program.command(parent).description(`the ${parent} tools`), verb };
}

/** Adds a tool's command. Its flags and help need the input's schema, which is made only for the command that is called. */
function addToolCommand(
  { parent, verb, hidden = false }: { parent: Command; verb: string; hidden?: boolean },
  tool: Tool,
  run: (input: Record<string, unknown>, json: boolean) => Promise<void>,
): void {
  const command = parent
    .command(verb, { hidden })
    .summary(firstSentence(tool.description))
    .description(tool.description)
    .option("--json", "print {ok, text, data, error} as one line of JSON");
  for (const field of tool.positional) {
    // Optional for commander: the tool's own validation reports a missing one, as at every door.
    command.argument(`[${field}]`);
  }
  let isPrepared = false;
  const prepare = (): void => {
    if (!isPrepared) {
      isPrepared = true;
      prepareToolCommand(command, tool, run);
    }
  };
  parent.hook("preSubcommand", (_, called) => (called === command ? prepare() : undefined));
  // `toolhost help read` shows the help without calling the command.
  command.on("beforeHelp", prepare);
}

/** Adds the flags, the help and the action of a tool's command. */
function prepareToolCommand(
  command: Command,
  tool: Tool,
  run: (input: Record<string, unknown>, json: boolean) => Promise<void>,
): void {
  const { properties, required } = tool.inputSchema;
  if (command instanceof SwitchCommand) {
    command.neededArguments = tool.positional.flatMap((field) =>
      required?.includes(field) === true ? [{ name: field, flag: toFlag(field) }] : [],
    );
  }
  for (const argument of command.registeredArguments) {
    const field = argument.name();
    argument.description = `${properties[field]?.description ?? ""}${required?.includes(field) ? " (required)" : ""}`;
  }
  const flags = new Map<string, string>();
  const flagless: string[] = [];
  for (const [field, property] of Object.entries(properties)) {
    const option = FLAG_NAME.test(field) && !OWN_FLAGS.has(field) ? makeOption(field, property) : undefined;
    if (option === undefined || flags.has(option.attributeName())) {
      flagless.push(field);
      continue;
    }
    flags.set(option.attributeName(), field);
    command.addOption(option);
    if (option instanceof SwitchOption) {
      command.addOption(option.negation);
    }
  }
  const fromStdin = stdinHelp(tool);
  if (fromStdin !== "") {
    command.addHelpText("after", fromStdin);
  }
  if (flagless.length > 0) {
    command.addHelpText(
      "after",
      `\nFields without a flag: ${flagless.join(", ")}. Give the whole input with: toolhost run ${tool.name} --input '<json>'`,
    );
  }
  command.action(async (...given: unknown[]) => {
    const options = command.opts<Record<string, unknown>>();
    const input: Record<string, unknown> = {};
    for (const [index, field] of tool.positional.entries()) {
      const word = given[index];
      if (typeof word === "string") {
        input[field] = coerce(word, properties[field] ?? {});
      }
    }
    for (const [attribute, value] of Object.entries(options)) {
      const field = flags.get(attribute);
      if (field === undefined) {
        continue;
      }
      if (Object.hasOwn(input, field)) {
        throw new UsageError(`${field} is given twice, as an argument and as ${toFlag(field)}.`);
      }
      const property = properties[field] ?? {};
      input[field] =
        typeof value === "string"
          ? coerce(value, property)
          : Array.isArray(value)
            ? value.map((word) => coerce(String(word), property.items ?? {}))
            : value;
    }
    await run(input, options["json"] === true);
  });
}

function makeOption(field: string, property: JsonSchemaProperty): Option {
  const flag = toFlag(field);
  const description = property.description ?? "";
  if (property.type === "boolean") {
    return new SwitchOption(flag, description);
  }
  const option = new Option(
    `${flag} <${property.type === "integer" || property.type === "number" ? "n" : "value"}>`,
    description,
  );
  if (property.type === "array" && property.items?.type !== "object") {
    return option.argParser(collect);
  }
  if (property.enum) {
    return new Option(`${flag} <${property.enum.map(String).join("|")}>`, description);
  }
  return option;
}

function toFlag(field: string): string {
  return `--${field.replaceAll("_", "-")}`;
}

function collect(word: string, before: string[] | undefined): string[] {
  return [...(before ?? []), word];
}

function timeoutSeconds(word: string): number {
  const seconds = Number(word);
  if (word.trim() === "" || !(seconds >= 1 && seconds <= MAX_TIMEOUT)) {
    throw new UsageError(`--tool-timeout ${word}: expected seconds, from 1 to ${MAX_TIMEOUT}.`);
  }
  return seconds;
}

function callId(word: string): number {
  if (!/^\d{1,15}$/.test(word)) {
    throw new UsageError(`--id ${word} is not a call's number. See: toolhost undo --list`);
  }
  return Number(word);
}

async function readInput(host: CliHost, given: string): Promise<string> {
  if (given !== "-" && !given.startsWith("@")) {
    return given;
  }
  return readOption(`--input ${given}`, () => (given === "-" ? host.readStdin() : host.readFile(given.slice(1))));
}

/** Returns an input with the text that comes from standard input. */
async function withTexts(host: CliHost, tool: Tool, input: Record<string, unknown>): Promise<Record<string, unknown>> {
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
async function readOption(option: string, read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    throw new UsageError(`${option} cannot be read: ${messageOf(error)}`);
  }
}

/** Returns the failure if the input does not match the tool's schema; undefined if it matches. */
function checkInput(tool: Tool, input: unknown): Outcome | undefined {
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
function parseInputJson(text: string): { value: unknown; notes: string[] } {
  const { value, note } = parsed("--input", text, readJson);
  return { value, notes: note === undefined ? [] : [note] };
}

/** @param option as given, for the error message */
function parseJson(option: string, text: string): unknown {
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

function manifest({ version }: CliHost, all: readonly Tool[]): object {
  return { schemaVersion: "v1", name: "toolhost", version, tools: all.map(toDescribedTool) };
}
